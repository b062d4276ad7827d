// Many numbers of a law that takes as many units as it takes, as if one reader had drawn them one after the other.
//
// The units of a round lie in memory, cut into segments; a warp goes through a segment 32 places at a time. Most places are a number by
// themselves (`easy`). At each other place the lane draws the number that would begin there, and knows where the next one begins; then
// the chain is followed from place to place within the 32. Only where the chain enters a segment is not known beforehand. `count` supposes
// that it is the segment's first place, `mend` counts anew where the segment before says otherwise (two chains soon meet: of normal
// numbers one segment in eighty is counted again, and none twice), `sum` looks whether all agree, and does what is left in order.
// `write` draws the numbers once more and puts them in their place: 2 x 8 bytes are read for a number, instead of 8 that are
// written, read and written.
//
// How many units n numbers take is not known to the host either. It makes as many rounds as n numbers very probably need; `finish` reads
// on from the stream itself if that was too few, and leaves the state.
#pragma once

#include "backend/cuda/primitives/random/chain_work.h"
#include "backend/cuda/primitives/random/draws.cuh"
#include "backend/cuda/primitives/random/reader.cuh"

namespace cuprum::cuda::primitives {

/// Where a chain goes on: a place, or the end of what has been made, which the number at ~place runs over.
using ChainPlace = std::int32_t;
__device__ inline std::int64_t place_of(ChainPlace p) { return p < 0 ? ~p : p; }

template <class Law>
using UnitOf = typename Law::Unit;
template <class Law>
using NumberOf = typename Law::Number;

/// A round: units, segments, what is known of each.
template <class Law>
struct Round {
  Law law;
  random::Log1pForms forms;
  UnitsInMemory<UnitOf<Law>> units;  // the first one is that of draw progress->units / units of a draw
  std::int32_t segments;
  ChainPlace *entries, *nexts;  // where the chain enters, and where it goes on behind the segment
  std::int32_t* counts;         // numbers that begin there
  std::int64_t* before;         // numbers of the result before them
  Progress* progress;           // [0]: before the round, [1]: behind it
  std::int64_t n;
  NumberOf<Law>* out;
  Scaling scaling;

