// Sorting elements of 4 and 8 bytes by vectors: a quicksort whose partitions move registers of keys, down to what sorts
// within registers (key_network.h). Levels that have not the instructions for it leave sorts to backend/cpu/radix.h.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

/// Does this level sort by vectors?
CUPRUM_DECLARE_FOR_LEVELS(bool has_vector_sort())

/// Rows of up to this many elements of `itemsize` bytes need no `spare`.
CUPRUM_DECLARE_FOR_LEVELS(int64_t most_without_spare(int itemsize))

/// to[0, n) = from[0, n) in the order of their keys, all NaN alike; `spare` has room for n elements. No two overlap.
/// Returns whether there may be values that are equal, but not the same: NaN or -0.0.
CUPRUM_DECLARE_FOR_LEVELS(bool sort_values(dtype type, int64_t n, const void* from, void* to, void* spare))

/// Are the keys of n values in ascending order?
CUPRUM_DECLARE_FOR_LEVELS(bool is_sorted(dtype type, int64_t n, const void* values))

// The steps of a sort of a long row, whose parts are sorted by themselves. Part i has the keys above pivots[i - 1] that are
// not above pivots[i]. `encoded`: `from` has keys, not values.

inline constexpr int kSortParts = 8;

/// Pivots for parts of about the same size, from a sample of n >= 1 elements.
CUPRUM_DECLARE_FOR_LEVELS(void choose_pivots(dtype type, bool encoded, int64_t n, const void* from,
                                             uint64_t* pivots))

/// Adds the number of keys in each part.
CUPRUM_DECLARE_FOR_LEVELS(void count_parts(dtype type, bool encoded, int64_t n, const void* from,
                                           const uint64_t* pivots, int64_t* counts))

/// Writes the keys of part i to `to` from element starts[i] on, and nothing at or behind ends[i]. Returns as sort_values.
CUPRUM_DECLARE_FOR_LEVELS(bool move_parts(dtype type, bool encoded, int64_t n, const void* from,
                                          const uint64_t* pivots, void* to, const int64_t* starts,
                                          const int64_t* ends))

/// Sorts n keys and writes their values to `to`. `keys` and `spare`, room for n elements each, are destroyed; `to` is one
/// of them.
CUPRUM_DECLARE_FOR_LEVELS(void sort_keys(dtype type, int64_t n, void* keys, void* spare, void* to))

}  // namespace cuprum
