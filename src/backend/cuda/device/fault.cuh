// What a kernel finds wrong and the host raises later (primitives/common/faults.h).
#pragma once

#include "kernels/types.h"

namespace cuprum::cuda::device {

/// One fault of one thread's calls, the first that is found; later ones are dropped until it has been raised. In pinned memory, written by the
/// one thread that has claimed it: of millions of bad indices all but one stay away from the bus.
struct FaultRecord {
  unsigned* claimed = nullptr;  // in device memory
  kernels::int32 found = 0;
  kernels::int32 axis = 0;
  kernels::int64 extent = 0;
  kernels::int64 value = 0;
  const char* function = nullptr;  // of the host, only carried by the device, as is
  const char* message =
      nullptr;  // what is wrong with matrix `value`, of a stack where `axis` is 1; null: an index

#if defined(__CUDACC__) || defined(CUPRUM_ON_HOST)
  __device__ void write(const char* site, kernels::int32 at_axis, kernels::int64 n, kernels::int64 index) {
    axis = at_axis;
    extent = n;
    value = index;
    function = site;
    message = nullptr;
    found = 1;
  }
  __device__ void write(const char* site, const char* what, bool stacked, kernels::int64 number) {
    axis = stacked;
    value = number;
    function = site;
    message = what;
    found = 1;
  }
#endif
};

}  // namespace cuprum::cuda::device
