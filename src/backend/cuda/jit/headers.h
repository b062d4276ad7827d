// The texts that generated sources include: src/kernels and src/backend/cuda/device, embedded when the plug-in is built
// (cmake/EmbedHeaders.cmake), so that run-time compilation reads no files.
#pragma once

#include <span>

namespace cuprum::cuda {

struct EmbeddedHeader {
  const char* name;  // as sources include it: "kernels/types.h", "device/reduce.cuh"
  const char* text;
};

std::span<const EmbeddedHeader> embedded_headers();

}  // namespace cuprum::cuda
