// Many rows of one length sorted at once: each vector lane holds a row.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// The rows that are sorted together have one key each in this many bytes: 8 rows of 32-bit keys, 4 of 64-bit
/// ones.
inline constexpr int kNetworkBytes = 32;

/// Sorts each column of a matrix of n rows and kNetworkBytes / sizeof(key) columns. Not stable: equal keys
/// must be the same.
CUPRUM_DECLARE_FOR_LEVELS(void sort_columns32(uint32_t* keys, int64_t n))
CUPRUM_DECLARE_FOR_LEVELS(void sort_columns64(uint64_t* keys, int64_t n))

inline void sort_columns(uint32_t* keys, int64_t n) { CUPRUM_CALL_LEVEL(sort_columns32(keys, n)); }
inline void sort_columns(uint64_t* keys, int64_t n) { CUPRUM_CALL_LEVEL(sort_columns64(keys, n)); }

}  // namespace cuprum
