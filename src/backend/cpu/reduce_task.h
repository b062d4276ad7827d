// One thread's part of a reduction: evaluates pieces (see reduce_plan.h), block by block, and folds them to states.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/evaluator.h"
#include "backend/cpu/reduce_cascade.h"
#include "backend/cpu/reduce_plan.h"

namespace cuprum::cpu {

/// One reduction of a kernel, with what was looked up for it.
struct Reducer {
  const Reduction* reduction;
  ReduceLoops loops;
  LoopFn fold;   // ReduceOp::generic: rows are folded in order by this loop, and `loops` has no functions
  int itemsize;  // of the operand
  bool wants_positions;  // argmin and the like
  std::int64_t step;     // between the positions of rows; 0: it varies
};

/// Results that are computed together: columns [col, col + cols) of lines [line, line + lines), for one index of the
/// outer kept groups. More than one line only with all columns.
struct ResultRange {
  std::int64_t outer, line, lines, col, cols;
  std::int64_t count() const { return lines * cols; }
};

/// What part of each result's elements: outer reduced indices [first, last), and units of each piece.
struct ReducedRange {
  std::int64_t first, last, first_unit, last_unit;
};

/// What is common to all threads.
struct ReduceWork {
  explicit ReduceWork(const Kernel& k) : kernel(&k), plan(k) {}

  const Kernel* kernel;
  Program program;
  ReducePlan plan;
  SmallVector<Reducer, 1> reducers;
  std::int64_t batch = 1;      // pieces of one block that are evaluated together
  std::int64_t max_lines = 1;  // of a ResultRange
  std::int64_t max_cols = 1;
};

/// Positions of `rows` rows from the element at `flat` on; `index` has room for them.
RowPositions row_positions(const ReduceWork& work, const Reducer& reducer, std::int64_t flat,
                           std::int64_t rows, std::int64_t* index);

class ReduceTask {
 public:
  /// Takes scratch_bytes(work) of memory.
  ReduceTask(const ReduceWork& work, std::byte* scratch);
  static std::size_t scratch_bytes(const ReduceWork& work);

  /// Folds a part of the elements of some results. Their states are then in results(i), for each reducer i.
  /// Returns how many elements each state stands for.
  std::int64_t run(const ResultRange& range, const ReducedRange& part);

  const States& results(std::size_t i) const { return memory_.reducers[i].results; }
  /// Room for two finished results of 16 bytes for every state of a range.
  std::byte* buffer() const { return memory_.buffer; }

 private:
  struct Memory {
    struct PerReducer {
      States results;
      States blocks;                      // narrow blocks of a unit, or a batch of pieces
      States wide;                        // a wide block while it is being read
      Cascade partial;                    // blocks of an incomplete unit
      Cascade units;                      // of a piece
      Cascade outer;                      // pieces of a result
      std::int64_t positions[kWideRows];  // of the rows of a wide block, in ascending order
      unsigned char ranks[kWideRows];     // places of the rows in that order
    };
    std::vector<PerReducer> reducers;
    std::byte* buffer = nullptr;
    std::int64_t* index = nullptr;
    Memory(const ReduceWork& work, Arena& arena);
  };

  void fold_small_pieces(const ResultRange& range, const ReducedRange& part);
  std::int64_t fold_line(const ResultRange& range, const ReducedRange& part, std::int64_t line);
  void narrow_unit(std::int64_t piece, std::int64_t unit, std::int64_t result, bool first);
  void narrow_blocks(std::int64_t flat, std::int64_t rows, std::int64_t block, std::int64_t result,
                     bool first);
  void merge_blocks(std::size_t i, std::int64_t rows);
  void wide_unit(const ResultRange& range, std::int64_t piece, std::int64_t unit, std::int64_t result,
                 bool first);
  void rank_rows(std::size_t i, std::int64_t flat, std::int64_t rows);
  void wide_rows(std::int64_t flat, std::int64_t rows, std::int64_t cols, std::int64_t at_col,
                 std::int64_t row, std::int64_t result, bool first);
  void fold_in_order(std::size_t i, std::int64_t result, std::int64_t rows, std::int64_t cols, bool first,
                     std::int64_t skip = 0);
  RowPositions positions(const Reducer& reducer, std::int64_t flat, std::int64_t rows);

  const ReduceWork& work_;
  const ReducePlan& plan_;
  Context context_;
  Arena arena_;
  Memory memory_;
};

}  // namespace cuprum::cpu
