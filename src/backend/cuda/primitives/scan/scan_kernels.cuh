// Parallel scans whose grouping depends on the shape alone: the same bits in every run.
//
// Rows (one pass over memory). A row is cut into tiles, one per block; blocks take tiles in order. A tile is scanned in
// registers, a warp over 32 * V neighbouring elements at a time. What comes before it:
//   aggregate   each tile publishes the fold of its own elements
//   group       kGroup tiles: a tile waits for the aggregates of its group before it and folds them in order
//   start       of a group: the fold of all groups before, published by the last tile of the group before
// A look-back that takes whatever is ready first would be as fast, but its sums would depend on timing. Here the chain
// from group to group is one hop of about 1 us per 256 tiles, whose memory traffic takes 4 to 8 us. Large tiles make fewer
// hops and fewer waits: 64 KiB of float32 take 0.73 ms for 2^28 elements, 32 KiB 0.78, 16 KiB 0.80.
//
// Columns. A block walks down 32 neighbouring columns; its warps take 16 rows each.
//
// No operation needs a neutral element: what comes after the end of a row is scanned along and never used.
#pragma once

#include "backend/cuda/primitives/common/element.cuh"
#include "backend/cuda/primitives/scan/scan_shape.h"
#include "kernels/folds.h"

namespace cuprum::cuda::primitives {

inline constexpr int kScanSteps = 8;         // of a warp in a tile
inline constexpr std::int64_t kGroup = 256;  // tiles
inline constexpr int kColumnThreads = 256, kColumnWarps = kColumnThreads / 32;

using kernels::Max;
using kernels::Min;
using kernels::Prod;
using kernels::Sum;

/// Blocks that should fit a multiprocessor at a time: their loads together hide the latency of memory.
template <class A>
inline constexpr int kScanBlocks = sizeof(A) <= 4   ? 4
                                   : sizeof(A) == 8 ? 3
                                                    : 2;

/// What a scan computes in: long sums and products of small floats are rounded at the end only.
template <class F, class T>
using Accumulator =
    kernels::conditional<kernels::small_float<T> && (kernels::same<F, Sum> || kernels::same<F, Prod>), float,
                         T>;

template <class A, class T>
__device__ A widened(T x) {
  if constexpr (kernels::same<A, T>) {
    return x;
  } else {
    return kernels::widen(x);
  }
}
template <class T, class A>
__device__ T narrowed(A x) {
  if constexpr (kernels::same<A, T>) {
    return x;
  } else {
    return kernels::narrow<T>(x);
  }
}

/// A value of any type through the shuffle of a warp, word by word.
template <class T, class Shuffle>
__device__ T shuffled(T x, Shuffle&& shuffle) {
  constexpr int kWords = (sizeof(T) + 3) / 4;
  unsigned words[kWords] = {};
  __builtin_memcpy(words, &x, sizeof(T));
#pragma unroll
  for (int i = 0; i < kWords; ++i) words[i] = shuffle(words[i]);
  __builtin_memcpy(&x, words, sizeof(T));
  return x;
}
template <class T>
__device__ T from_lower_lane(T x, int distance) {
  return shuffled(x, [&](unsigned w) { return __shfl_up_sync(~0u, w, distance); });
}
template <class T>
__device__ T from_lane(T x, int lane) {
  return shuffled(x, [&](unsigned w) { return __shfl_sync(~0u, w, lane); });
}

/// The fold of this lane's x and those of all lower lanes.
template <class F, class T>
__device__ T scan_warp(T x, int lane) {
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const T lower = from_lower_lane(x, distance);
    if (lane >= distance) x = F::fold(lower, x);
  }
  return x;
}

// -- Values that one block publishes and others wait for.

/// A value of up to 4 bytes goes in one word with its flag: one access tells both.
template <class A>
struct alignas(sizeof(A)) Slot {
  A value;
  unsigned ready;
};
template <class A>
requires(sizeof(A) <= 4) struct Slot<A> {
  kernels::uint64 word;
};

template <class A>
__device__ void publish(Slot<A>* slot, A value) {
  if constexpr (sizeof(A) <= 4) {
    const kernels::uint64 bits = kernels::to_bits(value);
    *static_cast<volatile kernels::uint64*>(&slot->word) = bits | kernels::uint64(1) << 32;
  } else {
    slot->value = value;
    __threadfence();
    *static_cast<volatile unsigned*>(&slot->ready) = 1;
  }
}

template <class A>
__device__ A await(const Slot<A>* slot) {
  if constexpr (sizeof(A) <= 4) {
    kernels::uint64 word = 0;
    while (word == 0) word = *static_cast<const volatile kernels::uint64*>(&slot->word);
    return kernels::bit_cast<A>(static_cast<kernels::bits_of<A>>(word));
  } else {
    while (*static_cast<const volatile unsigned*>(&slot->ready) == 0) {
    }
    __threadfence();
    using Word = kernels::conditional<sizeof(A) == 16, uint4, kernels::bits_of<A>>;
    return __builtin_bit_cast(
        A, __ldcg(reinterpret_cast<const Word*>(&slot->value)));  // past the cache of this multiprocessor
  }
}

