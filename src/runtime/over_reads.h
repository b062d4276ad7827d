// A device that takes kernels which write what they read elsewhere (`a[1:-1] = a[2:] - a[:-2]`), and reads everything as it was
// before. For others the engine gives such a write a temporary, and copies.
#pragma once

#include "runtime/backend.h"

namespace cuprum {

class WritesOverReads {
 public:
  virtual ~WritesOverReads() = default;
};

/// Is `device` one? Of kernels without reductions, whose stores do not overlap themselves.
inline bool writes_over_reads(const Backend& device) {
  return dynamic_cast<const WritesOverReads*>(&device) != nullptr;
}

}  // namespace cuprum
