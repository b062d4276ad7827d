// Sorting one contiguous row by vectors (simd/vector_sort.h), on one thread or several.
//
// A row for several threads is first cut into eight parts, for more than four threads into 64, by pivots of a sample: its
// ranges are counted, and then moved, side by side. Then each part is sorted by itself. There is one order of keys only,
// so nothing of this shows in the result. One thread alone does not cut: 4M float32 take 2.4 ns per element, and 2.9 cut
// into parts that fit in the second-level cache.
#pragma once

#include <cstdint>

#include "cuprum/dtype.h"

namespace cuprum::cpu {

/// Are rows of this dtype sorted by vectors?
bool sorts_by_vectors(dtype type);

/// out[0, n) = in[0, n) sorted, in up to `chunks` parallel parts; all NaN come out alike. They do not overlap. Returns
/// whether there may be values that are equal, but not the same.
bool sort_by_vectors(dtype type, std::int64_t n, const void* in, void* out, int chunks);

}  // namespace cuprum::cpu
