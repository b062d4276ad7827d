#include "backend/cpu/row_program.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "backend/cpu/evaluator.h"
#include "backend/cpu/reduce.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/threads.h"
#include "core/integers.h"
#include "runtime/stages.h"

namespace cuprum::cpu {

namespace {

// What a thread has of the second-level cache, and what all have of the third.
constexpr std::int64_t kNear = 256 << 10;
constexpr std::int64_t kFar = 8 << 20;
constexpr std::int64_t kSlicesPerThread = 4;

// An element value crosses a stage through memory unless computing it again costs no more than this (split): near memory costs
// as much as two additions, far memory as four, the machine's as two transcendental functions.
constexpr std::uint32_t kNearCost = 2, kFarCost = 4, kMemoryCost = 16;

template <class F>
void each_place(Kernel& kernel, F&& f) {
  for (Leaf& leaf : kernel.leaves) f(leaf.data, leaf.strides);
  for (Gathered& g : kernel.gathers) f(g.index.data, g.strides);
  for (Store& store : kernel.stores) f(store.data, store.strides);
  for (Reduction& reduction : kernel.reductions) {
    if (reduction.data) f(reduction.data, reduction.strides);
  }
}

/// Goes on by `rows` indices of the first dimension.
void move(Kernel& kernel, std::int64_t rows) {
  each_place(kernel, [&](Place& data, const Dims& strides) { data += rows * strides[0]; });
}

/// The first dimension at one index.
Kernel at_index(Kernel kernel, std::int64_t index) {
  move(kernel, index);
  kernel.shape.erase(0);
  for (Leaf& leaf : kernel.leaves) leaf.strides.erase(0);
  for (Gathered& g : kernel.gathers) g.strides.erase(0);
  for (Store& store : kernel.stores) store.strides.erase(0);
  for (Reduction& reduction : kernel.reductions) {
    reduction.strides.erase(0);
    reduction.arg_weights.erase(0);
  }
  kernel.reduced >>= 1;
  kernel.merged >>= 1;
  return kernel;
}

/// Bytes that one index of the first dimension reads and writes, and what may cross between its stages.
std::int64_t bytes_of_row(const Kernel& kernel) {
  std::int64_t elements = 1, item = 0, widest = 1;
  for (std::size_t d = 1; d < kernel.shape.size(); ++d) elements *= kernel.shape[d];
  for (const Leaf& leaf : kernel.leaves) item += static_cast<std::int64_t>(itemsize(leaf.type));
  for (const Store& store : kernel.stores) item += static_cast<std::int64_t>(itemsize(store.type));
  for (const Instr& instr : kernel.code)
    widest = std::max(widest, static_cast<std::int64_t>(itemsize(instr.out)));
  return elements * (item + widest);
}

/// Of one element, in additions.
std::int64_t cost_of(const Kernel& kernel) {
  std::int64_t cost = static_cast<std::int64_t>(kernel.reductions.size());
  for (const Instr& instr : kernel.code) cost += info(instr.op).flags & kTranscendental ? 8 : 1;
  return cost;
}

/// The kernels of a split, with memory for what crosses.
class Stages {
 public:
  /// `slices`: how many of its size make the whole.
  Stages(Split split, std::int64_t slices) : split_(std::move(split)), slices_(slices) {
    const std::int64_t bytes = crossing_bytes(split_);
    if (bytes > kOwn) memory_.emplace(bytes);
    place();
  }
  Stages(const Stages&) = delete;  // kernels point into it

  void run() {
    for (std::size_t k = 0; k < split_.kernels.size(); ++k) {
      const Kernel& kernel = split_.kernels[k];
      if (kernel.reductions.empty()) {
        run_elementwise(kernel, is_read_later(k) ? 1 : slices_);
      } else {
        run_reductions(kernel);
      }
    }
  }

  /// Over `rows` indices of the first dimension, from `first` on.
  void run(std::int64_t first, std::int64_t rows) {
    for (Kernel& kernel : split_.kernels) {
      move(kernel, first - at_);
      kernel.shape[0] = rows;
    }
    at_ = first;
    place();
    run();
  }

 private:
  static std::size_t aligned(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  static std::int64_t crossing_bytes(const Split& split) {
    std::size_t bytes = 64;
    for (const Crossing& crossing : split.crossings) bytes += aligned(crossing.bytes);
    return static_cast<std::int64_t>(bytes);
  }

  /// What crosses stays where it is, whichever rows it is of.
  void place() {
    std::byte* next = memory_ ? memory_->data() : own_;
    for (std::size_t i = 0; i < split_.crossings.size(); ++i) {
      split_.place(i, next);
      next += aligned(split_.crossings[i].bytes);
    }
  }

  bool is_read_later(std::size_t k) const {
    for (const Store& store : split_.kernels[k].stores) {
      for (std::size_t later = k + 1; later < split_.kernels.size(); ++later) {
        for (const Leaf& leaf : split_.kernels[later].leaves) {
          if (leaf.data == store.data) return true;
        }
      }
    }
    return false;
  }

  static constexpr std::int64_t kOwn = 1024;  // enough for a small kernel, which then need not ask the pool
  alignas(64) std::byte own_[kOwn];
  std::optional<Scratch<std::byte>> memory_;
  Split split_;
  std::int64_t slices_, at_ = 0;
};

/// Slices of `rows` indices of the first dimension, which is kept. `shared`: each is a thread's.
void run_slices(const Kernel& kernel, std::int64_t rows, bool shared, std::uint32_t recompute) {
  const std::int64_t total = kernel.shape[0], slices = ceil_div(total, rows);
  if (slices == 1) return Stages(cuprum::split(kernel, recompute), 1).run();
  Kernel head = kernel;
  head.shape[0] = rows;
  const Split split = cuprum::split(head, recompute);
  const auto run = [&](std::int64_t first, std::int64_t last) {
    Stages stages(split, slices);
    for (std::int64_t s = first; s < last; ++s) stages.run(s * rows, std::min(rows, total - s * rows));
  };
  if (!shared) return run(0, slices);
  const std::int64_t chunks = std::min(slices, num_threads() * kSlicesPerThread);
  parallel_for(chunks, [&](std::int64_t c) { run(slices * c / chunks, slices * (c + 1) / chunks); });
}

}  // namespace

void run_stages(const Kernel& kernel) {
  const bool sliced = !kernel.shape.empty() && !(kernel.reduced & 1) && element_count(kernel.shape) != 0;
  if (!sliced) return Stages(split(kernel, kMemoryCost), 1).run();
  const std::int64_t bytes = bytes_of_row(kernel), total = kernel.shape[0];
  const bool further = kernel.shape.size() > 1 && !(kernel.reduced & 2);
  if (bytes > kNear && further) {
    for (std::int64_t i = 0; i < total; ++i) run_stages(at_index(kernel, i));
  } else if (bytes > kNear) {
    run_slices(kernel, std::clamp<std::int64_t>(kFar / bytes, 1, total), false, kFarCost);
  } else {
    const std::int64_t even = ceil_div(total, num_threads() * kSlicesPerThread);
    const bool parallel = num_threads() > 1 && element_count(kernel.shape) * cost_of(kernel) >= kParallelWork;
    run_slices(kernel, std::clamp<std::int64_t>(kNear / bytes, 1, parallel ? even : total), parallel,
               kNearCost);
  }
}

}  // namespace cuprum::cpu
