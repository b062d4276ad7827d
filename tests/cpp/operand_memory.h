// Room for the operands of a kernel under test, of any strides.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/dims.h"

namespace cuprum::cuda {

/// Memory of operands, as long as this lives. The first element is aligned to 64 bytes, plus `offset`.
class Memory {
 public:
  std::byte* make(const Dims& shape, const Dims& strides, std::int64_t offset) {
    std::int64_t low = 0, high = 16;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const std::int64_t reach = (shape[d] - 1) * strides[d];
      (reach < 0 ? low : high) += reach;
    }
    blocks_.emplace_back(static_cast<std::size_t>(high - low) + 256, std::byte{0x5a});
    const auto first =
        reinterpret_cast<std::uintptr_t>(blocks_.back().data()) + static_cast<std::uintptr_t>(-low);
    return reinterpret_cast<std::byte*>((first + 63) / 64 * 64 + static_cast<std::uintptr_t>(offset));
  }

 private:
  std::deque<std::vector<std::byte>> blocks_;
};

}  // namespace cuprum::cuda