// -- Rows.

template <class T>
inline constexpr int kVector = sizeof(T) >= 4 ? 16 / sizeof(T) : 4;
template <class T, int warps>
inline constexpr int kTile = warps* kScanSteps * 32 * kVector<T>;

/// Calls use.operator()<warps>() with the number of warps that scan a tile: twice as many where a row has several tiles and
/// 64 registers are enough.
template <class T, class A, class Use>
void with_scan_warps(std::int64_t n, Use&& use) {
  if constexpr (sizeof(A) <= 4) {
    if (n > kTile<T, 8>) return use.template operator()<16>();
  }
  use.template operator()<8>();
}

template <class A>
struct TileState {
  unsigned* ticket;
  Slot<A>* aggregates;         // of tiles
  Slot<A>* starts;             // of groups
  std::int64_t tiles, groups;  // per row
};

/// V neighbouring elements, those beyond `count` undefined.
template <class T, int V>
__device__ void load_items(const T* from, int count, bool vector, T (&items)[V]) {
  struct alignas(sizeof(T) * V) Vector {
    T item[V];
  };
  if (vector && count >= V) {
    const Vector all = *reinterpret_cast<const Vector*>(from);
#pragma unroll
    for (int v = 0; v < V; ++v) items[v] = all.item[v];
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v) items[v] = v < count ? from[v] : T{};
  }
}
template <class T, int V>
__device__ void store_items(T* to, int count, bool vector, const T (&items)[V]) {
  struct alignas(sizeof(T) * V) Vector {
    T item[V];
  };
  if (vector && count >= V) {
    Vector all;
#pragma unroll
    for (int v = 0; v < V; ++v) all.item[v] = items[v];
    *reinterpret_cast<Vector*>(to) = all;
  } else {
#pragma unroll
    for (int v = 0; v < V; ++v) {
      if (v < count) to[v] = items[v];
    }
  }
}

/// The fold of everything in the row before tile `tile`, which is not the first; `aggregate` is its own. All threads call
/// it; all get the result. `shared` has room for a value of each 32 tiles of a group and two more.
template <class F, class A>
__device__ A fold_before(const TileState<A>& state, std::int64_t row, std::int64_t tile, A aggregate,
                         A* shared) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::int64_t group = tile / kGroup, first = group * kGroup;
  const int count = static_cast<int>(tile - first);  // aggregates to fold: one per thread, none for the 256th
  Slot<A>* const start = state.starts + row * state.groups + group;
  A* const group_start = shared + kGroup / 32;
  A own = aggregate;  // beyond `count` never used
  if (static_cast<int>(threadIdx.x) < count) {
    own = await(state.aggregates + row * state.tiles + first + threadIdx.x);
  } else if (threadIdx.x == kGroup - 1 && group > 0) {
    *group_start = await(start);
  }
  const A scanned = scan_warp<F>(own, lane);
  const int left = count - warp * 32;  // aggregates of this warp; the last of their lanes has the fold
  const int last = (left < 32 ? left : 32) - 1;
  if (lane == last) shared[warp] = scanned;
  __syncthreads();
  if (threadIdx.x == 0) {
    bool any = group > 0;
    A before = any ? *group_start : aggregate;
    for (int w = 0; w * 32 < count; ++w) {
      before = any ? F::fold(before, shared[w]) : shared[w];
      any = true;
    }
    if (tile + 1 == first + kGroup && tile + 1 < state.tiles) {
      publish(start + 1, F::fold(before, aggregate));
    }
    group_start[1] = before;
  }
  __syncthreads();
  return group_start[1];
}

