#include "backend/cpu/drawn_leaf.h"

#include <algorithm>
#include <cstdlib>

#include "backend/cpu/copies.h"
#include "backend/cpu/random/placed.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kStaged = 4096;  // bytes that are drawn to be picked from

/// n numbers, `step` bytes apart in the call's array from byte `first` on, go `to_step` bytes apart.
void draw_line(const DrawSource& from, std::int64_t first, std::int64_t step, std::int64_t n, std::byte* to,
               std::int64_t to_step) {
  const std::int64_t size = from.itemsize;
  if (step == size && to_step == size) return from.law->draw(first / size, n, to);
  alignas(64) std::byte staged[kStaged];
  if (step == 0) {
    from.law->draw(first / size, 1, staged);
    return copies().tile(from.itemsize, {1, n, to, 0, to_step, staged, 0, 0});
  }
  const std::int64_t most = std::max<std::int64_t>(1, (kStaged - size) / std::abs(step) + 1);
  while (n > 0) {
    const std::int64_t count = std::min(n, most), way = (count - 1) * step,
                       low = std::min<std::int64_t>(0, way);
    from.law->draw((first + low) / size, std::abs(way) / size + 1, staged);
    copies().tile(from.itemsize, {1, count, to, 0, to_step, staged - low, 0, step});
    first += count * step;
    to += count * to_step;
    n -= count;
  }
}

}  // namespace

DrawSource DrawSource::at(const std::int64_t* coords, std::size_t dims) const {
  DrawSource there = *this;
  for (std::size_t d = 0; d < dims; ++d) there.first += coords[d] * strides[d];
  return there;
}

void DrawSource::tile(int row, std::int64_t rows, int col, std::int64_t cols, std::byte* to) const {
  const std::int64_t row_step = row < 0 ? 0 : strides[row], col_step = col < 0 ? 0 : strides[col];
  if (rows > 1 && col_step == itemsize && row_step == cols * itemsize)
    return draw_line(*this, first, itemsize, rows * cols, to, itemsize);
  // Along the dimension in which neighbours are closer.
  const bool along_rows = rows > 1 && (cols == 1 || std::abs(col_step) > std::abs(row_step)) && row_step != 0;
  if (along_rows) {
    for (std::int64_t c = 0; c < cols; ++c)
      draw_line(*this, first + c * col_step, row_step, rows, to + c * itemsize, cols * itemsize);
  } else {
    for (std::int64_t r = 0; r < rows; ++r)
      draw_line(*this, first + r * row_step, col_step, cols, to + r * cols * itemsize, itemsize);
  }
}

}  // namespace cuprum::cpu
