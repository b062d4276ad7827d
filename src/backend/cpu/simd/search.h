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

}  // namespace cuprum
