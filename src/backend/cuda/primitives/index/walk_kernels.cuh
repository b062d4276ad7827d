// Random reads and additions in an array beyond the cache, in the order of the array: every block keeps the places of some ten
// thousand positions in registers and walks through the array window by window, touching in each what lies there. Blocks
// run at about the same pace, so that what one fetches others find in the cache.
//
// One position after the other, each word costs a miss of the cache, 40 of them per nanosecond on an H200 whatever is
// done to hide their latency: 1.6 ms for 2^26 reads from 256 MB, which take 1.1 this way. Nothing but time depends on who
// walks where: no block waits for another; blocks that met at every window took up to three times as long.
#pragma once

#include "backend/cuda/primitives/index/index_strategy.h"

namespace cuprum::cuda::primitives {

/// The array, and how it is walked.
struct Walk {
  char* array;
  unsigned step;      // bytes from place to place
  int shift;          // a window is 2^shift places
  std::int64_t tile;  // positions that a block takes at a time, kWalkThreads * kEach at most

  __device__ char* at(unsigned place) const { return array + std::uint64_t{place} * step; }
};

#if defined(__CUDACC__)
/// Keeps the compiler from computing addresses of all windows ahead: they would not fit the registers.
__device__ inline void keep(unsigned& place) { asm volatile("" : "+r"(place)); }
#else
inline void keep(unsigned&) {}
#endif

/// The windows that a warp's places lie in; bad ones lie behind all others and do not count.
struct Span {
  unsigned first, last;
};
template <int kEach>
__device__ Span span_of(const unsigned (&place)[kEach], int shift, unsigned nowhere) {
  unsigned least = nowhere, most = 0;
#pragma unroll
  for (int u = 0; u < kEach; ++u) {
    least = place[u] < least ? place[u] : least;
    most = place[u] != nowhere && place[u] > most ? place[u] : most;
  }
  return {__reduce_min_sync(~0u, least) >> shift, __reduce_max_sync(~0u, most) >> shift};
}

/// For the thread's positions, each with a number u: use.prepare(u, position) before all else; use.miss(u) if its index is
/// bad. use.begin(): the walk begins. use.act(u, address): the position names the word there. use.turn(): on to the next
/// window. use.rest(): it ends, and use.leave(u, position).
template <int kEach, class Positions, class Use>
__device__ void walk(const Positions& positions, const Walk& w, Use& use) {
  const unsigned nowhere = positions.nowhere();
  for (std::int64_t begin = blockIdx.x * w.tile; begin < positions.size; begin += gridDim.x * w.tile) {
    const std::int64_t end = begin + w.tile < positions.size ? begin + w.tile : positions.size;
    const std::int64_t first = begin + threadIdx.x;
    const int rest = static_cast<int>(end - begin) - static_cast<int>(threadIdx.x);
    unsigned place[kEach];
    bool bad = false;
#pragma unroll
    for (int u = 0; u < kEach; ++u) {
      if (u * kWalkThreads < rest) use.prepare(u, first + u * kWalkThreads);
    }
#pragma unroll
    for (int u = 0; u < kEach; ++u) {
      const bool mine = u * kWalkThreads < rest;
      place[u] = mine ? positions.find(first + u * kWalkThreads) : nowhere;
      bad |= mine && place[u] == nowhere;
    }
    if (bad) {  // says so
      for (int u = 0; u < kEach && u * kWalkThreads < rest; ++u) {
        if (positions.place(first + u * kWalkThreads) == nowhere) use.miss(u);
      }
    }
    use.begin();
    const Span span = span_of(place, w.shift, nowhere);
    for (unsigned window = span.first; window <= span.last; ++window) {
#pragma unroll
      for (int u = 0; u < kEach; ++u) {
        keep(place[u]);
        if (place[u] >> w.shift == window) use.act(u, w.at(place[u]));
      }
      use.turn();
    }
    use.rest();
#pragma unroll
    for (int u = 0; u < kEach; ++u) {
      if (u * kWalkThreads < rest) use.leave(u, first + u * kWalkThreads);
    }
  }
}

}  // namespace cuprum::cuda::primitives
