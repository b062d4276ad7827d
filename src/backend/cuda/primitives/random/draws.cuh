// Draws of a generator, many at a time, each handed to whoever uses it: laws that take one draw, or half of
// one, for each number make their numbers of it at once; for the others it goes to memory first (chain.cuh).
//
// A block makes the draws of a stretch of the layout: thread t the groups t, t + 256, ..., so that what a
// warp makes together lies together. A thread enters the stream once.
#pragma once

#include <algorithm>

#include "backend/cuda/primitives/random/chain_work.h"
#include "backend/cuda/primitives/random/generators.cuh"

#if defined(__CUDACC__)  // else the kernels run on the host, in tests
#include "backend/cuda/primitives/common/views.h"
#endif

namespace cuprum::cuda::primitives {

inline constexpr int kDrawThreadsLog = 8, kDrawThreads = 1 << kDrawThreadsLog;

/// `Use` has: begin<G>(state), how many groups it takes; first_group(), from which on; take<G>(group, draws).
template <class G, class Use>
__global__ void __launch_bounds__(kDrawThreads) make_draws(const StateSource state, Use use, int each) {
  const std::int64_t count = use.template begin<G>(state);
  const std::int64_t first = std::int64_t{blockIdx.x} * kDrawThreads * each + threadIdx.x;
  if (first >= count) return;
  Layout<G> layout(state);
  std::int64_t group = use.first_group() + first;
  layout.generator.skip(static_cast<std::uint64_t>(group));
  const auto stride = layout.generator.stride(kDrawThreadsLog);
  const std::int64_t end = use.first_group() + count;
#pragma unroll 2
  for (int k = 0; k < each && group < end; ++k, group += kDrawThreads) {
    std::uint64_t d[G::kGroup];
    layout.draws(group, d);
    use.template take<G>(group, d);
    layout.generator.skip(stride);
  }
}

#if defined(__CUDACC__)
/// `draws`: as many as there may be.
template <class Use>
void launch_draws(Context& context, BitKind kind, const StateSource& state, std::int64_t draws,
                  const Use& use) {
  with_generator(kind, [&]<class G>() {
    const std::int64_t groups =
        ceil_div(draws, std::int64_t{G::kGroup}) + 2;  // the first and the last are parts
    const std::int64_t threads = std::int64_t{context.multiprocessors} * context.threads_per_multiprocessor;
    const int each = static_cast<int>(std::clamp<std::int64_t>(groups / threads, 1, G::kRun));
    make_draws<G>
        <<<block_count(groups, std::int64_t{kDrawThreads} * each), kDrawThreads, 0, context.stream>>>(
            state, use, each);
  });
  launched(context, "random");
}
#endif

/// Numbers that lie in a row, by words as wide as their place allows.
template <int kCount, class T>
__device__ void store_row(T* at, const T (&numbers)[kCount]) {
  constexpr int kBytes = kCount * static_cast<int>(sizeof(T)), kWord = kBytes < 16 ? kBytes : 16;
  if constexpr (kWord >= 8 && kBytes % kWord == 0) {
    using Word = std::conditional_t<kWord == 16, uint4, uint2>;
    if (reinterpret_cast<std::uintptr_t>(at) % kWord == 0) {
      Word words[kBytes / kWord];
      memcpy(words, numbers, kBytes);
#pragma unroll
      for (int k = 0; k < kBytes / kWord; ++k) reinterpret_cast<Word*>(at)[k] = words[k];
      return;
    }
  }
#pragma unroll
  for (int k = 0; k < kCount; ++k) at[k] = numbers[k];
}

/// The groups of n units from the next one on, of which a draw has kUnits.
template <int kUnits>
class UnitRange {
 public:
  static constexpr int kPerDraw = kUnits;

  explicit UnitRange(std::int64_t n) : n_(n) {}

  template <class G>
  __device__ std::int64_t begin(const StateSource& state) {
    constexpr int per_group = kPerDraw * G::kGroup;
    unit_ = first_unit<G>(state, kPerDraw);
    group_ = unit_ / per_group;
    return (unit_ + n_ + per_group - 1) / per_group - group_;
  }
  __device__ std::int64_t first_group() const { return group_; }

 protected:
  /// Which number the first unit of a draw is; it may be none.
  __device__ std::int64_t number_at(std::int64_t draw) const { return draw * kPerDraw - unit_; }
  __device__ bool has(std::int64_t i) const { return i >= 0 && i < n_; }

 private:
  std::int64_t n_, unit_ = 0, group_ = 0;
};

/// One number for each unit of U: out[i] = number(unit i from the next one on).
template <class U, class T, class Number>
class EachUnit : public UnitRange<8 / sizeof(U)> {
 public:
  EachUnit(T* out, std::int64_t n, const Number& number) : Range(n), out_(out), number_(number) {}

  template <class G>
  __device__ void take(std::int64_t group, const std::uint64_t (&d)[G::kGroup]) const {
    constexpr int count = Range::kPerDraw * G::kGroup;
    T numbers[count];
#pragma unroll
    for (int k = 0; k < count; ++k)
      numbers[k] = number_(static_cast<U>(d[k / Range::kPerDraw] >> (k % Range::kPerDraw * 8 * sizeof(U))));
    const std::int64_t i = this->number_at(group * G::kGroup);
    if (this->has(i) && this->has(i + count - 1)) return store_row(out_ + i, numbers);
#pragma unroll
    for (int k = 0; k < count; ++k) {
      if (this->has(i + k)) out_[i + k] = numbers[k];
    }
  }

 private:
  using Range = UnitRange<8 / sizeof(U)>;
  T* out_;
  Number number_;
};

/// The state behind n units of laws that take one for each number.
template <class G>
__global__ void leave_behind(const StateSource state, std::int64_t n, int per_draw, std::uint64_t* words) {
  leave_state<G>(state, first_unit<G>(state, per_draw) + n, per_draw, words);
}

#if defined(__CUDACC__)
/// n numbers, each from a unit, and the state behind them.
template <class Use>
void draw_units(Context& context, const DrawJob& job, const Use& use) {
  launch_draws(context, job.kind, job.state, ceil_div(job.n, std::int64_t{Use::kPerDraw}), use);
  if (!job.words) return;
  with_generator(job.kind, [&]<class G>() {
    leave_behind<G><<<1, 1, 0, context.stream>>>(job.state, job.n, Use::kPerDraw, job.words);
  });
  launched(context, "random");
}
#endif

}  // namespace cuprum::cuda::primitives
