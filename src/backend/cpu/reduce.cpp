#include "backend/cpu/reduce.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <memory>
#include <string>

#include "backend/cpu/reduce_task.h"
#include "backend/cpu/threads.h"
#include "core/integers.h"
#include "core/user_op.h"
#include "cuprum/error.h"

namespace cuprum::cpu {

namespace {

// Columns whose states are held at once. Whole rows are best: mean(axis=0) of 4000 x 2500 float32 takes 1.4 ms with one
// strip and 3.5 ms with two (one thread).
constexpr std::int64_t kStrip = 4096;
constexpr std::int64_t kResults = 1024;  // results that are finished together
constexpr std::int64_t kTasksPerThread = 8;
// Short rows are folded many at a time (simd/reduce_short.h): a multiple of the side of the largest square that is turned.
constexpr std::int64_t kTogether = 16;

/// The distance between the positions of neighbouring rows, if all have the same, positive, one; else 0.
std::int64_t position_step(const Kernel& kernel, const Reduction& reduction, const ReducePlan& plan) {
  std::int64_t rows = 1, step = 0;
  for (std::size_t d = kernel.shape.size(); d-- > 0 && rows < plan.rows;) {
    if (!(kernel.reduced >> d & 1) || kernel.shape[d] == 1) continue;
    if (step == 0) {
      step = reduction.arg_weights[d];
    } else if (reduction.arg_weights[d] != step * rows) {
      return 0;
    }
    rows *= kernel.shape[d];
  }
  if (plan.rows == 1) return 1;
  return step > 0 ? step : 0;
}

/// The loops of a program's own fold.
ReduceLoops loops_of(const FoldLoops& fold, dtype type) {
  ReduceLoops loops;
  loops.planes = loops.wide_planes = 1;
  loops.state_bytes[0] = static_cast<int>(itemsize(type));
  loops.result = type;
  loops.narrow = fold.narrow;
  loops.wide = fold.wide;
  loops.merge = fold.merge;
  loops.finish = fold.finish;
  return loops;
}

Reducer make_reducer(const Kernel& kernel, const Reduction& reduction, const ReducePlan& plan) {
  Reducer r{};
  const dtype type = folded_type(reduction);
  r.reduction = &reduction;
  r.itemsize = static_cast<int>(itemsize(type));
  if (reduction.op == ReduceOp::generic) {
    r.fold = loops().loop[static_cast<int>(reduction.fold)][static_cast<int>(type)];
    r.loops.planes = 1;
    r.loops.state_bytes[0] = r.itemsize;
    r.loops.result = type;
  } else if (reduction.op == ReduceOp::user) {
    r.loops = loops_of(user_fold(reduction.fold), type);
  } else {
    r.loops = reduce_loops().loops[static_cast<int>(reduction.op)][static_cast<int>(type)];
  }
  if (!r.fold && !r.loops.narrow) {
    throw TypeError(std::string("cuprum: this reduction has no loop for ") + name(reduction.type));
  }
  r.wants_positions = is_arg(reduction.op);
  if (r.wants_positions) r.step = position_step(kernel, reduction, plan);
  return r;
}

/// Where the results of one reduction go, in the row-major order of the kept dimensions.
struct Output {
  Dims shape, strides;
  Access access;

  Output(const Kernel& kernel, const Reduction& reduction) {
    for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
      if (kernel.reduced >> d & 1) continue;
      shape.push_back(kernel.shape[d]);
      strides.push_back(reduction.strides[d]);
    }
    access = make_access(shape, reduction.data, strides, reduction.out);
  }
  Output(const Output&) = delete;  // the access refers to the strides beside it
};

class ReductionRun {
 public:
  explicit ReductionRun(const Kernel& kernel) : kernel_(kernel), work_(kernel), plan_(work_.plan) {
    for (const Reduction& reduction : kernel.reductions) {
      work_.reducers.push_back(make_reducer(kernel, reduction, plan_));
    }
  }

  void run() {
    if (plan_.kept_count() == 0) return;
    if (plan_.reduced_count() == 0) return write_identities();
    CompileOptions options;
    if (plan_.narrow) options.min_block = std::min(plan_.rows, plan_.block_rows) * plan_.cols;
    if (plan_.cols == 1 && plan_.rows <= kShortRows) options.min_block *= kTogether;
    compile(kernel_, options, work_.program);
    if (fits_one_block()) return run_one_block();
    choose_ranges();
    if (parts_ == 1) {
      run_whole();
    } else {
      run_in_parts();
    }
  }

