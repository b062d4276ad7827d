// Who asks for elements by index arrays: an asynchronous backend finds a bad index after the call has returned, and
// throws IndexError when the device is next waited for.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dims.h"
#include "runtime/caller.h"

namespace cuprum {

struct IndexSite {
  const char* function = "an index";  // the call, for the message; a literal
  Dims axes;                          // the axis that each index array stands for; empty: 0, 1, ...
  Ref<Caller> caller;                 // who is told; null: the thread that hands the work over

  std::int64_t axis_of(std::size_t k) const {
    return k < axes.size() ? axes[k] : static_cast<std::int64_t>(k);
  }
  Ref<Caller> told() const { return caller ? caller : Caller::current(); }
};

}  // namespace cuprum
