// Chains of laws of which most units are a number by themselves: ziggurats, integers.
//
// A warp makes the draws of its segment, and of each unit the number that it may be (`easy`), into shared
// memory. The few other places are marked; then they are gathered, and each lane draws the number that begins
// at one of them, all at a time: one by one as they are met, every other window of 32 would wait for one.
// Numbers of several units pass over the places behind their first; what is left is packed. Draws are made
// twice, by `count` and by `write`, which costs less than to write them once and read them twice.
#pragma once

#include "backend/cuda/primitives/random/chain.cuh"

namespace cuprum::cuda::primitives {

/// A `Law` has, in addition: easy(tables, unit, x), is this unit a number by itself? Then x is it; Tables,
/// which lie in shared memory, and load(tables) by all threads of a block.
template <class G, class Law>
struct TileWalk {
  using Unit = typename Law::Unit;
  using Number = typename Law::Number;
  static constexpr int kWarps = 4, kMends = 1;
  static constexpr int kPerDraw = 8 / sizeof(Unit), kAlign = kPerDraw * G::kGroup;  // 1 to 32
  static constexpr std::int32_t limit = 0x7fffffff;
  static constexpr int kWindows = kSegment / 32;
  static_assert(kWindows == 32 && kSegment % (32 * kAlign) == 0);

  struct Warp {
    unsigned marks[kWindows];      // places that are no number by themselves; then places of numbers
    std::uint16_t list[kSegment];  // of these places
  };
  struct Tile {
    Number numbers[kSegment];
  };
  struct NoTile {};
  template <bool kWrites>
  struct Shared {
    typename Law::Tables tables;
    Warp warps[kWarps];
    std::conditional_t<kWrites, Tile, NoTile> tiles[kWarps];
  };
  template <class S>
  __device__ void prepare(S& shared) const {
    Law::load(shared.tables);
  }

  template <bool kWrites, class R>
  __device__ Walked walk(const R& round, Shared<kWrites>& shared, std::int32_t segment,
                         ChainPlace entry) const {
    const ChainPlace begin = segment * kSegment;
    if (entry >= begin + kSegment) return {0, entry};
    const int lane = threadIdx.x % 32;
    Warp& warp = shared.warps[threadIdx.x / 32];
    auto& tile = shared.tiles[threadIdx.x / 32];
    Layout<G> start(round.state);
    const std::int64_t group = (round.first_unit() + begin) / kAlign;
    start.generator.skip(static_cast<std::uint64_t>(group));
    warp.marks[lane] = 0;
    __syncwarp();
    mark<kWrites>(round, shared.tables, start, group, warp, tile);
    __syncwarp();

    // From here on places are counted from the segment's first.
    int next = entry - begin;
    unsigned numbers = from(next - 32 * lane);  // of window `lane`, the places of numbers
    const int total = gather(warp.marks[lane] & numbers, warp.list);
    __syncwarp();
    for (int k = 0; k < total; k += 32) {
      int place = kSegment, after = kSegment;
      Number x = {};
      if (k + lane < total) {
        place = warp.list[k + lane];
        Layout<G> there = start;
        there.generator.skip(static_cast<std::uint64_t>(place / kAlign));
        GroupReader<G, Unit> reader(there, group + place / kAlign, place % kAlign, place, round.forms);
        x = round.law(reader);
        after = static_cast<int>(reader.at());
      }
      for (int j = 0; j < min(32, total - k); ++j) {
        const int at = __shfl_sync(~0u, place, j), end = __shfl_sync(~0u, after, j);
        if (at < next) continue;  // within the number before
        next = end;
        numbers &= ~(from(at + 1 - 32 * lane) & ~from(end - 32 * lane));
        if constexpr (kWrites) {
          if (lane == j) tile.numbers[place] = x;
        }
      }
    }
    next = max(next, kSegment);
    const int own = __popc(numbers), upto = sum_of_lower(own);
    if constexpr (kWrites) {
      warp.marks[lane] = numbers;
      __syncwarp();
      put_numbers(round, warp.marks, tile.numbers, round.before[segment], upto - own, begin, next);
    }
    return {__shfl_sync(~0u, upto, 31), begin + next};
  }