 private:
  /// How results are grouped to tasks, and in how many parts the elements of a result are folded. Nothing of this
  /// changes a bit, so it may depend on the number of threads.
  void choose_ranges() {
    const std::int64_t threads = in_parallel() ? 1 : num_threads();
    const bool parallel = threads > 1 && work_.program.total * work_.program.cost >= kParallelWork;
    const std::int64_t wanted = parallel ? threads * kTasksPerThread : 1;
    work_.max_cols = plan_.cols;
    if (plan_.cols > kStrip)
      work_.max_cols = ceil_div(ceil_div(plan_.cols, ceil_div(plan_.cols, kStrip)), 16) * 16;
    strips_ = ceil_div(plan_.cols, work_.max_cols);
    work_.max_lines = std::clamp<std::int64_t>(kResults / work_.max_cols, 1, plan_.lines);
    if (strips_ > 1) work_.max_lines = 1;
    if (parallel) {
      const std::int64_t even = ceil_div(plan_.lines * plan_.outer_kept, wanted);
      work_.max_lines = std::max<std::int64_t>(1, std::min(work_.max_lines, even));
    }
    line_ranges_ = ceil_div(plan_.lines, work_.max_lines);
    ranges_ = plan_.outer_kept * line_ranges_ * strips_;
    if (plan_.one_block()) {
      work_.batch = std::clamp<std::int64_t>(work_.program.block / plan_.piece_size(), 1, work_.max_lines);
      if (work_.batch > kTogether) work_.batch -= work_.batch % kTogether;
    }
    if (ranges_ < wanted && !folds_in_order()) split_elements(ceil_div(wanted, ranges_));
    tasks_per_chunk_ =
        parallel ? std::max<std::int64_t>(1, ranges_ * parts_ / (2 * wanted)) : ranges_ * parts_;
  }

  bool fits_one_block() const {
    return plan_.one_block() && plan_.outer_reduced == 1 && work_.program.total <= work_.program.block &&
           !folds_in_order();
  }

  /// Small arrays: one call evaluates, one folds, one finishes.
  void run_one_block() {
    const std::int64_t n = plan_.kept_count();
    const std::size_t registers = (work_.program.scratch_bytes() + 63) / 64 * 64;
    // The planes of states and two finished results of up to 16 bytes each.
    std::byte* scratch =
        thread_scratch(registers + static_cast<std::size_t>((kMaxPlanes + 2) * 16 * n) + kMaxPlanes * 64);
    Context context(work_.program, scratch);
    context.range(0, work_.program.total);
    const States states{scratch + registers, (16 * n + 63) / 64 * 64, 0};
    std::byte* buffer = states.data + kMaxPlanes * states.stride;
    for (std::size_t r = 0; r < work_.reducers.size(); ++r) {
      const Reducer& reducer = work_.reducers[r];
      NarrowBlocks blocks{
          n / plan_.cols, plan_.rows, plan_.cols, plan_.groups, context.slot(work_.program.operands[r]),
          states,         {},         0};
      std::int64_t index[kLaneRows * kWide];
      if (reducer.wants_positions) blocks.positions = row_positions(work_, reducer, 0, plan_.rows, index);
      reducer.loops.narrow(blocks);
      const Output output(kernel_, *reducer.reduction);
      finish(r, output, {0, 0, n / plan_.cols, 0, plan_.cols}, states, buffer);
    }
  }

  bool folds_in_order() const {
    return std::any_of(work_.reducers.begin(), work_.reducers.end(), [](const Reducer& r) { return r.fold; });
  }

