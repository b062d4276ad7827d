// Many numbers of a law that takes as many units as it takes, as if one reader had drawn them one after the
// other.
//
// The units of a round are cut into segments of 1024, each a warp's. Where the chain of numbers enters a
// segment is not known beforehand: `count` supposes that it is the segment's first place, and when it runs
// again counts anew where the segment before says otherwise (two chains soon meet: of normal numbers one
// segment in eighty is counted again, and none twice); `sum` looks whether all agree, and does what is left
// in order. `write` draws the numbers once more and puts them in their place. How a warp finds the numbers of
// its segment is the walker's: place_walk.cuh, tile_walk.cuh.
//
// How many units n numbers take is not known to the host either. It makes as many rounds as n numbers very
// probably need; `finish` reads on from the stream itself if that was too few, and leaves the state.
#pragma once

#include "backend/cuda/primitives/random/chain_work.h"
#include "backend/cuda/primitives/random/reader.cuh"

#if defined(__CUDACC__)  // else the kernels run on the host, in tests
#include "backend/cuda/primitives/common/views.h"
#endif

namespace cuprum::cuda::primitives {

/// Where a chain goes on, from the first unit of a round: a place, or the end of what has been made, which
/// the number at ~place runs over.
using ChainPlace = std::int32_t;
__device__ inline std::int64_t place_of(ChainPlace p) { return p < 0 ? ~p : p; }

/// A `Law` has: Unit and Number, their types, and operator()(reader), which draws a number. A `Walker` has:
/// kWarps, of a block; kMends, how often segments are counted anew; kAlign, of which a round's first unit is
/// a multiple; limit, which units are not read beyond; Shared<writes>, memory of a block, and
/// prepare(shared); walk<writes>(round, shared, segment, entry).
template <class Law, class Walker>
struct Round {
  using Number = typename Law::Number;

  Law law;
  Walker walker;
  random::Log1pForms forms;
  std::int32_t segments;
  ChainPlace *entries, *nexts;  // where the chain enters, and where it goes on behind the segment
  std::int32_t* counts;         // numbers that begin there
  std::int64_t* before;         // numbers of the result before them
  Progress* progress;           // [0]: before the round, [1]: behind it
  std::int64_t n;
  Number* out;
  Scaling scaling;
  StateSource state;  // where the stream begins
  BitKind kind;

