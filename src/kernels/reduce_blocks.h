// What the loops of a reduction on the host are given, block by block (backend/cpu/reduce_loops.h says in which order they fold). The
// library's own loops and those that are compiled of a program's text (fold_blocks.h) take the same.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuprum {

/// States of many results, plane by plane: a sum has one plane (the sums), a variance has means, squares and shifts, an
/// argmax has values and positions. Plane p starts at data + p * stride; `first` is the index of the first state in each plane.
struct States {
  std::byte* data;
  std::int64_t stride;
  std::int64_t first;
};

/// Positions of the rows of narrow blocks: index[r] where given, else base + r * step with step > 0.
struct RowPositions {
  std::int64_t base = 0;
  std::int64_t step = 1;
  const std::int64_t* index = nullptr;
};

/// `pieces` narrow blocks that follow each other in memory. The state of column c of piece p has index p * cols + c.
struct NarrowBlocks {
  std::int64_t pieces, rows, cols, groups;
  const void* src;
  States to;
  RowPositions positions;   // of the first piece
  std::int64_t piece_step;  // added to the positions from one piece to the next
};

/// Rows of a wide block, in order. `first`: the block begins with them. `ranks` (for argmin and the like): the places
/// of the rows among those of the block, ordered by position.
struct WideRows {
  std::int64_t rows, cols;
  const void* src;
  std::int64_t row_stride;  // bytes
  bool first;
  States to;
  const unsigned char* ranks;
};

/// The loops of a fold of two values, whose state is the folded value: see ReduceLoops.
struct FoldLoops {
  void (*narrow)(const NarrowBlocks& blocks);
  void (*wide)(const WideRows& rows);
  void (*merge)(std::int64_t n, const States& to, std::int64_t to_count, const States& from,
                std::int64_t from_count);
  void (*finish)(std::int64_t n, const States& states, std::int64_t count, double ddof, void* to);
};

}  // namespace cuprum
