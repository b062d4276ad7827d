// Numbers from draws that lie in memory, as long as they come easily: vectors of them at a time.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// How many of the first draws each make a number of the ziggurat by themselves; these are written. At least the one behind them
/// needs more (if there is one).
CUPRUM_DECLARE_FOR_LEVELS(int64_t normal_run(const uint64_t* draws, int64_t n, double* out))
CUPRUM_DECLARE_FOR_LEVELS(int64_t normal_run_f(const uint32_t* halves, int64_t n, float* out))
CUPRUM_DECLARE_FOR_LEVELS(int64_t exponential_run(const uint64_t* draws, int64_t n, double* out))
CUPRUM_DECLARE_FOR_LEVELS(int64_t exponential_run_f(const uint32_t* halves, int64_t n, float* out))

/// Integers in [least, least + range] from units of 1, 2, 4 or 8 bytes. A unit is kept or rejected by itself.
struct Bound {
  uint64_t least, range, mask;
  bool masked;
};
/// The numbers of the kept units go to `out`; how many there are. `open`: the last unit was rejected.
CUPRUM_DECLARE_FOR_LEVELS(int64_t bounded_run(const Bound& bound, int unit_size, int number_size,
                                              const void* units, int64_t n, void* out, bool* open))

}  // namespace cuprum