  /// Parts are of 2^k entries: subtrees of the cascade.
  void split_elements(std::int64_t wanted) {
    by_unit_ = plan_.outer_reduced == 1;
    const std::int64_t entries = by_unit_ ? plan_.units : plan_.outer_reduced;
    if (entries < 2) return;
    part_ = static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, entries / wanted))));
    parts_ = ceil_div(entries, part_);
  }

  ResultRange result_range(std::int64_t i) const {
    ResultRange r;
    r.col = i % strips_ * work_.max_cols;
    r.cols = std::min(work_.max_cols, plan_.cols - r.col);
    i /= strips_;
    r.line = i % line_ranges_ * work_.max_lines;
    r.lines = std::min(work_.max_lines, plan_.lines - r.line);
    r.outer = i / line_ranges_;
    return r;
  }

  ReducedRange reduced_range(std::int64_t part) const {
    ReducedRange r{0, plan_.outer_reduced, 0, plan_.units};
    if (parts_ == 1) return r;
    std::int64_t& first = by_unit_ ? r.first_unit : r.first;
    std::int64_t& last = by_unit_ ? r.last_unit : r.last;
    first = part * part_;
    last = std::min(first + part_, last);
    return r;
  }

  /// Runs body(task, i) for i in [0, tasks), on several threads.
  template <class Body>
  void each_task(std::int64_t tasks, const Body& body) {
    const std::size_t bytes = ReduceTask::scratch_bytes(work_);
    parallel_for(ceil_div(tasks, tasks_per_chunk_), [&](std::int64_t chunk) {
      ReduceTask task(work_, thread_scratch(bytes));
      const std::int64_t first = chunk * tasks_per_chunk_;
      for (std::int64_t i = first; i < std::min(first + tasks_per_chunk_, tasks); ++i) body(task, i);
    });
  }

  void run_whole() {
    const auto outputs = make_outputs();
    each_task(ranges_, [&](ReduceTask& task, std::int64_t i) {
      const ResultRange range = result_range(i);
      task.run(range, reduced_range(0));
      for (std::size_t r = 0; r < work_.reducers.size(); ++r) {
        finish(r, outputs[r], range, task.results(r), task.buffer());
      }
    });
  }

  void run_in_parts() {
    const auto outputs = make_outputs();
    const std::int64_t states = work_.max_lines * work_.max_cols;
    // One set of states per (range, part), then a cascade of parts per reducer.
    const auto place = [&](Arena& arena, std::vector<States>& partials, std::vector<Cascade>& cascades) {
      for (const Reducer& reducer : work_.reducers) {
        partials.push_back(arena.states(reducer.loops, states * ranges_ * parts_, reducer.loops.planes));
        cascades.emplace_back(reducer.loops, states, parts_, arena);
      }
      return arena.take(2 * 16 * states);
    };
    std::vector<States> partials;
    std::vector<Cascade> cascades;
    Arena measure(nullptr);
    place(measure, partials, cascades);
    partials.clear();
    cascades.clear();
    const std::unique_ptr<std::byte[]> memory(new std::byte[static_cast<std::size_t>(measure.used()) + 64]);
    const auto aligned = (reinterpret_cast<std::uintptr_t>(memory.get()) + 63) & ~std::uintptr_t{63};
    Arena arena(reinterpret_cast<std::byte*>(aligned));
    std::byte* buffer = place(arena, partials, cascades);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranges_ * parts_));
    each_task(ranges_ * parts_, [&](ReduceTask& task, std::int64_t i) {
      const ResultRange range = result_range(i / parts_);
      counts[static_cast<std::size_t>(i)] = task.run(range, reduced_range(i % parts_));
      for (std::size_t r = 0; r < work_.reducers.size(); ++r) {
        copy_states(work_.reducers[r].loops, range.count(), at(partials[r], i * states), task.results(r));
      }
    });
    for (std::int64_t i = 0; i < ranges_; ++i) {
      const ResultRange range = result_range(i);
      for (std::size_t r = 0; r < work_.reducers.size(); ++r) {
        Cascade& cascade = cascades[r];
        cascade.reset(range.count());
        for (std::int64_t part = i * parts_; part < (i + 1) * parts_; ++part) {
          cascade.push(at(partials[r], part * states), counts[static_cast<std::size_t>(part)]);
        }
        std::int64_t count = 0;
        const States done = cascade.collapse(count);
        finish(r, outputs[r], range, done, buffer);
      }
    }
  }

  std::deque<Output> make_outputs() const {
    std::deque<Output> outputs;
    for (const Reduction& reduction : kernel_.reductions) outputs.emplace_back(kernel_, reduction);
    return outputs;
  }

  /// Makes results of states and writes them where they belong. `buffer` has room for two results per state.
  void finish(std::size_t r, const Output& output, const ResultRange& range, const States& states,
              std::byte* buffer) const {
    const Reducer& reducer = work_.reducers[r];
    const Reduction& reduction = *reducer.reduction;
    const std::int64_t n = range.count();
    std::byte* values = buffer;
    if (reducer.fold) {
      values = states.data + states.first * reducer.itemsize;
    } else {
      reducer.loops.finish(n, states, plan_.reduced_count(), reduction.ddof, values);
    }
    if (reducer.loops.result != reduction.out) {
      std::byte* converted = buffer + 16 * n;
      loops().cast[static_cast<int>(reducer.loops.result)][static_cast<int>(reduction.out)](
          n, converted, values, nullptr, nullptr);
      values = converted;
    }
    const std::int64_t flat = (range.outer * plan_.lines + range.line) * plan_.cols + range.col;
    store_range(output.shape, output.access, flat, n, values);
  }

  void write_identities();

  const Kernel& kernel_;
  ReduceWork work_;
  const ReducePlan& plan_;
  std::int64_t strips_ = 1, line_ranges_ = 1, ranges_ = 1;  // ranges of results
  std::int64_t part_ = 0, parts_ = 1;                       // parts of their elements
  bool by_unit_ = false;                                    // parts are units of a piece, else outer indices
  std::int64_t tasks_per_chunk_ = 1;
};

void ReductionRun::write_identities() {
  const auto outputs = make_outputs();
  for (std::size_t r = 0; r < outputs.size(); ++r) {
    Scalar value = identity_value(kernel_.reductions[r]);
    for (std::int64_t i = 0; i < plan_.kept_count(); ++i)
      store_range(outputs[r].shape, outputs[r].access, i, 1, reinterpret_cast<std::byte*>(value.bytes));
  }
}

}  // namespace

void run_reductions(const Kernel& kernel) { ReductionRun(kernel).run(); }

}  // namespace cuprum::cpu
