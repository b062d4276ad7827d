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
inline constexpr unsigned kWindowTile = 2048;  // pairs of a shared window that a block takes

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

/// f(place, pair, winner of the place) for the pairs of shared windows, the last tiles first.
template <class F>
__device__ void each_shared(const Windows& w, F f) {
  const unsigned tiles = *w.tiles;
  for (unsigned t = blockIdx.x; t < tiles; t += gridDim.x) {
    const SharedTile tile = w.tile[tiles - 1 - t];
    for (unsigned p = tile.from + threadIdx.x; p < tile.to; p += kWindowThreads) {
      const unsigned i = w.place[p];
      if (i < w.places) f(i, p, w.winner(tile.slot, i));
    }
  }
}

/// Pairs that see a later one leave it alone, so few wait for each other at few places. What they see may be old.
__global__ void share_claims(const __grid_constant__ Windows w) {
  each_shared(w, [](unsigned, unsigned p, unsigned* winner) {
    if (*winner < p + 1) atomicMax(winner, p + 1);
  });
}

template <class Target>
__global__ void share_writes(const __grid_constant__ Windows w, const __grid_constant__ Target target) {
  each_shared(w, [&](unsigned i, unsigned p, const unsigned* winner) {
    if (*winner == p + 1) target.write(i, p);
  });
}

}  // namespace cuprum::cuda::primitives