  static constexpr int kPerDraw = 8 / sizeof(UnitOf<Law>);
  __device__ bool is_over() const { return progress[0].numbers >= n; }
  /// In units of the stream's layout.
  __device__ std::int64_t first_unit() const { return progress[0].units / kPerDraw * kPerDraw; }
  __device__ ChainPlace first_entry() const { return static_cast<ChainPlace>(progress[0].units % kPerDraw); }
};

/// What a walk through a segment has found.
struct Walked {
  std::int32_t count;
  ChainPlace next;
};

/// Lanes of numbers at `at` ..., from those whose places are not passed over; `after` is where the number of a lane ends.
template <class Number>
struct Found {
  unsigned numbers;  // lanes
  Number x;          // this lane's
  ChainPlace after;
};

/// The 32 places from `at` on, of which the chain enters at `next`, which is moved on.
template <class Law>
__device__ Found<NumberOf<Law>> find_numbers(const Round<Law>& round, ChainPlace at, ChainPlace& next) {
  const int lane = threadIdx.x % 32;
  const ChainPlace place = at + lane;
  Found<NumberOf<Law>> found = {next <= at ? ~0u : ~0u << (next - at), {}, place + 1};
  next = at + 32;
  const bool easy = round.law.easy(round.units.units[place], found.x);
  unsigned hard = __ballot_sync(~0u, !easy) & found.numbers;
  if (hard == 0) return found;
  if (hard >> lane & 1) {
    UnitReader reader(round.units, place, round.forms);
    found.x = round.law(reader);
    // A law that read nothing would stand still; such parameters are not brought here.
    found.after =
        reader.at() > round.units.limit ? ~place : max(static_cast<ChainPlace>(reader.at()), place + 1);
  }
  while (hard != 0) {
    const int at_lane = __ffs(hard) - 1;
    const ChainPlace after = __shfl_sync(~0u, found.after, at_lane);
    const unsigned until = ~0u >> (31 - at_lane);  // lanes up to this one
    if (after < 0) {
      found.numbers &= until >> 1;
      next = after;
      return found;
    }
    const ChainPlace ahead = after - at;
    const unsigned kept = ahead >= 32 ? until : until | ~0u << ahead;
    found.numbers &= kept;
    hard &= kept & ~(1u << at_lane);
    if (ahead > 32) next = after;
  }
  return found;
}

/// From `entry` through segment `segment`; take(found, numbers before it) says whether to go on.
template <class Law, class Take>
__device__ Walked walk(const Round<Law>& round, std::int32_t segment, ChainPlace entry, Take&& take) {
  Walked walked = {0, entry};
  const ChainPlace end = (segment + 1) * kSegment;
  for (ChainPlace at = segment * kSegment; at < end && walked.next >= 0; at += 32) {
    if (walked.next >= at + 32) continue;
    const auto found = find_numbers(round, at, walked.next);
    if (!take(found, walked.count)) break;
    walked.count += __popc(found.numbers);
  }
  return walked;
}

template <class Law>
__device__ void count_segment(const Round<Law>& round, std::int32_t segment, ChainPlace entry) {
  const Walked walked = walk(round, segment, entry, [](const auto&, std::int32_t) { return true; });
  if (threadIdx.x % 32 != 0) return;
  round.entries[segment] = entry;
  round.nexts[segment] = walked.next;
  round.counts[segment] = walked.count;
}

inline constexpr int kChainThreads = 256;
__device__ inline std::int32_t segment_of_warp() {
  return static_cast<std::int32_t>(blockIdx.x * (kChainThreads / 32) + threadIdx.x / 32);
}

template <class Law>
__global__ void __launch_bounds__(kChainThreads) count(const __grid_constant__ Round<Law> round) {
  const std::int32_t segment = segment_of_warp();
  if (segment >= round.segments || round.is_over()) return;
  count_segment(round, segment, segment == 0 ? round.first_entry() : segment * kSegment);
}

template <class Law>
__global__ void __launch_bounds__(kChainThreads) mend(const __grid_constant__ Round<Law> round) {
  const std::int32_t segment = segment_of_warp();
  if (segment == 0 || segment >= round.segments || round.is_over()) return;
  // The segment before may be counted anew at this moment: either answer will do, `sum` compares them all.
  const ChainPlace entry = __shfl_sync(~0u, __ldcg(round.nexts + segment - 1), 0);
  if (entry != round.entries[segment]) count_segment(round, segment, entry);
}

/// One block.
template <class Law>
__global__ void __launch_bounds__(kSumThreads) sum(const __grid_constant__ Round<Law> round) {
  __shared__ std::int32_t wrong;
  __shared__ std::int64_t warps[kSumThreads / 32];
  const int thread = threadIdx.x;
  if (round.is_over()) {
    if (thread == 0) round.progress[1] = round.progress[0];
    return;
  }
  for (;;) {  // each time one more segment is right for good
    if (thread == 0) wrong = round.segments;
    __syncthreads();
    for (std::int32_t s = 1 + thread; s < round.segments; s += kSumThreads) {
      if (round.entries[s] != round.nexts[s - 1]) atomicMin(&wrong, s);
    }
    __syncthreads();
    const std::int32_t segment = wrong;
    if (segment == round.segments) break;
    if (thread < 32) count_segment(round, segment, round.nexts[segment - 1]);
    __syncthreads();
  }
  // Each thread sums a stretch, then the stretches are summed.
  const std::int32_t each = (round.segments + kSumThreads - 1) / kSumThreads,
                     begin = min(thread * each, round.segments), end = min(begin + each, round.segments);
  std::int64_t own = 0;
  for (std::int32_t s = begin; s < end; ++s) own += round.counts[s];
  std::int64_t upto = own;
  for (int step = 1; step < 32; step *= 2) {
    const std::int64_t lower = __shfl_up_sync(~0u, upto, step);
    if (thread % 32 >= step) upto += lower;
  }
  if (thread % 32 == 31) warps[thread / 32] = upto;
  __syncthreads();
  std::int64_t before = round.progress[0].numbers + upto - own;
  for (int w = 0; w < thread / 32; ++w) before += warps[w];
  for (std::int32_t s = begin; s < end; ++s) {
    round.before[s] = before;
    before += round.counts[s];
  }
  if (thread == kSumThreads - 1)
    round.progress[1] = {before, round.first_unit() + place_of(round.nexts[round.segments - 1])};
}

template <class Law>
__global__ void __launch_bounds__(kChainThreads) write(const __grid_constant__ Round<Law> round) {
  const std::int32_t segment = segment_of_warp();
  if (segment >= round.segments || round.is_over()) return;
  const std::int64_t before = round.before[segment];
  if (before >= round.n) return;
  walk(round, segment, round.entries[segment], [&](const auto& found, std::int32_t count) {
    const unsigned lane = threadIdx.x % 32;
    const std::int64_t i = before + count + __popc(found.numbers & ((1u << lane) - 1));
    if (found.numbers >> lane & 1 && i < round.n) {
      round.out[i] = round.scaling(found.x);
      if (i == round.n - 1) round.progress[1] = {round.n, round.first_unit() + found.after};
    }
    return before + count < round.n;
  });
}

/// One thread: what the rounds have left, and the state behind it all.
template <class Law>
__global__ void finish(const __grid_constant__ Round<Law> round, const StateSource state, BitKind kind,
                       std::uint64_t* words) {
  Progress at = round.progress[0];
  const UnitsOfStream<UnitOf<Law>> units = {state, kind};
  UnitReader reader(units, at.units, round.forms);
  for (; at.numbers < round.n; ++at.numbers) round.out[at.numbers] = round.scaling(round.law(reader));
  if (!words) return;
  with_generator(kind, [&]<class G>() { leave_state<G>(state, reader.at(), Round<Law>::kPerDraw, words); });
}

/// Draws of a round, to memory.
struct ToMemory {
  const Progress* progress;
  std::int64_t n, count;  // draws
  int per_draw;
  std::uint64_t* to;
  std::int64_t draw = 0, group = 0;

