// Leaves of a kernel that are read through indices (Gathered in runtime/program.h). All indices are in bounds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dims.h"

namespace cuprum::cpu {

/// The table and the indices at the first of the elements that are meant, with the strides of the kernel.
struct GatherSource {
  const std::byte* table;
  const std::byte* index;
  const std::int64_t* table_strides;
  const std::int64_t* index_strides;
  std::int64_t extent, step;
  int itemsize;

  GatherSource moved(std::int64_t table_bytes, std::int64_t index_bytes) const {
    GatherSource there = *this;
    there.table += table_bytes;
    there.index += index_bytes;
    return there;
  }
  /// The same at other coordinates, as far as the first `dims` dimensions go.
  GatherSource at(const std::int64_t* coords, std::size_t dims) const;
  /// Elements [0, rows) along dimension `row` times [0, cols) along dimension `col`, to contiguous memory. A dimension -1 has one.
  void tile(int row, std::int64_t rows, int col, std::int64_t cols, std::byte* to) const;
};

/// Where the elements along the last dimension, from these coordinates on, lie contiguous: one index for all names a row. Null: they
/// do not.
const std::byte* row_in_place(const GatherSource& from, const std::int64_t* coords, std::size_t dims);

/// Fetches the beginning of the row behind that at these coordinates: nobody else knows which one it will be (the sums of 4000 rows
/// of 1000 float32 in any order: 0.84 ms, and 0.59 so).
void prefetch_next_row(const GatherSource& from, const Dims& shape, const std::int64_t* coords);

}  // namespace cuprum::cpu
