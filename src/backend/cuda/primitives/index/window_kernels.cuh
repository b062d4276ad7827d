// Writing pairs (place, payload) that are sorted by window, a window being 2^bits places next to each other: the last pair of
// each place wins. Of one window, pairs come in the order in which they were given; places within it in any order.
//
// A block has one window: the last pair of every place is found in shared memory. What several blocks share: windows with
// so many pairs that one block would be late. Their winners are found in memory, by two more kernels over tiles of pairs,
// which have nothing to do where places are spread evenly.
#pragma once

#include <cstdint>

namespace cuprum::cuda::primitives {

inline constexpr int kWindowThreads = 256;
inline constexpr int kMostWindowBits = 12;
inline constexpr unsigned kLongWindow = 4096;  // pairs; windows with more are shared
inline constexpr unsigned kWindowTile = 8192;  // pairs of a shared window that a block takes

struct SharedTile {
  unsigned slot, from, to;  // which of the shared windows; its pairs
};

struct Windows {
  const unsigned* place;  // of every pair
  unsigned pairs;
  unsigned places;  // from here on they are none
  int bits;
  unsigned* starts;   // of every window, and the end
  unsigned* slots;    // number of shared windows
  unsigned* tiles;    // number of their tiles
  SharedTile* tile;   // room for most_tiles
  unsigned* winners;  // 1 << bits per slot, room for most_slots

  __device__ unsigned within(unsigned i) const { return i & ((1u << bits) - 1); }
  __device__ unsigned* winner(unsigned slot, unsigned i) const {
    return winners + ((static_cast<std::uint64_t>(slot) << bits) + within(i));
  }
};

inline std::int64_t most_slots(std::int64_t pairs) { return pairs / kLongWindow; }
inline std::int64_t most_tiles(std::int64_t pairs) { return pairs / kWindowTile + most_slots(pairs); }

/// starts[j] = the first pair of window j or of a later one, for j <= windows.
__global__ void find_starts(const __grid_constant__ Windows w, unsigned windows) {
  const unsigned j = blockIdx.x * kWindowThreads + threadIdx.x;
  if (j == 0) *w.slots = *w.tiles = 0;
  if (j > windows) return;
  unsigned low = 0, high = w.pairs;
  while (low < high) {
    const unsigned middle = low + (high - low) / 2;
    if (w.place[middle] >> w.bits < j) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  w.starts[j] = low;
}

/// Leaves the pairs [from, to) of a window to share_claims and share_writes.
__device__ inline void share_window(const Windows& w, unsigned from, unsigned to) {
  __shared__ unsigned slot, first;
  const unsigned tiles = (to - from + kWindowTile - 1) / kWindowTile;
  if (threadIdx.x == 0) {
    slot = atomicAdd(w.slots, 1u);
    first = atomicAdd(w.tiles, tiles);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 1u << w.bits; i += kWindowThreads) *w.winner(slot, i) = 0;
  for (unsigned t = threadIdx.x; t < tiles; t += kWindowThreads) {
    const unsigned begin = from + t * kWindowTile;
    w.tile[first + t] = {slot, begin, to - begin < kWindowTile ? to : begin + kWindowTile};
  }
}

/// A block per window. target.touch(place) says that the place may be written soon, target.write(place, pair) writes it.
template <class Target>
__global__ void __launch_bounds__(kWindowThreads)
    write_windows(const __grid_constant__ Windows w, const __grid_constant__ Target target) {
  __shared__ unsigned winner[1 << kMostWindowBits];  // the last pair, plus 1
  const unsigned from = w.starts[blockIdx.x], to = w.starts[blockIdx.x + 1];
  if (from == to) return;
  if (to - from > kLongWindow) return share_window(w, from, to);
  const unsigned p = from + threadIdx.x;
  const unsigned mine = p < to ? w.place[p] : w.places;  // most windows have less than a pair per thread
  if (mine < w.places) target.touch(mine);
  for (unsigned i = threadIdx.x; i < 1u << w.bits; i += kWindowThreads) winner[i] = 0;
  __syncthreads();
  if (mine < w.places) atomicMax(winner + w.within(mine), p + 1);
  for (unsigned q = p + kWindowThreads; q < to; q += kWindowThreads) {
    const unsigned i = w.place[q];
    if (i >= w.places) continue;
    target.touch(i);
    atomicMax(winner + w.within(i), q + 1);
  }
  __syncthreads();
  if (mine < w.places && winner[w.within(mine)] == p + 1) target.write(mine, p);
  for (unsigned q = p + kWindowThreads; q < to; q += kWindowThreads) {
    const unsigned i = w.place[q];
    if (i < w.places && winner[w.within(i)] == q + 1) target.write(i, q);
  }
}

/// The winners of each tile are found in shared memory, and only they compete in memory: where few places have many pairs,
/// nearly all would wait for each other there.
__global__ void __launch_bounds__(kWindowThreads) share_claims(const __grid_constant__ Windows w) {
  __shared__ unsigned winner[1 << kMostWindowBits];
  const unsigned tiles = *w.tiles;
  for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x) {
    const SharedTile tile = w.tile[t];
    for (unsigned i = threadIdx.x; i < 1u << w.bits; i += kWindowThreads) winner[i] = 0;
    __syncthreads();
#pragma unroll 4
    for (unsigned p = tile.from + threadIdx.x; p < tile.to; p += kWindowThreads) {
      const unsigned i = w.place[p];
      if (i < w.places) atomicMax(winner + w.within(i), p + 1);
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 1u << w.bits; i += kWindowThreads) {
      if (winner[i] != 0) atomicMax(w.winner(tile.slot, i), winner[i]);
    }
    __syncthreads();
  }
}

/// Every place of a shared window that has a winner is written.
template <class Target>
__global__ void __launch_bounds__(kWindowThreads)
    share_writes(const __grid_constant__ Windows w, const __grid_constant__ Target target) {
  const std::uint64_t entries = static_cast<std::uint64_t>(*w.slots) << w.bits;
  for (std::uint64_t e = std::uint64_t{blockIdx.x} * kWindowThreads + threadIdx.x; e < entries;
       e += std::uint64_t{gridDim.x} * kWindowThreads) {
    if (w.winners[e] != 0) target.write(w.place[w.winners[e] - 1], w.winners[e] - 1);
  }
}

}  // namespace cuprum::cuda::primitives
