#include "backend/cpu/gathered_leaf.h"

#include <algorithm>
#include <cstring>

#include "backend/cpu/copies.h"
#include "backend/cpu/simd/indices.h"
#include "backend/cpu/words.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kBlock = 2048;    // offsets kept at once: 16 KB
constexpr std::int64_t kFetched = 1024;  // bytes of a row
constexpr std::int64_t kShortRow = 16;   // elements that are sooner moved one by one than by a call

std::int64_t offset_of(const std::int64_t* strides, const std::int64_t* coords, std::size_t dims) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < dims; ++d) offset += coords[d] * strides[d];
  return offset;
}

std::int64_t stride_of(const std::int64_t* strides, int d) { return d < 0 ? 0 : strides[d]; }

void find_offsets(const GatherSource& from, const std::byte* index, std::int64_t index_step, std::int64_t n,
                  std::int64_t* offsets) {
  std::fill(offsets, offsets + n, 0);
  CUPRUM_CALL_LEVEL(add_offsets(n, index, index_step, from.extent, from.step, offsets));
}

template <class T>
void move_line(std::int64_t n, std::byte* to, const std::byte* table, const std::int64_t* offsets,
               std::int64_t step) {
  if (step == 0) {
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * sizeof(T), table + offsets[i], sizeof(T));
  } else {
    for (std::int64_t i = 0; i < n; ++i)
      std::memcpy(to + i * sizeof(T), table + i * step + offsets[i], sizeof(T));
  }
}

/// Whole rows, each named by an index: `offsets` are theirs.
template <class T>
void move_rows(std::int64_t rows, std::int64_t cols, std::byte* to, const std::byte* table, std::int64_t row,
               std::int64_t col, const std::int64_t* offsets) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  for (std::int64_t r = 0; r < rows; ++r, to += cols * size) {
    const std::byte* from = table + r * row + offsets[r];
    if (cols > kShortRow && col == size) {
      std::memcpy(to, from, static_cast<std::size_t>(cols * size));
    } else if (cols > kShortRow) {
      copies().tile(sizeof(T), {1, cols, to, 0, size, from, 0, col});
    } else {
      for (std::int64_t c = 0; c < cols; ++c) std::memcpy(to + c * size, from + c * col, sizeof(T));
    }
  }
}

}  // namespace

GatherSource GatherSource::at(const std::int64_t* coords, std::size_t dims) const {
  return moved(offset_of(table_strides, coords, dims), offset_of(index_strides, coords, dims));
}

void GatherSource::tile(int row, std::int64_t rows, int col, std::int64_t cols, std::byte* to) const {
  const GatherSource& from = *this;
  const std::int64_t table_row = stride_of(table_strides, row), table_col = stride_of(table_strides, col),
                     index_row = stride_of(index_strides, row), index_col = stride_of(index_strides, col);
  std::int64_t offsets[kBlock];
  with_word(static_cast<std::size_t>(from.itemsize), [&](auto word) {
    using T = decltype(word);
    if (index_col == 0) {
      for (std::int64_t r = 0; r < rows; r += kBlock) {
        const std::int64_t n = std::min(kBlock, rows - r);
        find_offsets(from, from.index + r * index_row, index_row, n, offsets);
        move_rows<T>(n, cols, to + r * cols * sizeof(T), from.table + r * table_row, table_row, table_col,
                     offsets);
      }
      return;
    }
    for (std::int64_t c = 0; c < cols; c += kBlock) {
      const std::int64_t n = std::min(kBlock, cols - c);
      for (std::int64_t r = 0; r < rows; ++r) {
        if (r == 0 || index_row != 0)
          find_offsets(from, from.index + r * index_row + c * index_col, index_col, n, offsets);
        move_line<T>(n, to + (r * cols + c) * sizeof(T), from.table + r * table_row + c * table_col, offsets,
                     table_col);
      }
    }
  });
}

const std::byte* row_in_place(const GatherSource& from, const std::int64_t* coords, std::size_t dims) {
  if (dims == 0 || from.index_strides[dims - 1] != 0 || from.table_strides[dims - 1] != from.itemsize)
    return nullptr;
  std::int64_t index;
  std::memcpy(&index, from.index + offset_of(from.index_strides, coords, dims), sizeof(index));
  return from.table + offset_of(from.table_strides, coords, dims) +
         (index < 0 ? index + from.extent : index) * from.step;
}

void prefetch_next_row(const GatherSource& from, const Dims& shape, const std::int64_t* coords) {
  const std::size_t dims = shape.size();
  if (dims < 2 || coords[dims - 2] + 1 >= shape[dims - 2]) return;
  std::int64_t next[kMaxDims];
  std::copy(coords, coords + dims, next);
  ++next[dims - 2];
  const std::byte* row = row_in_place(from, next, dims);
  const std::int64_t bytes = std::min(kFetched, shape[dims - 1] * from.itemsize);
  for (std::int64_t b = 0; row && b < bytes; b += 64) __builtin_prefetch(row + b);
}

}  // namespace cuprum::cpu
