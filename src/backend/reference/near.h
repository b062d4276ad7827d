// What a far device is given, as the CPU takes it: addresses of the host, and indices of int64.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "runtime/backend.h"

namespace cuprum {

inline constexpr std::uintptr_t kShift = std::uintptr_t{0x5A}
                                         << 56;  // bits 56 to 62: no such address is ever mapped

inline std::byte* near(const std::byte* far) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(far) - kShift);
}
inline std::byte* far_address(const std::byte* near) {
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(near) + kShift);
}
/// The CPU's view. It keeps nothing alive: a buffer is never freed by a queue, and its memory waits for the queue's uses.
inline View near(const View& view) {
  return {near(static_cast<std::byte*>(view.data)), view.type, view.shape, view.strides, {}};
}
inline Kernel near(Kernel kernel) {
  for (std::size_t i = 0; i < kernel.leaves.size(); ++i) {
    if (!drawn(kernel, i)) kernel.leaves[i].data = near(kernel.leaves[i].data);
  }
  for (Gathered& g : kernel.gathers) g.index = near(g.index);
  for (Store& store : kernel.stores) store.data = near(store.data);
  for (Reduction& reduction : kernel.reductions) {
    if (reduction.data) reduction.data = near(reduction.data);
  }
  return kernel;
}
/// The CPU's kernels take indices of int64: these lie as the others do, only further apart.
inline void widen(Gathered& g, std::deque<std::vector<std::int64_t>>& memory) {
  if (g.index.type == dtype::int64) return;
  const auto size = static_cast<std::int64_t>(itemsize(g.index.type));
  std::int64_t low = 0, high = 0;
  for (std::size_t d = 0; d < g.index.shape.size(); ++d) {
    const std::int64_t reach = (g.index.shape[d] - 1) * g.index.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  std::vector<std::int64_t>& wide = memory.emplace_back(static_cast<std::size_t>((high - low) / size + 1));
  Kernel convert;
  convert.shape = {(high - low) / size + 1};
  convert.leaves.push_back({g.index.data + low, g.index.type, {size}});
  convert.code.push_back({Op::cast, g.index.type, dtype::int64, 1, {0}});
  convert.stores.push_back({reinterpret_cast<std::byte*>(wide.data()), dtype::int64, {8}, 1});
  cpu_backend().run(cpu_backend().first_stream(), convert);
  g.index.data = reinterpret_cast<std::byte*>(wide.data() - low / size);
  g.index.type = dtype::int64;
  for (std::int64_t& stride : g.index.strides) stride = stride / size * 8;
  for (std::int64_t& stride : g.strides) stride = stride / size * 8;
}

}  // namespace cuprum
