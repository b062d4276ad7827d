// The loops of reductions: how the operand of a reduction, block by block, becomes states, and states a result.
//
// The operand of a block is `rows` x `cols` elements: rows are reduced, each column has a result of its own. The
// order in which a column is folded is fixed, whatever the instruction set, the threads and the fused prologue:
//   narrow (cols < kWide): the block is read as wide rows of groups * cols lanes, which are folded lane by lane; then the
//       groups are folded in halves (lane i with lane i + groups / 2 * cols, and so on) until cols lanes remain.
//       At cols == 1 this is 64 lanes (32 of 8-byte elements), at most 16 elements each.
//   wide (cols >= kWide): rows are folded one after the other, at most kWideRows of them.
// States of narrow blocks are merged in halves, kUnitBlocks at a time. These units, and wide blocks, are merged two by
// two like the digits of a binary counter (reduce_cascade.h). That is pairwise summation: the error of a sum
// grows with the logarithm of the number of elements, along any axis.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/dispatch.h"
#include "core/reduce_op.h"
#include "cuprum/dtype.h"
#include "kernels/reduce_blocks.h"

namespace cuprum {

inline constexpr std::int64_t kWide = 64;        // columns
inline constexpr std::int64_t kWideRows = 16;    // rows of a wide block
inline constexpr std::int64_t kLaneRows = 8;     // wide rows of a narrow block of 4-byte elements
inline constexpr std::int64_t kUnitBlocks = 16;  // narrow blocks that are merged in halves

inline constexpr std::int64_t kShortRows = 32;  // rows of narrow blocks of which many are folded at once

inline constexpr int kMaxPlanes = 3;

struct ReduceLoops {
  int planes = 0;                    // of the state
  int wide_planes = 0;               // while a wide block is being read
  int state_bytes[kMaxPlanes] = {};  // of one state in each plane
  bool exact = false;                // merging is associative and commutative to the last bit
  dtype result = dtype::bool_;       // what `finish` writes
  void (*narrow)(const NarrowBlocks& blocks) = nullptr;
  void (*wide)(const WideRows& rows) = nullptr;
  /// What a wide block has become after `rows` rows, made a state; `positions` of the rows by rank. Null: it is one.
  void (*end_wide)(std::int64_t n, const States& read, std::int64_t rows, const std::int64_t* positions,
                   const States& to) = nullptr;
  /// to = merge(to, from), where `to` stands for to_count elements each and comes first.
  void (*merge)(std::int64_t n, const States& to, std::int64_t to_count, const States& from,
                std::int64_t from_count) = nullptr;
  /// Results of `count` elements each, contiguous, of dtype `result`.
  void (*finish)(std::int64_t n, const States& states, std::int64_t count, double ddof, void* to) = nullptr;
};

/// Loops per dtype of the operand (half floats are widened before: their rows are empty).
struct ReduceTable {
  static constexpr int kOps = static_cast<int>(ReduceOp::generic);
  ReduceLoops loops[kOps][kDTypeCount];
};

CUPRUM_DECLARE_FOR_LEVELS(const ReduceTable& reduce_table())

inline const ReduceTable& reduce_loops() { return CUPRUM_CALL_LEVEL(reduce_table()); }

}  // namespace cuprum