template <class F, class T, class A, int W>
__global__ void __launch_bounds__(W * 32, W == 16 ? 2 : kScanBlocks<A>)
    scan_tiles(const ScanRows scan, const TileState<A> state, bool vector) {
  using Stored = kernels::conditional<kernels::boolean<T>, kernels::uint8, T>;
  constexpr int V = kVector<T>;
  __shared__ alignas(16) unsigned char memory[(W + kGroup / 32 + 2) * sizeof(A)];
  __shared__ unsigned taken;
  A* const totals = reinterpret_cast<A*>(memory);
  if (threadIdx.x == 0) taken = atomicAdd(state.ticket, 1u);
  __syncthreads();
  const unsigned per_row = static_cast<unsigned>(state.tiles);  // there are fewer than 2^31 tiles in all
  const std::int64_t row = taken / per_row, tile = taken % per_row;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const std::int64_t first = tile * kTile<T, W> + warp * (kScanSteps * 32 * V) + lane * V;
  const Stored* in = reinterpret_cast<const Stored*>(scan.in) + row * scan.n + first;
  Stored* out = reinterpret_cast<Stored*>(scan.out) + row * scan.n + first;
  const bool whole = scan.n - tile * kTile<T, W> >= kTile<T, W>;
  const int left = whole ? kTile<T, W> : static_cast<int>(scan.n - first);  // negative: none

  A item[kScanSteps][V], before[kScanSteps];  // `before`: the fold of the warp's elements before this lane's
#pragma unroll
  for (int s = 0; s < kScanSteps; ++s) {
    Stored stored[V];
    load_items(in + s * 32 * V, whole ? V : left - s * 32 * V, vector, stored);
#pragma unroll
    for (int v = 0; v < V; ++v) item[s][v] = widened<A>(static_cast<T>(stored[v]));
  }
  A total{};
#pragma unroll
  for (int s = 0; s < kScanSteps; ++s) {
#pragma unroll
    for (int v = 1; v < V; ++v) item[s][v] = F::fold(item[s][v - 1], item[s][v]);
    const A scanned = scan_warp<F>(item[s][V - 1], lane);
    const A lower = from_lower_lane(scanned, 1), whole = from_lane(scanned, 31);
    before[s] = s == 0 ? lower : lane == 0 ? total : F::fold(total, lower);
    total = s == 0 ? whole : F::fold(total, whole);
  }
  if (lane == 31) totals[warp] = total;
  __syncthreads();

  A aggregate = totals[0], start{};
#pragma unroll
  for (int w = 1; w < W; ++w) {
    if (w == warp) start = aggregate;  // the fold of the warps before
    aggregate = F::fold(aggregate, totals[w]);
  }
  if (tile + 1 < state.tiles && threadIdx.x == 0) {
    publish(state.aggregates + row * state.tiles + tile, aggregate);
  }
  bool any = warp > 0;
  if (tile > 0) {
    const A earlier = fold_before<F>(state, row, tile, aggregate, totals + W);
    start = any ? F::fold(earlier, start) : earlier;
    any = true;
  }
#pragma unroll
  for (int s = 0; s < kScanSteps; ++s) {
    const bool first_lane = s == 0 && lane == 0;
    const A ahead = !any ? before[s] : first_lane ? start : F::fold(start, before[s]);
    Stored stored[V];
#pragma unroll
    for (int v = 0; v < V; ++v) {
      const A x = any || !first_lane ? F::fold(ahead, item[s][v]) : item[s][v];
      stored[v] = static_cast<Stored>(narrowed<T>(x));
    }
    store_items(out + s * 32 * V, whole ? V : left - s * 32 * V, vector, stored);
  }
}

// -- Columns.

inline constexpr int kColumnSteps = 16;

/// `in_order`: one warp, whose fold is that of the definition, element after element.
template <class F, class T, bool in_order>
__global__ void __launch_bounds__(in_order ? 32 : kColumnThreads,
                                  in_order ? 16 : kScanBlocks<Accumulator<F, T>>)
    scan_columns(const __grid_constant__ ScanColumns scan) {
  using A = kernels::conditional<in_order, T, Accumulator<F, T>>;
  constexpr int kWarps = in_order ? 1 : kColumnWarps;
  __shared__ alignas(16) unsigned char memory[kWarps * 32 * sizeof(A)];
  A* const totals = reinterpret_cast<A*>(memory);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::int64_t at[2];
  scan.matrices.offsets(blockIdx.x / scan.strips, at);
  const std::int64_t column = blockIdx.x % scan.strips * 32 + lane;
  const bool inside = column < scan.width;
  const char* in = scan.in + at[0] + column * sizeof(T);
  char* out = scan.out + at[1] + column * sizeof(T);
  A carry{};
  for (std::int64_t begin = 0; begin < scan.n; begin += kWarps * kColumnSteps) {
    const std::int64_t row = begin + warp * kColumnSteps;
    const std::int64_t left = scan.n - row;
    A item[kColumnSteps];
#pragma unroll
    for (int i = 0; i < kColumnSteps; ++i) {
      const bool exists = inside && i < left;
      item[i] = exists ? widened<A>(read_element<T>(in + (row + i) * scan.in_step)) : A{};
    }
    if (in_order && begin > 0) item[0] = F::fold(carry, item[0]);
#pragma unroll
    for (int i = 1; i < kColumnSteps; ++i) item[i] = F::fold(item[i - 1], item[i]);
    if constexpr (in_order) {
      carry = item[kColumnSteps - 1];
    } else {
      totals[warp * 32 + lane] = item[kColumnSteps - 1];
      __syncthreads();
      bool any = begin > 0;
      A start = carry, all = carry;
#pragma unroll
      for (int w = 0; w < kWarps; ++w) {
        if (w == warp) start = all;
        const A own = totals[w * 32 + lane];
        all = w > 0 || any ? F::fold(all, own) : own;
      }
      carry = all;
      if (any || warp > 0) {
#pragma unroll
        for (int i = 0; i < kColumnSteps; ++i) item[i] = F::fold(start, item[i]);
      }
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < kColumnSteps; ++i) {
      if (inside && i < left) write_element(out + (row + i) * scan.out_step, narrowed<T>(item[i]));
    }
  }
}

}  // namespace cuprum::cuda::primitives
