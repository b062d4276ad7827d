// Leaves of a kernel that are made, not read where they lie: read through indices, or drawn. A block of them is made in a register,
// which stays in the first-level cache.
#pragma once

#include <variant>

#include "backend/cpu/drawn_leaf.h"
#include "backend/cpu/gathered_leaf.h"

namespace cuprum::cpu {

/// Each has at(coords, dims), itself at other coordinates, and tile(row, rows, col, cols, to).
using LeafSource = std::variant<GatherSource, DrawSource>;

/// The tile at these coordinates: elements [0, rows) along dimension `row` times [0, cols) along the last, to contiguous memory.
void make_tile(const LeafSource& from, const std::int64_t* start, std::size_t dims, int row,
               std::int64_t rows, std::int64_t cols, std::byte* to);

/// n elements in the row-major order of `shape` from `start` on.
void make_range(const LeafSource& from, const Dims& shape, const std::int64_t* start, std::int64_t n,
                std::byte* to);

inline int item_size(const LeafSource& from) {
  return std::visit([](const auto& source) { return source.itemsize; }, from);
}

}  // namespace cuprum::cpu
