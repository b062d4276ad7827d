#include "backend/cpu/reduce_task.h"

#include <algorithm>
#include <cstring>

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kMaxIndexRows = kLaneRows * kWide;  // rows of the largest narrow block

/// Position in the logical order of the reduced dimensions of the element at `flat`.
std::int64_t logical_position(const Kernel& kernel, const Reduction& reduction, std::int64_t flat) {
  std::int64_t coords[kMaxDims];
  decompose(kernel.shape, flat, coords);
  std::int64_t position = 0;
  for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
    if (kernel.reduced >> d & 1) position += coords[d] * reduction.arg_weights[d];
  }
  return position;
}

}  // namespace

ReduceTask::Memory::Memory(const ReduceWork& work, Arena& arena) : reducers(work.reducers.size()) {
  const ReducePlan& plan = work.plan;
  const std::int64_t results = work.max_lines * work.max_cols;
  for (std::size_t i = 0; i < reducers.size(); ++i) {
    const ReduceLoops& loops = work.reducers[i].loops;
    PerReducer& r = reducers[i];
    r.results = arena.states(loops, results, loops.planes);
    if (work.reducers[i].fold) continue;
    const std::int64_t lanes = plan.one_block() ? work.batch * plan.cols : work.max_cols;
    if (plan.narrow && !plan.one_block()) {
      r.blocks = arena.states(loops, kUnitBlocks * plan.cols, loops.planes);
      r.partial = Cascade(loops, plan.cols, kUnitBlocks, arena);
    }
    if (!plan.narrow && loops.end_wide) r.wide = arena.states(loops, lanes, loops.wide_planes);
    if (!plan.one_block()) r.units = Cascade(loops, lanes, plan.units, arena);
    if (plan.outer_reduced > 1) r.outer = Cascade(loops, lanes, plan.outer_reduced, arena);
  }
  buffer = arena.take(2 * 16 * results);
  index = reinterpret_cast<std::int64_t*>(
      arena.take(kMaxIndexRows * static_cast<std::int64_t>(sizeof(std::int64_t))));
}

std::size_t ReduceTask::scratch_bytes(const ReduceWork& work) {
  Arena measure(nullptr);
  Memory memory(work, measure);
  return work.program.scratch_bytes() + static_cast<std::size_t>(measure.used()) + 64;
}

ReduceTask::ReduceTask(const ReduceWork& work, std::byte* scratch)
    : work_(work),
      plan_(work.plan),
      context_(work.program, scratch),
      arena_(scratch + (work.program.scratch_bytes() + 63) / 64 * 64),
      memory_(work, arena_) {}

RowPositions row_positions(const ReduceWork& work, const Reducer& reducer, std::int64_t flat,
                           std::int64_t rows, std::int64_t* index) {
  RowPositions p;
  p.base = logical_position(*work.kernel, *reducer.reduction, flat);
  p.step = reducer.step;
  if (reducer.step == 0) {
    for (std::int64_t r = 0; r < rows; ++r) {
      index[r] = logical_position(*work.kernel, *reducer.reduction, flat + r * work.plan.cols);
    }
    p.index = index;
  }
  return p;
}

RowPositions ReduceTask::positions(const Reducer& reducer, std::int64_t flat, std::int64_t rows) {
  if (!reducer.wants_positions) return {};
  return row_positions(work_, reducer, flat, rows, memory_.index);
}

std::int64_t ReduceTask::run(const ResultRange& range, const ReducedRange& part) {
  if (plan_.one_block()) {
    fold_small_pieces(range, part);
    return plan_.rows * (part.last - part.first);
  }
  std::int64_t count = 0;
  for (std::int64_t line = range.line; line < range.line + range.lines; ++line) {
    count = fold_line(range, part, line);
  }
  return count;
}

/// Rows in strict order, for operations that may not be regrouped: results[result + c] = fold(..., row[c]).
void ReduceTask::fold_in_order(std::size_t i, std::int64_t result, std::int64_t rows, std::int64_t cols,
                               bool first, std::int64_t skip) {
  const Reducer& reducer = work_.reducers[i];
  const std::byte* src = context_.slot(work_.program.operands[i]) + skip * reducer.itemsize;
  std::byte* to = results(i).data + result * reducer.itemsize;
  for (std::int64_t r = 0; r < rows; ++r, src += cols * reducer.itemsize) {
    if (first && r == 0) {
      std::memcpy(to, src, static_cast<std::size_t>(cols * reducer.itemsize));
    } else {
      reducer.fold(cols, to, to, src, nullptr);
    }
  }
}

