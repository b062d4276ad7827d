// Binary search of many values in one sorted row.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

inline constexpr int kSearchBlock = 1024;  // values of one call

/// out[i] = number of elements of row[0 .. n) that come before values[i]; `right`: do not come behind it. Both contiguous,
/// in the order of sorting; count <= kSearchBlock.
CUPRUM_DECLARE_FOR_LEVELS(void search_values(dtype type, const void* row, int64_t n, const void* values,
                                             int count, bool right, int64_t* out))

/// out[i] = does row[0 .. n) hold an element that equals values[i]?
CUPRUM_DECLARE_FOR_LEVELS(void find_values(dtype type, const void* row, int64_t n, const void* values,
                                           int count, uint8_t* out))

/// out[i] = the place of values[i] as in search_values from the right; of what equals the last of n > 0 elements, the one
/// before that.
CUPRUM_DECLARE_FOR_LEVELS(void find_intervals(dtype type, const void* row, int64_t n, const void* values,
                                              int count, int64_t* out))

}  // namespace cuprum
