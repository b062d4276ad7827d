// Chains of laws of which most units are a number by themselves, ziggurats and integers, in one pass.
//
// A warp makes the draws of a segment, and of each unit the number that it may be (`easy`), into shared memory. The few other places are
// listed, and the threads of the block draw the numbers that begin there, all at a time: one by one as they are met, every other
// window of 32 would wait for one. Numbers of several units pass over the places behind their first; what is left is packed.
//
// A block has the segments of a tile. Where the chain enters the tile is for the tile before to say; where it leaves does not depend on
// that, if any place of the first segment is passed over by no number, and the block says so at once. So tiles wait for their
// neighbours' draws, not for their chains. Then each finds how many numbers lie before it, from what the tiles before have counted
// (Merrill and Garland's decoupled look-back), and writes.
#pragma once

#include "backend/cuda/primitives/random/chain.cuh"

namespace cuprum::cuda::primitives {

/// What tiles say to those behind them; 0: nothing yet.
struct TileWords {
  unsigned* ticket;       // tiles that have begun
  std::uint64_t* exits;   // where the chain goes on behind the tile, and 1
  std::uint64_t* counts;  // its numbers, or those of all tiles up to it
};
inline constexpr std::uint64_t kOfTile = std::uint64_t{1} << 62, kUpToTile = std::uint64_t{1} << 63;

/// A `Law` has, in addition: easy(tables, unit, x), is this unit a number by itself? Then x is it; Tables,
/// which lie in shared memory, and load(tables) by all threads of a block.
template <class G, class Law>
struct TileWalk {
  using Unit = typename Law::Unit;
  using Number = typename Law::Number;
  static constexpr int kWarps = 4;
  static constexpr int kPerDraw = 8 / sizeof(Unit), kAlign = kPerDraw * G::kGroup;  // 1 to 32
  static constexpr int kWindows = kSegment / 32;
  static_assert(kWindows == 32 && kSegment % (32 * kAlign) == 0);
  using R = Round<Law, TileWalk>;

  struct Warp {
    // Places that are no number by themselves, by bits; then one by one, and above ten bits the units of the number that begins there;
    // then the places of numbers. In one place, so that a multiprocessor has room for five blocks of float64, not four.
    union {
      unsigned marks[kWindows];
      std::uint16_t list[kSegment];
    };
    Number numbers[kSegment];
    int listed, spill, count;
    bool sure;
  };
  static constexpr int kLong = 63;  // units, or more

  struct Shared {
    typename Law::Tables tables;
    Warp warps[kWarps];
    std::int32_t tile;
    int entry;
    std::int64_t before;
  };

  /// The chain through a segment, places counted from its first.
  struct Chain {
    int entry, spill;  // how far the last number reaches beyond the segment
    unsigned numbers;  // of window `lane`, the places of numbers
    bool sure;         // the spill does not depend on the entry, if that is below kSegment / 2
  };

  /// The draws of the segment and what is listed of it; all threads of the block.
  __device__ static void find(const R& round, Shared& shared, const Layout<G>& start, std::int64_t group) {
    const int lane = threadIdx.x % 32, own = threadIdx.x / 32;
    Warp& warp = shared.warps[own];
    warp.marks[lane] = 0;
    __syncwarp();
    mark(round, shared.tables, start, group, own * (kSegment / kAlign) + lane, warp);
    __syncwarp();
    const int listed = gather(warp.marks[lane], warp.list);
    if (lane == 0) warp.listed = listed;
    __syncthreads();
    int total = 0;
    for (int w = 0; w < kWarps; ++w) total += shared.warps[w].listed;
    for (int k = static_cast<int>(threadIdx.x); k < total; k += 32 * kWarps) {
      int w = 0, i = k;
      while (i >= shared.warps[w].listed) i -= shared.warps[w++].listed;
      const int place = shared.warps[w].list[i];
      Number x;
      const int units = read(round, start, group, w * kSegment + place, x);
      shared.warps[w].numbers[place] = x;
      shared.warps[w].list[i] = static_cast<std::uint16_t>(place | min(units, kLong) << 10);
    }
    __syncthreads();
  }

