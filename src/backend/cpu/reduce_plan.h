// How a reduction's iteration space is cut. All that decides the order of additions is here, and depends on the extents
// of the kernel and on which dimensions are reduced, alone.
//
// Neighbouring dimensions that are both reduced, or both kept, are one *group*: how the engine had to split them for its
// operands does not matter. From the inside out the groups are
//     cols (kept), rows (reduced), lines (kept), then any number of outer groups in alternation;
// absent ones count as one group of extent 1. A *piece* is rows x cols elements, contiguous in the row-major order. Its
// rows are cut into *units*; see reduce_loops.h for what happens within one.
#pragma once

#include <cstdint>

#include "backend/cpu/reduce_loops.h"
#include "core/small_vector.h"
#include "runtime/program.h"

namespace cuprum::cpu {

struct ReducePlan {
  std::int64_t cols = 1, rows = 1, lines = 1;
  std::int64_t outer_kept = 1, outer_reduced = 1;  // elements of the outer groups of each kind

  bool narrow = true;           // fewer than kWide columns
  std::int64_t groups = 1;      // of a narrow block of 4-byte elements
  std::int64_t block_rows = 1;  // of a narrow or wide block
  std::int64_t unit_rows = 1;   // of a unit: kUnitBlocks narrow blocks, or one wide block
  std::int64_t units = 1;       // of a piece

  explicit ReducePlan(const Kernel& kernel);

  std::int64_t piece_size() const { return rows * cols; }
  std::int64_t reduced_count() const { return rows * outer_reduced; }
  std::int64_t kept_count() const { return cols * lines * outer_kept; }
  /// Does a piece consist of a single narrow block?
  bool one_block() const { return narrow && rows <= block_rows; }

  /// Flat index of the first element of line 0, for index `kept` and `reduced` of the outer groups.
  std::int64_t offset(std::int64_t kept, std::int64_t reduced) const;

 private:
  struct Group {
    std::int64_t extent;
    bool reduced;
  };
  SmallVector<Group, 6> outer_;  // from the inside out
};

}  // namespace cuprum::cpu
