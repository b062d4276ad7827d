// Conversion between values and sort keys, see backend/cpu/sort_key.h.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

/// keys[i] = the key of values[i], a word of 4 bytes (8 for dtypes of 8). Returns whether there are values
/// that are equal, but not the same: NaN or -0.0.
CUPRUM_DECLARE_FOR_LEVELS(bool encode_keys(dtype type, int64_t n, const void* values, void* keys))

/// The inverse; may work in place where both have one size.
CUPRUM_DECLARE_FOR_LEVELS(void decode_keys(dtype type, int64_t n, const void* keys, void* values))

}  // namespace cuprum