/// Pieces that are one narrow block each: many are evaluated and folded by one call.
void ReduceTask::fold_small_pieces(const ResultRange& range, const ReducedRange& part) {
  const bool several = part.last - part.first > 1;
  for (std::int64_t at = 0; at < range.lines; at += work_.batch) {
    const std::int64_t pieces = std::min(work_.batch, range.lines - at);
    const std::int64_t n = pieces * plan_.cols, result = at * plan_.cols;
    for (auto& memory : memory_.reducers) memory.outer.reset(n);
    for (std::int64_t q = part.first; q < part.last; ++q) {
      const std::int64_t flat = plan_.offset(range.outer, q) + (range.line + at) * plan_.piece_size();
      context_.range(flat, pieces * plan_.piece_size());
      for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
        const Reducer& reducer = work_.reducers[i];
        if (reducer.fold) {
          for (std::int64_t p = 0; p < pieces; ++p) {
            fold_in_order(i, result + p * plan_.cols, plan_.rows, plan_.cols, q == part.first,
                          p * plan_.piece_size());
          }
          continue;
        }
        auto& memory = memory_.reducers[i];
        const States to = several ? memory.outer.next() : cpu::at(memory.results, result);
        reducer.loops.narrow({pieces, plan_.rows, plan_.cols, plan_.groups,
                              context_.slot(work_.program.operands[i]), to,
                              positions(reducer, flat, plan_.rows), 0});
        if (several) memory.outer.push(plan_.rows);
      }
    }
    if (!several) continue;
    for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
      if (work_.reducers[i].fold) continue;
      auto& memory = memory_.reducers[i];
      std::int64_t count = 0;
      copy_states(work_.reducers[i].loops, n, cpu::at(memory.results, result), memory.outer.collapse(count));
    }
  }
}

std::int64_t ReduceTask::fold_line(const ResultRange& range, const ReducedRange& part, std::int64_t line) {
  const std::int64_t result = (line - range.line) * range.cols;
  const bool several = part.last - part.first > 1;
  std::int64_t count = 0;
  for (auto& memory : memory_.reducers) memory.outer.reset(range.cols);
  for (std::int64_t q = part.first; q < part.last; ++q) {
    const std::int64_t piece = plan_.offset(range.outer, q) + line * plan_.piece_size();
    for (auto& memory : memory_.reducers) memory.units.reset(range.cols);
    for (std::int64_t unit = part.first_unit; unit < part.last_unit; ++unit) {
      const bool first = q == part.first && unit == part.first_unit;
      if (plan_.narrow) {
        narrow_unit(piece, unit, result, first);
      } else {
        wide_unit(range, piece, unit, result, first);
      }
    }
    for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
      if (work_.reducers[i].fold) continue;
      auto& memory = memory_.reducers[i];
      const States done = memory.units.collapse(count);
      if (several) {
        memory.outer.push(done, count);
      } else {
        copy_states(work_.reducers[i].loops, range.cols, cpu::at(memory.results, result), done);
      }
    }
  }
  if (!several) return count;
  for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
    if (work_.reducers[i].fold) continue;
    auto& memory = memory_.reducers[i];
    const States done = memory.outer.collapse(count);
    copy_states(work_.reducers[i].loops, range.cols, cpu::at(memory.results, result), done);
  }
  return count;
}

void ReduceTask::narrow_unit(std::int64_t piece, std::int64_t unit, std::int64_t result, bool first) {
  const std::int64_t begin = unit * plan_.unit_rows;
  const std::int64_t rows = std::min(plan_.unit_rows, plan_.rows - begin);
  std::int64_t blocks = std::max<std::int64_t>(1, work_.program.block / (plan_.block_rows * plan_.cols));
  for (const Reducer& reducer : work_.reducers) {
    if (reducer.wants_positions && reducer.step == 0) blocks = 1;  // as many positions as fit
  }
  const std::int64_t step = blocks * plan_.block_rows;
  for (std::int64_t r = 0; r < rows; r += step) {
    narrow_blocks(piece + (begin + r) * plan_.cols, std::min(step, rows - r), r / plan_.block_rows, result,
                  first && r == 0);
  }
  for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
    if (!work_.reducers[i].fold) merge_blocks(i, rows);
  }
}

/// Evaluates `rows` rows from `flat` on, and folds their blocks to blocks[block], blocks[block + 1], ...
void ReduceTask::narrow_blocks(std::int64_t flat, std::int64_t rows, std::int64_t block, std::int64_t result,
                               bool first) {
  context_.range(flat, rows * plan_.cols);
  const std::int64_t full = rows / plan_.block_rows, rest = rows % plan_.block_rows;
  for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
    const Reducer& reducer = work_.reducers[i];
    if (reducer.fold) {
      fold_in_order(i, result, rows, plan_.cols, first);
      continue;
    }
    const std::byte* src = context_.slot(work_.program.operands[i]);
    const States& to = memory_.reducers[i].blocks;
    RowPositions where = positions(reducer, flat, rows);
    const std::int64_t skip = plan_.block_rows * reducer.step;
    if (full != 0) {
      reducer.loops.narrow({full, plan_.block_rows, plan_.cols, plan_.groups, src,
                            cpu::at(to, block * plan_.cols), where, skip});
    }
    if (rest != 0) {
      where.base += full * skip;
      src += full * plan_.block_rows * plan_.cols * reducer.itemsize;
      reducer.loops.narrow(
          {1, rest, plan_.cols, plan_.groups, src, cpu::at(to, (block + full) * plan_.cols), where, 0});
    }
  }
}