 private:
  /// The bits from `bit` on, which may lie outside.
  __device__ static unsigned from(int bit) { return bit <= 0 ? ~0u : bit >= 32 ? 0u : ~0u << bit; }
  /// The sum over this lane and all lower ones.
  __device__ static int sum_of_lower(int value) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int lower = __shfl_up_sync(~0u, value, step);
      if (static_cast<int>(threadIdx.x % 32) >= step) value += lower;
    }
    return value;
  }

  /// Makes the segment's draws, the numbers that they may be, and marks the places that are none by
  /// themselves.
  template <bool kWrites, class R, class T>
  __device__ void mark(const R& round, const typename Law::Tables& tables, const Layout<G>& start,
                       std::int64_t group, Warp& warp, T& tile) const {
    const int lane = threadIdx.x % 32;
    Layout<G> layout = start;
    layout.generator.skip(static_cast<std::uint64_t>(lane));
    const auto stride = layout.generator.stride(5);
    for (int first = 0; first < kSegment; first += 32 * kAlign, layout.generator.skip(stride)) {
      std::uint64_t draws[G::kGroup];
      int place = first + lane * kAlign;
      layout.draws(group + place / kAlign, draws);
#pragma unroll
      for (int k = 0; k < G::kGroup; ++k) {
#pragma unroll(kPerDraw <= 2 ? kPerDraw : 1)
        for (int part = 0; part < kPerDraw; ++part, ++place) {
          Number x;
          if (!round.law.easy(tables, static_cast<Unit>(draws[k] >> (part * (64 / kPerDraw))), x))
            atomicOr(&warp.marks[place / 32], 1u << (place % 32));
          if constexpr (kWrites) tile.numbers[place] = x;
        }
      }
    }
  }

  /// The marked places of all windows in order; how many there are.
  __device__ static int gather(unsigned marks, std::uint16_t* list) {
    const int lane = threadIdx.x % 32, own = __popc(marks), upto = sum_of_lower(own);
    for (int at = upto - own; marks != 0; marks &= marks - 1)
      list[at++] = static_cast<std::uint16_t>(32 * lane + __ffs(marks) - 1);
    return __shfl_sync(~0u, upto, 31);
  }

  /// `lower`: numbers of the windows before window `lane`; `next`: where the number behind the segment
  /// begins.
  template <class R>
  __device__ static void put_numbers(const R& round, const unsigned* marks, const Number* tile,
                                     std::int64_t before, int lower, ChainPlace begin, int next) {
    const int lane = threadIdx.x % 32;
#pragma unroll 4
    for (int w = 0; w < kWindows; ++w) {
      const unsigned numbers = marks[w];
      const std::int64_t i = before + __shfl_sync(~0u, lower, w) + __popc(numbers & ((1u << lane) - 1));
      if (!(numbers >> lane & 1) || i >= round.n) continue;
      round.put(i, tile[32 * w + lane]);
      if (i != round.n - 1) continue;
      int after = 32 * w + lane + 1;  // it ends where the next one begins
      while (after < kSegment && !(marks[after / 32] >> (after % 32) & 1)) ++after;
      round.end_at(begin + (after < kSegment ? after : next));
    }
  }
};

/// Numbers of which each takes `units`, on average.
template <class Law>
void draw_easy_chain(Context& context, const DrawJob& job, const Law& law, double units) {
  const ChainSizes sizes(job.n, units, 8 / sizeof(typename Law::Unit), ChainSizes::kInRegisters);
  const Scratch memory(context, sizes.bytes());
  with_generator(job.kind, [&]<class G>() {
    run_rounds(context, job, sizes, law, TileWalk<G, Law>(), memory.get(), [](const Progress*) {});
  });
}

}  // namespace cuprum::cuda::primitives
