// Matrix products, see runtime/primitives.h: BLAS where the dtype has one, a blocked loop elsewhere.
#pragma once

#include "runtime/primitives.h"

namespace cuprum::cpu {

void matmul(const View& a, const View& b, const View& out);

/// Computes two products of one matrix with a vector each in one pass over it, with the bits that they have alone. False, and
/// nothing is done, where they are no such products.
bool matmul_both(const Call& first, const Call& second);

/// Is the call a product of a matrix in C order, too large for a core's cache, with a vector from the right? Then the matrix may be made a few
/// rows at a time, with the bits that the product of the whole has: by a kernel without reductions, which stores nothing else.
bool makes_matrix(const Call& call);
void matmul_making(const Call& call, const Kernel& maker);

}  // namespace cuprum::cpu
