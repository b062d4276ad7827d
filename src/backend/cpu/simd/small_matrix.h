// Many small matrices at a time: a group of them lies interleaved, element by element, and every instruction computes the same step
// of all of them.
//
// A group has kGroupBytes / sizeof(real) lanes, one matrix each. Element e of all lanes is a block of kGroupBytes; of complex
// numbers two blocks, real parts first. A lane's result does not depend on the other lanes, nor on the instruction set.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

inline constexpr int kGroupBytes = 64;
/// Elements from row to row of a matrix in a group: an odd number, so that columns are spread over the cache (32 x 32, float64: eigh
/// takes 102 us a matrix where rows are 2 KB apart).
constexpr int group_stride(int width) { return width | 1; }
inline constexpr int kSmallSide = 32;  // rows and columns of a small matrix

/// rows: n x width elements, of which the first n columns are a matrix a and the others b. Afterwards, on and above the diagonal, u of
/// a = p l u by partial pivoting, with a^-1 b in place of b. failed[lane]: a pivot was zero, and what follows is
/// NaN or infinite; odd[lane]: the permutation is odd.
CUPRUM_DECLARE_FOR_LEVELS(void small_eliminate(dtype type, int n, int width, void* rows,
                                               unsigned char* failed, unsigned char* odd))

/// rows: n x n elements, of which the lower triangle is read; afterwards its Cholesky factor, and zeros above.
CUPRUM_DECLARE_FOR_LEVELS(void small_cholesky(dtype type, int n, void* rows, unsigned char* failed))

}  // namespace cuprum
