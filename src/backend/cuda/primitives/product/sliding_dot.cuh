// The tiles of sliding_dot, as text for the device.
//
// A block has kResults sums, four neighbours per thread. Taps pass by in parts of kTaps: the part and the elements under it
// lie in shared memory, read four at a time, so that two such reads serve sixteen products. Sums are added up in the order
// of the taps, part by part. At the ends of `a` results have fewer taps; those are tested one by one.
#pragma once

#include <cstdint>

#include "kernels/arithmetic.h"
#include "kernels/complex.h"

namespace cuprum::cuda::primitives {

inline constexpr int kSlidingThreads = 256, kSlidingTaps = 64, kSlidingResults = 4 * kSlidingThreads;

template <class T>
struct SlidingProduct {
  const T* a;
  std::int64_t length;
  const T* v;
  std::int64_t taps, left;
  T* out;
  std::int64_t count;
};

/// Four neighbours in shared memory, read at once where the machine can.
template <class T>
struct alignas(sizeof(T) * 4 < 16 ? sizeof(T) * 4 : 16) Quad {
  T item[4];
};

/// A bool may have any bits but 0 for true in memory that others wrote.
template <class T>
__device__ T read_item(const T* data, std::int64_t i) {
  if constexpr (kernels::boolean<T>) {
    return reinterpret_cast<const kernels::uint8*>(data)[i] != 0;
  } else {
    return data[i];
  }
}

template <class T>
struct SlidingTile {
  Quad<T> under[kSlidingThreads + kSlidingTaps / 4];
  Quad<T> weights[kSlidingTaps / 4];

  __device__ T at(int i) const { return under[i / 4].item[i % 4]; }
  __device__ T weight(int j) const { return weights[j / 4].item[j % 4]; }

  /// The taps [tap, tap + kSlidingTaps) and what lies under them, from `start` on for the first; zeros beyond the ends.
  __device__ void load(const SlidingProduct<T>& dot, std::int64_t start, std::int64_t tap, int thread) {
    for (int i = thread; i < kSlidingResults + kSlidingTaps; i += kSlidingThreads) {
      const std::int64_t k = start + tap + i;
      under[i / 4].item[i % 4] = k >= 0 && k < dot.length ? read_item(dot.a, k) : T{};
    }
    if (thread < kSlidingTaps) {
      weights[thread / 4].item[thread % 4] = tap + thread < dot.taps ? read_item(dot.v, tap + thread) : T{};
    }
  }
};

template <class T>
__device__ void multiply_add(T& sum, T a, T v) {
  sum = kernels::add(sum, kernels::multiply(a, v));
}

/// `taps` taps, all of which all four results have; a multiple of four.
template <class T>
__device__ void whole_taps(const SlidingTile<T>& tile, int thread, int taps, T (&part)[4]) {
  Quad<T> here = tile.under[thread];
  for (int q = 0; q < taps / 4; ++q) {
    const Quad<T> next = tile.under[thread + q + 1], weight = tile.weights[q];
#pragma unroll
    for (int t = 0; t < 4; ++t) {
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        multiply_add(part[u], t + u < 4 ? here.item[(t + u) % 4] : next.item[(t + u) % 4], weight.item[t]);
      }
    }
    here = next;
  }
}

template <class T>
__global__ void __launch_bounds__(kSlidingThreads)
    sliding_tiles(const __grid_constant__ SlidingProduct<T> dot) {
  __shared__ SlidingTile<T> tile;
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * kSlidingResults, start = first - dot.left;
  // Taps that any result of this block has.
  const std::int64_t last = start + kSlidingResults - 1, behind = dot.length - start;
  const std::int64_t begin = last < 0 ? -last : 0, end = behind < dot.taps ? behind : dot.taps;
  T sum[4] = {};
  for (std::int64_t tap = begin; tap < end; tap += kSlidingTaps) {
    tile.load(dot, start, tap, thread);
    __syncthreads();
    T part[4] = {};
    const int taps = static_cast<int>(end - tap < kSlidingTaps ? end - tap : kSlidingTaps);
    const bool whole = start + tap >= 0 && last + tap + taps - 1 < dot.length;
    const int quads = whole ? taps / 4 * 4 : 0;
    whole_taps(tile, thread, quads, part);
    for (int j = quads; j < taps; ++j) {
      for (int u = 0; u < 4; ++u) {
        const std::int64_t k = start + 4 * thread + u + tap + j;
        if (k >= 0 && k < dot.length) multiply_add(part[u], tile.at(4 * thread + u + j), tile.weight(j));
      }
    }
    for (int u = 0; u < 4; ++u) sum[u] = kernels::add(sum[u], part[u]);
    __syncthreads();
  }
  for (int u = 0; u < 4; ++u) {
    const std::int64_t i = first + 4 * thread + u;
    if (i < dot.count) dot.out[i] = sum[u];
  }
}

}  // namespace cuprum::cuda::primitives
