// Arrays on their way between devices.
#pragma once

#include "expr/host_copy.h"

namespace cuprum::ops {

/// `a` on a device: itself where it is there, else a copy. Devices of one kind copy between themselves, and the host does not
/// wait; else it goes through host memory. `keep` as in expr/host_copy.h.
Array on_backend(const Array& a, Backend& to, std::size_t keep = kHostCopyBytes);

/// A new array with dense host memory copied into it.
Array uploaded(Backend& backend, dtype type, const Dims& shape, const Dims& strides, const std::byte* data,
               std::size_t keep);

}  // namespace cuprum::ops