  /// The number that begins at a place of the tile, and its units.
  __device__ static int read(const R& round, const Layout<G>& start, std::int64_t group, int place,
                             Number& x) {
    Layout<G> there = start;
    there.generator.skip(static_cast<std::uint64_t>(place / kAlign));
    GroupReader<G, Unit> reader(there, group + place / kAlign, place % kAlign, place, round.forms);
    x = round.law(reader);
    return static_cast<int>(reader.at()) - place;
  }

  /// The chain that enters this warp's segment at `entry`.
  __device__ static Chain chain(const R& round, const Warp& warp, const Layout<G>& start, std::int64_t group,
                                int entry) {
    const int lane = threadIdx.x % 32;
    int next = entry;
    unsigned numbers = from(next - 32 * lane), passed = 0;
    unsigned own = 0;  // of the list: lanes tell each other, as each place would wait for memory
    for (int j = 0; j < warp.listed; ++j) {
      if (j % 32 == 0 && j + lane < warp.listed) own = warp.list[j + lane];
      const unsigned listed = __shfl_sync(~0u, own, j % 32);
      const int at = static_cast<int>(listed % kSegment);
      int units = static_cast<int>(listed / kSegment);
      if (units == kLong) {
        Number x;
        units = read(round, start, group, static_cast<int>(threadIdx.x / 32) * kSegment + at, x);
      }
      const unsigned behind = from(at + 1 - 32 * lane) & ~from(at + units - 32 * lane);
      passed |= behind;
      if (at < next) continue;  // within the number before
      next = at + units;
      numbers &= ~behind;
    }
    const bool sure = __ballot_sync(~0u, ~passed != 0) >> 16 != 0;
    return {entry, max(next - kSegment, 0), numbers, sure};
  }

  /// Makes every segment of the tile begin where the one before it ends, the first at `entry`.
  __device__ static void link(const R& round, Shared& shared, const Layout<G>& start, std::int64_t group,
                              int entry, Chain& own) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (warp == 0 && own.entry != entry) own = chain(round, shared.warps[0], start, group, entry);
    if (lane == 0) {
      shared.warps[warp].spill = own.spill;
      shared.warps[warp].sure = own.sure;
    }
    for (int w = 1; w < kWarps; ++w) {
      __syncthreads();
      const int before = shared.warps[w - 1].spill;
      if (warp != w || before == own.entry) continue;
      own = chain(round, shared.warps[w], start, group, before);
      if (lane == 0) shared.warps[w].spill = own.spill;
    }
    __syncthreads();
  }

  /// Numbers of the tiles before, by the threads of one warp.
  __device__ static std::int64_t numbers_before(const std::uint64_t* counts, std::int32_t tile) {
    const int lane = threadIdx.x % 32;
    std::uint64_t before = 0;
    for (std::int32_t last = tile - 1; last >= 0; last -= 32) {
      std::uint64_t word = kUpToTile;
      if (last - lane >= 0) {
        do word = *static_cast<const volatile std::uint64_t*>(counts + last - lane);
        while (word == 0);
      }
      const unsigned whole = __ballot_sync(~0u, word >= kUpToTile);
      const int stop = whole != 0 ? __ffs(whole) - 1 : 31;
      std::uint64_t sum = lane <= stop ? word & (kOfTile - 1) : 0;
      for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
      before += sum;
      if (whole != 0) break;
    }
    return static_cast<std::int64_t>(before);
  }

