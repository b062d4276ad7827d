// Makes a device the current one of this thread for the length of a scope, and puts back what was current before:
// other libraries in the process have their own idea of it.
//
// Costs one call of the driver (about 10 ns) when the device is current already.
#pragma once

#include <cuda.h>

#include "runtime/lock.h"

namespace cuprum::cuda {

class Current {
 public:
  explicit Current(int device) noexcept;
  ~Current() {
    if (changed_) restore();
  }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  void restore() noexcept;

  DriverCall call_;  // everything that calls the driver comes through here
  CUcontext before_ = nullptr;
  bool changed_ = false;
};

/// The primary context of a device, retained for good. Throws.
CUcontext primary_context(int device);

/// Throws in the child of a fork(): CUDA does not work there.
void refuse_after_fork();

}  // namespace cuprum::cuda
