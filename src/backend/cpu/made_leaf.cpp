#include "backend/cpu/made_leaf.h"

#include <algorithm>

namespace cuprum::cpu {

void make_tile(const LeafSource& from, const std::int64_t* start, std::size_t dims, int row,
               std::int64_t rows, std::int64_t cols, std::byte* to) {
  std::visit(
      [&](const auto& source) {
        source.at(start, dims).tile(row, rows, static_cast<int>(dims) - 1, cols, to);
      },
      from);
}

void make_range(const LeafSource& from, const Dims& shape, const std::int64_t* start, std::int64_t n,
                std::byte* to) {
  const auto dims = static_cast<int>(shape.size()), last = dims - 1;
  if (dims == 0) return make_tile(from, start, 0, -1, 1, 1, to);
  const std::int64_t size = item_size(from);
  std::int64_t coords[kMaxDims];
  std::copy(start, start + dims, coords);
  while (n > 0) {
    const std::int64_t at = coords[last];
    std::int64_t rows = 1, cols = std::min(n, shape[last] - at);
    if (at == 0 && dims > 1 && n >= shape[last])
      rows = std::min(n / shape[last], shape[last - 1] - coords[last - 1]);
    make_tile(from, coords, shape.size(), last - 1, rows, cols, to);
    n -= rows * cols;
    to += rows * cols * size;
    // Here a row has ended, and rows - 1 more with it, if there is anything left.
    coords[last] = 0;
    if (dims > 1) coords[last - 1] += rows - 1;
    for (int d = last; d-- > 0;) {
      if (++coords[d] < shape[d]) break;
      coords[d] = 0;
    }
  }
}

}  // namespace cuprum::cpu
