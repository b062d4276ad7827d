// The far devices, "far:0" to "far:3": the CPU behind asynchronous queues, at addresses that the host cannot read. For tests:
// what a GPU would show, without one.
#pragma once

#include <cstdint>

#include "runtime/backend.h"

namespace cuprum {

inline constexpr int kFarDevices = 4;
Backend& far_backend(int which = 0);

/// The seed of their delays: CUPRUM_FAR_SEED, or one that the clock gave.
std::uint64_t far_seed();

/// How often and how long, at most, a queue dawdles before a piece of work, so that what comes too early shows.
struct FarDelays {
  float probability = 1.0f / 8;
  int microseconds = 100;
};
void set_far_delays(const FarDelays& delays);

/// How short of memory a far device is.
struct FarMemoryOptions {
  std::size_t bytes = std::size_t{64} << 30;  // all that there is
  std::int64_t fails_at = 0;                  // the n-th request from now on fails; 0: none
};
void set_far_memory(int which, const FarMemoryOptions& options);

}  // namespace cuprum
