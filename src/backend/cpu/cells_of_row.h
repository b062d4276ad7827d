// The cells of a sorted row that many values are looked for in (simd/search.h), and the memory that they lie in.
#pragma once

#include <optional>

#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/search.h"

namespace cuprum::cpu {

class CellsOfRow {
 public:
  /// Gives the row cells, twice as many as it has elements: uniform edges are then alone in theirs. Making them takes
  /// as long as a few searches of each element, so there must be some.
  CellsOfRow(SortedRow& row, std::int64_t searches) {
    if (searches < 8 * row.n || row.n < 5 || row.n > kMost) return;
    before_.emplace(2 * row.n);
    row.cells = CUPRUM_CALL_LEVEL(make_cells(row, 2 * row.n, before_->data()));
  }

 private:
  static constexpr std::int64_t kMost = std::int64_t{1} << 29;
  std::optional<Scratch<std::int32_t>> before_;
};

}  // namespace cuprum::cpu