  template <class G>
  __device__ std::int64_t begin(const StateSource&) {
    if (progress->numbers >= n) return 0;
    draw = progress->units / per_draw;
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

template <class G>
__global__ void begin_progress(const StateSource state, int per_draw, Progress* progress) {
  *progress = {0, first_unit<G>(state, per_draw)};
}

/// n numbers of the law to `out`; the state behind them to `words`, if that is not null. `each`: units of a number, on average.
template <class Law>
void draw_chain(Context& context, const DrawJob& job, const Law& law, double each) {
  using Unit = UnitOf<Law>;
  constexpr int per_draw = Round<Law>::kPerDraw;
  const ChainSizes sizes(job.n, each, per_draw);
  const Scratch memory(context, sizes.bytes());
  std::byte* const base = memory.get();
  Round<Law> round = {law, job.forms};
  round.units = {reinterpret_cast<const Unit*>(base + sizes.draws_at()),
                 static_cast<std::int32_t>(sizes.units())};
  round.segments = sizes.segments;
  round.entries = reinterpret_cast<ChainPlace*>(base + sizes.entries_at());
  round.nexts = round.entries + sizes.segments;
  round.counts = round.nexts + sizes.segments;
  round.before = reinterpret_cast<std::int64_t*>(base + sizes.before_at());
  round.progress = reinterpret_cast<Progress*>(base);
  round.n = job.n;
  round.out = static_cast<NumberOf<Law>*>(job.out);
  round.scaling = job.scaling;
  with_generator(job.kind, [&]<class G>() {
    begin_progress<G><<<1, 1, 0, context.stream>>>(job.state, per_draw, round.progress);
  });
  const unsigned blocks = block_count(sizes.segments, kChainThreads / 32);
  for (int r = 0; r < sizes.rounds; ++r, ++round.progress) {
    launch_draws(context, job.kind, job.state, sizes.draws(),
                 ToMemory{round.progress, job.n, sizes.draws(), per_draw,
                          reinterpret_cast<std::uint64_t*>(base + sizes.draws_at())});
    count<<<blocks, kChainThreads, 0, context.stream>>>(round);
    mend<<<blocks, kChainThreads, 0, context.stream>>>(round);
    sum<<<1, kSumThreads, 0, context.stream>>>(round);
    write<<<blocks, kChainThreads, 0, context.stream>>>(round);
  }
  finish<<<1, 1, 0, context.stream>>>(round, job.state, job.kind, job.words);
  launched(context, "random");
}

}  // namespace cuprum::cuda::primitives
