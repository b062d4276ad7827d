// The rank of every true element of a mask: how many are true before it, in C order.
//
// The mask is cut into tiles; one kernel counts each, one block adds the counts up, and the kernel that uses the ranks
// finds those within its tile itself (select.cu).
#pragma once

#include "backend/cuda/primitives/views.h"

namespace cuprum::cuda::primitives {

inline constexpr int kMaskThreads = 256;
inline constexpr int kMaskTile = 32 * kMaskThreads;  // elements: 32 per thread

/// A dense mask, as kernels read it.
struct Mask {
  const unsigned char* data;
  std::int64_t size;
  bool aligned;  // to words of 4 bytes

  explicit Mask(const View& dense)
      : data(reinterpret_cast<const unsigned char*>(dense.data)),
        size(size_of(dense)),
        aligned(reinterpret_cast<std::uintptr_t>(dense.data) % 4 == 0) {}

#if defined(__CUDACC__)
  /// Bit j of the result: is element i + j true? (j < 4)
  __device__ unsigned four(std::int64_t i) const {
    unsigned flags = 0;
    if (aligned && i + 4 <= size) {
      const unsigned word = __vcmpne4(__ldg(reinterpret_cast<const unsigned*>(data + i)), 0u);
      flags = ((word & 0x01010101u) * 0x10204080u) >> 28;
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        if (i + j < size && data[i + j] != 0) flags |= 1u << j;
      }
    }
    return flags;
  }
#endif
};

/// true elements before each tile, and at the end their number.
class Ranks {
 public:
  Ranks(Context& context, const Mask& mask);
  const std::int64_t* before() const { return before_.get<std::int64_t>(); }
  const std::int64_t* total() const { return before() + tiles_; }

 private:
  std::int64_t tiles_;
  Scratch before_;
};

}  // namespace cuprum::cuda::primitives