/// The blocks of a unit become one entry of the cascade of units.
void ReduceTask::merge_blocks(std::size_t i, std::int64_t rows) {
  auto& memory = memory_.reducers[i];
  const ReduceLoops& loops = work_.reducers[i].loops;
  if (rows == plan_.unit_rows) {
    std::int64_t count = plan_.block_rows;
    for (std::int64_t half = kUnitBlocks / 2; half > 0; half /= 2, count *= 2) {
      const std::int64_t n = half * plan_.cols;
      loops.merge(n, memory.blocks, count, cpu::at(memory.blocks, n), count);
    }
    memory.units.push(memory.blocks, rows);
    return;
  }
  memory.partial.reset(plan_.cols);
  for (std::int64_t r = 0, b = 0; r < rows; r += plan_.block_rows, ++b) {
    memory.partial.push(cpu::at(memory.blocks, b * plan_.cols), std::min(plan_.block_rows, rows - r));
  }
  std::int64_t count = 0;
  const States done = memory.partial.collapse(count);
  memory.units.push(done, count);
}

void ReduceTask::wide_unit(const ResultRange& range, std::int64_t piece, std::int64_t unit,
                           std::int64_t result, bool first) {
  const std::int64_t begin = unit * plan_.unit_rows;
  const std::int64_t rows = std::min(plan_.unit_rows, plan_.rows - begin);
  for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
    if (work_.reducers[i].wants_positions) rank_rows(i, piece + begin * plan_.cols, rows);
  }
  const bool whole_rows = range.cols == plan_.cols && plan_.cols <= work_.program.block;
  if (whole_rows) {
    const std::int64_t step = work_.program.block / plan_.cols;
    for (std::int64_t r = 0; r < rows; r += step) {
      wide_rows(piece + (begin + r) * plan_.cols, std::min(step, rows - r), plan_.cols, 0, r, result,
                first && r == 0);
    }
  } else {
    const std::int64_t parts = (range.cols + work_.program.block - 1) / work_.program.block;
    const std::int64_t part = (range.cols + parts - 1) / parts;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < range.cols; c += part) {
        wide_rows(piece + (begin + r) * plan_.cols + range.col + c, 1, std::min(part, range.cols - c), c, r,
                  result + c, first && r == 0);
      }
    }
  }
  for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
    if (work_.reducers[i].fold) continue;
    auto& memory = memory_.reducers[i];
    const ReduceLoops& loops = work_.reducers[i].loops;
    if (loops.end_wide) loops.end_wide(range.cols, memory.wide, rows, memory.positions, memory.units.next());
    memory.units.push(rows);
  }
}

void ReduceTask::rank_rows(std::size_t i, std::int64_t flat, std::int64_t rows) {
  auto& memory = memory_.reducers[i];
  std::int64_t positions[kWideRows];
  for (std::int64_t r = 0; r < rows; ++r) {
    positions[r] = logical_position(*work_.kernel, *work_.reducers[i].reduction, flat + r * plan_.cols);
  }
  std::copy(positions, positions + rows, memory.positions);
  std::sort(memory.positions, memory.positions + rows);
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto* place = std::lower_bound(memory.positions, memory.positions + rows, positions[r]);
    memory.ranks[r] = static_cast<unsigned char>(place - memory.positions);
  }
}

/// Evaluates `rows` x `cols` elements from `flat` on, which is in row `row` of the wide block, and folds them into
/// columns [at_col, at_col + cols).
void ReduceTask::wide_rows(std::int64_t flat, std::int64_t rows, std::int64_t cols, std::int64_t at_col,
                           std::int64_t row, std::int64_t result, bool first) {
  context_.range(flat, rows * cols);
  for (std::size_t i = 0; i < work_.reducers.size(); ++i) {
    const Reducer& reducer = work_.reducers[i];
    if (reducer.fold) {
      fold_in_order(i, result, rows, cols, first);
      continue;
    }
    auto& memory = memory_.reducers[i];
    const States to = reducer.loops.end_wide ? memory.wide : memory.units.next();
    reducer.loops.wide({rows, cols, context_.slot(work_.program.operands[i]), cols * reducer.itemsize,
                        row == 0, cpu::at(to, at_col), memory.ranks + row});
  }
}

}  // namespace cuprum::cpu
