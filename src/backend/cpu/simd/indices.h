// Index arrays: are they in bounds, and which bytes do they name? int64 elements `step` bytes apart.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// Do all indices lie in [-extent, extent)?
CUPRUM_DECLARE_FOR_LEVELS(bool indices_in_bounds(int64_t n, const void* index, int64_t step, int64_t extent))

/// offsets[i] += stride * index[i], negative indices counted from the end.
CUPRUM_DECLARE_FOR_LEVELS(void add_offsets(int64_t n, const void* index, int64_t step, int64_t extent,
                                           int64_t stride, int64_t* offsets))

/// Offsets outside of [low, high) are replaced by one of 16 places from `elsewhere` on, 16 bytes apart.
CUPRUM_DECLARE_FOR_LEVELS(void redirect_offsets(int64_t n, int64_t* offsets, int64_t low, int64_t high,
                                                int64_t elsewhere))

}  // namespace cuprum
