// Chains over draws in memory: a round's are made first, by all threads, and looked at by the walkers of
// try_walk.cuh and place_walk.cuh as often as they like.
#pragma once

#include "backend/cuda/primitives/random/chain.cuh"
#include "backend/cuda/primitives/random/draws.cuh"

namespace cuprum::cuda::primitives {

/// What these walkers have in common: they need no shared memory.
struct StoredDraws : UnitsInMemory<kernels::uint64> {
  static constexpr int kWarps = 8, kAlign = 1;
  static constexpr int kMends =
      3;  // numbers of two gammas: chains of one segment in three hundred do not meet
  template <bool>
  struct Shared {};
  template <class S>
  __device__ void prepare(S&) const {}
};

/// Draws of a round, to memory.
struct ToMemory {
  const Progress* progress;
  std::int64_t n, count;  // numbers, draws
  std::uint64_t* to;
  std::int64_t draw = 0, group = 0;

  template <class G>
  __device__ std::int64_t begin(const StateSource&) {
    if (progress->numbers >= n) return 0;
    draw = progress->units;
    group = draw / G::kGroup;
    return (draw + count + G::kGroup - 1) / G::kGroup - group;
  }
  __device__ std::int64_t first_group() const { return group; }
  template <class G>
  __device__ void take(std::int64_t g, const std::uint64_t (&d)[G::kGroup]) const {
    const std::int64_t i = g * G::kGroup - draw;
    if (i >= 0 && i + G::kGroup <= count) return store_row(to + i, d);
#pragma unroll
    for (int k = 0; k < G::kGroup; ++k) {
      if (i + k >= 0 && i + k < count) to[i + k] = d[k];
    }
  }
};

/// Numbers of which each takes `units` draws, on average. `Walker` is made of StoredDraws.
template <class Walker, class Law>
void draw_stored(Context& context, const DrawJob& job, const Law& law, double units) {
  const ChainSizes sizes(job.n, units, 1, ChainSizes::kInMemory);
  const Scratch memory(context, sizes.bytes());
  auto* const draws = reinterpret_cast<std::uint64_t*>(memory.get() + sizes.draws_at());
  const Walker walker = {{{draws, static_cast<std::int32_t>(sizes.units())}}};
  run_rounds(context, job, sizes, law, walker, memory.get(), [&](const Progress* progress) {
    launch_draws(context, job.kind, job.state, sizes.draws(),
                 ToMemory{progress, job.n, sizes.draws(), draws});
  });
}

}  // namespace cuprum::cuda::primitives
