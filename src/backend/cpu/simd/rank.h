// Ranks of a few keys, for short rows: where each key goes when they are sorted stably.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

inline constexpr int kMaxRanked32 = 128, kMaxRanked64 = 64;  // above, radix sort is faster
inline constexpr int kRankBlock = 16;

/// ranks[i] = number of keys that come before keys[i]: smaller ones, and equal ones with a smaller index.
/// Both arrays have room for n rounded up to kRankBlock; the keys are destroyed.
CUPRUM_DECLARE_FOR_LEVELS(void ranks32(uint32_t* keys, int n, uint32_t* ranks))
CUPRUM_DECLARE_FOR_LEVELS(void ranks64(uint64_t* keys, int n, uint64_t* ranks))

inline void ranks(uint32_t* keys, int n, uint32_t* ranks) { CUPRUM_CALL_LEVEL(ranks32(keys, n, ranks)); }
inline void ranks(uint64_t* keys, int n, uint64_t* ranks) { CUPRUM_CALL_LEVEL(ranks64(keys, n, ranks)); }

}  // namespace cuprum
