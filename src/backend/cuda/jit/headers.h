// The texts that generated sources include: src/kernels and src/backend/cuda/device.
#pragma once

#include <span>

#include "runtime/embedded_headers.h"

namespace cuprum::cuda {

std::span<const EmbeddedHeader> embedded_headers();

}  // namespace cuprum::cuda
