// Indices that a kernel finds out of bounds, matrices that cannot be factorized: kept in memory that device and host share, raised
// when the thread that made the call next waits.
#pragma once

#include <cstdint>

#include "backend/cuda/context.h"
#include "device/fault.cuh"
#include "runtime/debug.h"
#include "runtime/primitives.h"

namespace cuprum::cuda {

using device::FaultRecord;

/// Of one device, on whichever stream: a record for each thread.
struct Faults {
  std::mutex mutex;
  PerCaller<FaultRecord*> records;
};

/// This device's record of the thread that is told of faults at a site.
FaultRecord* fault_record(Context& context, const Ref<Caller>& told);

}  // namespace cuprum::cuda
