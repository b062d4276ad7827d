// Sums of products of one vector with what lies under it while it moves along another.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

/// out[i] = sum over j of a[i - left + j] * v[j]; contiguous. Complex numbers lie in two planes: all real parts, then all
/// imaginary ones. Bools are bytes of 0 and 1.
struct SlidingProduct {
  const void* a;
  int64_t length;
  const void* v;
  int64_t taps;
  int64_t left;
};

inline constexpr int kSlidingBlock = 128;  // results of one call

/// out[0 .. count) = the results from `first` on, count <= kSlidingBlock. `first` is a multiple of kSlidingBlock: how the
/// sum of an element is grouped depends on its position alone.
CUPRUM_DECLARE_FOR_LEVELS(void sliding_block(dtype type, const SlidingProduct& dot, int64_t first,
                                             int64_t count, void* out))

}  // namespace cuprum
