// Long runs of draws of the generators that can be entered anywhere, and what becomes of single draws.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// A state of a congruence and what each step adds, in halves.
struct Congruence {
  uint64_t high, low, increment_high, increment_low;
};

/// out[i] = the output of PCG64 for the i-th state from this one on, which is the first.
CUPRUM_DECLARE_FOR_LEVELS(void pcg64_draws(const Congruence& from, int64_t n, uint64_t* out))
/// The same of PCG64DXSM.
CUPRUM_DECLARE_FOR_LEVELS(void pcg64dxsm_draws(const Congruence& from, int64_t n, uint64_t* out))
/// Two draws for each of n counters of Philox4x32-10 from `counter` on.
CUPRUM_DECLARE_FOR_LEVELS(void philox4x32_draws(uint64_t counter, uint64_t stream, uint64_t key, int64_t n,
                                                uint64_t* out))

/// loc + scale * (a number in [0, 1)) for each draw; in place.
CUPRUM_DECLARE_FOR_LEVELS(void to_units(uint64_t* draws, int64_t n, bool scaled, double loc, double scale))
/// The same in float32: two for each draw, the lower half first. In place.
CUPRUM_DECLARE_FOR_LEVELS(void to_units_f(uint64_t* draws, int64_t n))

}  // namespace cuprum