  /// The sum over this lane and all lower ones.
  __device__ static int sum_of_lower(int value) {
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const int lower = __shfl_up_sync(~0u, value, step);
      if (static_cast<int>(threadIdx.x % 32) >= step) value += lower;
    }
    return value;
  }

  /// The numbers of a segment behind which the result goes on. `lower`: numbers of the windows before window `lane`.
  __device__ static void put_all(const R& round, const unsigned* marks, const Number* tile,
                                 std::int64_t before, int lower) {
    const int lane = threadIdx.x % 32;
#pragma unroll 4
    for (int w = 0; w < kWindows; ++w) {
      const unsigned numbers = marks[w];
      const int i = __shfl_sync(~0u, lower, w) + __popc(numbers & ((1u << lane) - 1));
      if (numbers >> lane & 1) round.put(before + i, tile[32 * w + lane]);
    }
  }
  /// Those of the result's last segment. `next`: where the number behind the segment begins.
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

 private:
  /// The bits from `bit` on, which may lie outside.
  __device__ static unsigned from(int bit) { return bit <= 0 ? ~0u : bit >= 32 ? 0u : ~0u << bit; }

  /// Makes the segment's draws, the numbers that they may be, and marks the places that are none by
  /// themselves. `first`: this lane's first group of the tile.
  __device__ static void mark(const R& round, const typename Law::Tables& tables, const Layout<G>& start,
                              std::int64_t group, int first, Warp& warp) {
    const int lane = threadIdx.x % 32;
    Layout<G> layout = start;
    layout.generator.skip(static_cast<std::uint64_t>(first));
    const auto stride = layout.generator.stride(5);
    for (int begin = 0; begin < kSegment; begin += 32 * kAlign, layout.generator.skip(stride)) {
      std::uint64_t draws[G::kGroup];
      int place = begin + lane * kAlign;
      layout.draws(group + first + begin / kAlign, draws);
#pragma unroll
      for (int k = 0; k < G::kGroup; ++k) {
#pragma unroll(kPerDraw <= 2 ? kPerDraw : 1)
        for (int part = 0; part < kPerDraw; ++part, ++place) {
          Number x;
          if (!round.law.easy(tables, static_cast<Unit>(draws[k] >> (part * (64 / kPerDraw))), x))
            atomicOr(&warp.marks[place / 32], 1u << (place % 32));
          warp.numbers[place] = x;
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
};

/// Blocks that a multiprocessor has at a time: as many as its shared memory and its registers have room for.
template <class G, class Law>
inline constexpr int kTilesAtOnce = sizeof(typename Law::Number) == 8 ? (G::kGroup == 4 ? 4 : 5)
                                                                      : (G::kGroup == 4 ? 5 : 8);

template <class G, class Law>
__global__ void __launch_bounds__(32 * TileWalk<G, Law>::kWarps, (kTilesAtOnce<G, Law>))
    draw_tiles(const __grid_constant__ Round<Law, TileWalk<G, Law>> round, const TileWords words) {
  using Walk = TileWalk<G, Law>;
  __shared__ typename Walk::Shared shared;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) shared.tile = static_cast<std::int32_t>(atomicAdd(words.ticket, 1u));
  Law::load(shared.tables);
  __syncthreads();
  const std::int32_t tile = shared.tile;
  if (round.is_over()) {
    if (tile == 0 && threadIdx.x == 0) round.progress[1] = round.progress[0];
    return;
  }
  const ChainPlace begin = (tile * Walk::kWarps + warp) * kSegment;
  const std::int64_t group =
      (round.first_unit() + std::int64_t{tile} * Walk::kWarps * kSegment) / Walk::kAlign;
  Layout<G> start(round.state);
  start.generator.skip(static_cast<std::uint64_t>(group));
  Walk::find(round, shared, start, group);

  // The chain, as if it entered the tile at its first place; then as it does.
  const int first = tile == 0 ? round.first_entry() : 0;
  typename Walk::Chain own = Walk::chain(round, shared.warps[warp], start, group, warp == 0 ? first : 0);
  Walk::link(round, shared, start, group, first, own);
  const bool known = tile == 0 || shared.warps[0].sure;
  const auto tell_exit = [&] {
    if (threadIdx.x == 0)
      atomicExch(reinterpret_cast<unsigned long long*>(words.exits + tile),
                 static_cast<unsigned long long>(shared.warps[Walk::kWarps - 1].spill) + 1);
  };
  if (known) tell_exit();
  if (tile > 0) {
    if (threadIdx.x == 0) {
      std::uint64_t word;
      do word = *static_cast<const volatile std::uint64_t*>(words.exits + tile - 1);
      while (word == 0);
      shared.entry = static_cast<int>(word - 1);
    }
    __syncthreads();
    if (shared.entry != 0) Walk::link(round, shared, start, group, shared.entry, own);
    if (!known) tell_exit();
  }

  // The numbers before.
  const int upto = Walk::sum_of_lower(__popc(own.numbers)), count = __shfl_sync(~0u, upto, 31);
  if (lane == 0) shared.warps[warp].count = count;
  shared.warps[warp].marks[lane] = own.numbers;
  __syncthreads();
  int total = 0, lower = 0;
  for (int w = 0; w < Walk::kWarps; ++w) {
    lower += w < warp ? shared.warps[w].count : 0;
    total += shared.warps[w].count;
  }
  if (warp == 0) {
    const auto tell = [&](std::uint64_t word) {
      if (lane == 0)
        atomicExch(reinterpret_cast<unsigned long long*>(words.counts + tile),
                   static_cast<unsigned long long>(word));
    };
    if (tile > 0) tell(kOfTile | static_cast<std::uint64_t>(total));
    const std::int64_t before = Walk::numbers_before(words.counts, tile);
    tell(kUpToTile | static_cast<std::uint64_t>(before + total));
    if (lane == 0) shared.before = round.progress[0].numbers + before;
  }
  __syncthreads();
  const std::int64_t before = shared.before + lower;
  if (before + kSegment < round.n)
    Walk::put_all(round, shared.warps[warp].marks, shared.warps[warp].numbers, before,
                  upto - __popc(own.numbers));
  else if (before < round.n)
    Walk::put_numbers(round, shared.warps[warp].marks, shared.warps[warp].numbers, before,
                      upto - __popc(own.numbers), begin, kSegment + own.spill);
  if (tile == static_cast<std::int32_t>(gridDim.x) - 1 && threadIdx.x == 0 && shared.before + total < round.n)
    round.progress[1] = {shared.before + total, round.first_unit() +
                                                    std::int64_t{tile + 1} * Walk::kWarps * kSegment +
                                                    shared.warps[Walk::kWarps - 1].spill};
}

#if defined(__CUDACC__)
/// Numbers of which each takes `units`, on average.
template <class Law>
void draw_easy_chain(Context& context, const DrawJob& job, const Law& law, double units) {
  const ChainSizes sizes(job.n, units, 8 / sizeof(typename Law::Unit), ChainSizes::kInRegisters);
  with_generator(job.kind, [&]<class G>() {
    using Walk = TileWalk<G, Law>;
    const unsigned tiles = block_count(sizes.segments, Walk::kWarps);
    const std::size_t each = (2 * std::size_t{tiles} + 1) * 8;  // words of a round
    const std::size_t progress = static_cast<std::size_t>(sizes.rounds + 1) * sizeof(Progress);
    const Scratch memory(context, progress + each * static_cast<std::size_t>(sizes.rounds));
    check(cudaMemsetAsync(memory.get() + progress, 0, each * static_cast<std::size_t>(sizes.rounds),
                          context.stream),
          "random");
    Round<Law, Walk> round = round_of<Law>(job, sizes, law, Walk(), memory.get<Progress>());
    begin_progress<G><<<1, 1, 0, context.stream>>>(job.state, round.kPerDraw, round.progress);
    for (int r = 0; r < sizes.rounds; ++r, ++round.progress) {
      auto* const words =
          reinterpret_cast<std::uint64_t*>(memory.get() + progress + each * static_cast<std::size_t>(r));
      draw_tiles<G><<<tiles, 32 * Walk::kWarps, 0, context.stream>>>(
          round, TileWords{reinterpret_cast<unsigned*>(words), words + 1, words + 1 + tiles});
    }
    finish<<<1, 1, 0, context.stream>>>(round, job.words);
  });
  launched(context, "random");
}
#endif

}  // namespace cuprum::cuda::primitives