  static constexpr int kPerDraw = 8 / sizeof(typename Law::Unit);
  __device__ bool is_over() const { return progress[0].numbers >= n; }
  /// In units of the stream's layout.
  __device__ std::int64_t first_unit() const { return progress[0].units / Walker::kAlign * Walker::kAlign; }
  __device__ ChainPlace first_entry() const {
    return static_cast<ChainPlace>(progress[0].units % Walker::kAlign);
  }
  __device__ void put(std::int64_t i, Number x) const { out[i] = scaling(x); }
  /// The last number ends there.
  __device__ void end_at(ChainPlace after) const { progress[1] = {n, first_unit() + after}; }
};

/// What a walk through a segment has found.
struct Walked {
  std::int32_t count;
  ChainPlace next;
};

template <class Walker>
__device__ std::int32_t segment_of_warp() {
  return static_cast<std::int32_t>(blockIdx.x * Walker::kWarps + threadIdx.x / 32);
}

template <class Law, class Walker>
__device__ void note(const Round<Law, Walker>& round, std::int32_t segment, ChainPlace entry,
                     const Walked& walked) {
  round.entries[segment] = entry;
  round.nexts[segment] = walked.next;
  round.counts[segment] = walked.count;
}

template <class Law, class Walker>
__global__ void __launch_bounds__(32 * Walker::kWarps)
    count(const __grid_constant__ Round<Law, Walker> round, bool again) {
  __shared__ typename Walker::template Shared<false> shared;
  const std::int32_t segment = segment_of_warp<Walker>();
  ChainPlace entry = segment == 0 ? 0 : segment * kSegment;
  bool idle = segment >= round.segments || round.is_over();
  if (again && !idle) {
    idle = segment == 0;
    // The segment before may be counted anew at this moment: either answer will do, `sum` compares them all.
    if (!idle) entry = __shfl_sync(~0u, __ldcg(round.nexts + segment - 1), 0);
    idle = idle || entry == round.entries[segment];
  } else if (segment == 0) {
    entry = round.first_entry();
  }
  if (__syncthreads_and(idle)) return;
  round.walker.prepare(shared);
  __syncthreads();
  if (idle) return;
  const Walked walked = round.walker.template walk<false>(round, shared, segment, entry);
  if (threadIdx.x % 32 == 0) note(round, segment, entry, walked);
}

/// By one thread, number by number.
template <class Law, class Walker>
__device__ Walked walk_in_turn(const Round<Law, Walker>& round, std::int32_t segment, ChainPlace entry) {
  Walked walked = {0, entry};
  const ChainPlace end = (segment + 1) * kSegment;
  const UnitsOfStream<typename Law::Unit> units = {round.state, round.kind};
  while (walked.next >= 0 && walked.next < end) {
    UnitReader reader(units, round.first_unit() + walked.next, round.forms);
    round.law(reader);
    const std::int64_t after = reader.at() - round.first_unit();
    const bool runs_over = after > round.walker.limit;
    walked.next = runs_over ? ~walked.next : static_cast<ChainPlace>(after);
    walked.count += runs_over ? 0 : 1;
  }
  return walked;
}

/// Makes every segment begin where the one before it ends. One block; each turn puts one more segment right
/// for good.
template <class Law, class Walker>
__device__ void make_one_chain(const Round<Law, Walker>& round) {
  __shared__ std::int32_t wrong;
  for (;;) {
    if (threadIdx.x == 0) wrong = round.segments;
    __syncthreads();
    for (std::int32_t s = 1 + static_cast<std::int32_t>(threadIdx.x); s < round.segments; s += kSumThreads) {
      if (round.entries[s] != round.nexts[s - 1]) atomicMin(&wrong, s);
    }
    __syncthreads();
    const std::int32_t segment = wrong;
    if (segment == round.segments) return;
    if (threadIdx.x == 0) {
      const ChainPlace entry = round.nexts[segment - 1];
      note(round, segment, entry, walk_in_turn(round, segment, entry));
    }
    __syncthreads();
  }
}

/// One block: each thread sums a stretch of the segments' counts, then the stretches are summed.
template <class Law, class Walker>
__global__ void __launch_bounds__(kSumThreads) sum(const __grid_constant__ Round<Law, Walker> round) {
  __shared__ std::int64_t warps[kSumThreads / 32];
  const int thread = threadIdx.x;
  if (round.is_over()) {
    if (thread == 0) round.progress[1] = round.progress[0];
    return;
  }
  make_one_chain(round);
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

template <class Law, class Walker>
__global__ void __launch_bounds__(32 * Walker::kWarps)
    write(const __grid_constant__ Round<Law, Walker> round) {
  __shared__ typename Walker::template Shared<true> shared;
  const std::int32_t segment = segment_of_warp<Walker>();
  const bool idle = segment >= round.segments || round.is_over() || round.before[segment] >= round.n;
  if (__syncthreads_and(idle)) return;
  round.walker.prepare(shared);
  __syncthreads();
  if (!idle) round.walker.template walk<true>(round, shared, segment, round.entries[segment]);
}

/// One thread: what the rounds have left, and the state behind it all.
template <class Law, class Walker>
__global__ void finish(const __grid_constant__ Round<Law, Walker> round, std::uint64_t* words) {
  Progress at = round.progress[0];
  const UnitsOfStream<typename Law::Unit> units = {round.state, round.kind};
  UnitReader reader(units, at.units, round.forms);
  for (; at.numbers < round.n; ++at.numbers) round.put(at.numbers, round.law(reader));
  if (!words) return;
  with_generator(round.kind,
                 [&]<class G>() { leave_state<G>(round.state, reader.at(), round.kPerDraw, words); });
}

template <class G>
__global__ void begin_progress(const StateSource state, int per_draw, Progress* progress) {
  *progress = {0, first_unit<G>(state, per_draw)};
}

template <class Law, class Walker>
Round<Law, Walker> round_of(const DrawJob& job, const ChainSizes& sizes, const Law& law, const Walker& walker,
                            Progress* progress) {
  return {law,
          walker,
          job.forms,
          sizes.segments,
          nullptr,
          nullptr,
          nullptr,
          nullptr,
          progress,
          job.n,
          static_cast<typename Law::Number*>(job.out),
          job.scaling,
          job.state,
          job.kind};
}

#if defined(__CUDACC__)
/// The rounds of a call; make(progress) is called before each.
template <class Law, class Walker, class Make>
void run_rounds(Context& context, const DrawJob& job, const ChainSizes& sizes, const Law& law,
                const Walker& walker, std::byte* memory, Make&& make) {
  auto round = round_of(job, sizes, law, walker, reinterpret_cast<Progress*>(memory));
  round.entries = reinterpret_cast<ChainPlace*>(memory + sizes.entries_at());
  round.nexts = round.entries + sizes.segments;
  round.counts = round.nexts + sizes.segments;
  round.before = reinterpret_cast<std::int64_t*>(memory + sizes.before_at());
  with_generator(job.kind, [&]<class G>() {
    begin_progress<G><<<1, 1, 0, context.stream>>>(job.state, round.kPerDraw, round.progress);
  });
  const unsigned blocks = block_count(sizes.segments, Walker::kWarps);
  constexpr int threads = 32 * Walker::kWarps;
  for (int r = 0; r < sizes.rounds; ++r, ++round.progress) {
    make(round.progress);
    count<<<blocks, threads, 0, context.stream>>>(round, false);
    for (int k = 0; k < Walker::kMends; ++k) count<<<blocks, threads, 0, context.stream>>>(round, true);
    sum<<<1, kSumThreads, 0, context.stream>>>(round);
    write<<<blocks, threads, 0, context.stream>>>(round);
  }
  finish<<<1, 1, 0, context.stream>>>(round, job.words);
  launched(context, "random");
}
#endif

}  // namespace cuprum::cuda::primitives
