// A mask as kernels read it: dense, cut into tiles.
#pragma once

#include <cstdint>

namespace cuprum::cuda::primitives {

inline constexpr int kMaskThreads = 256;
inline constexpr int kMaskTile = 32 * kMaskThreads;  // elements: 32 per thread

struct Mask {
  const unsigned char* data;
  std::int64_t size;
  bool aligned;  // to 16 bytes

  Mask(const void* dense, std::int64_t elements)
      : data(static_cast<const unsigned char*>(dense)),
        size(elements),
        aligned(reinterpret_cast<std::uintptr_t>(dense) % 16 == 0) {}
};

}  // namespace cuprum::cuda::primitives
