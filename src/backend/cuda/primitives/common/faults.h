// Indices that a kernel finds out of bounds, matrices that cannot be factorized: kept in memory that device and host share, raised
// when the thread that made the call next waits.
#pragma once

#include <cstdint>

#include "backend/cuda/context.h"
#include "runtime/debug.h"
#include "runtime/primitives.h"

namespace cuprum::cuda {

/// One fault of one thread's calls, the first that is found; later ones are dropped until it has been raised. In pinned memory, written by the
/// one thread that has claimed it: of millions of bad indices all but one stay away from the bus.
struct FaultRecord {
  unsigned* claimed = nullptr;  // in device memory
  std::int32_t found = 0;
  std::int32_t axis = 0;
  std::int64_t extent = 0;
  std::int64_t value = 0;
  const char* function = nullptr;  // of the host, only carried by the device, as is
  const char* message =
      nullptr;  // what is wrong with matrix `value`, of a stack where `axis` is 1; null: an index

#if defined(__CUDACC__)
  __device__ void write(const char* site, std::int32_t at_axis, std::int64_t n, std::int64_t index) {
    axis = at_axis;
    extent = n;
    value = index;
    function = site;
    message = nullptr;
    found = 1;
  }
  __device__ void write(const char* site, const char* what, bool stacked, std::int64_t number) {
    axis = stacked;
    value = number;
    function = site;
    message = what;
    found = 1;
  }
#endif
};

/// Of one device, on whichever stream: a record for each thread.
struct Faults {
  std::mutex mutex;
  PerCaller<FaultRecord*> records;
};

/// This device's record of the thread that is told of faults at a site.
FaultRecord* fault_record(Context& context, const Ref<Caller>& told);

}  // namespace cuprum::cuda
