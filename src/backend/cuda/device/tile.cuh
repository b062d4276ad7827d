// The skeleton of elementwise kernels some of whose leaves lie across the output: `A + A.T`, a contiguous copy of `A.T`.
//
// A block takes a tile of kTile rows (`major`) and columns (`inner`; the outputs are contiguous along them). Leaves that are
// contiguous along the rows are read with neighbouring threads along those, and turned in shared memory; the others
// are read, and everything is written, with neighbouring threads along the columns. A row of the tile in shared memory is one
// element longer than kTile, so that columns fall on different banks.
//
// The contract of a Body, beside that of elementwise.cuh (V is 1):
//   Turned = Types<...>                     the types of the leaves that are turned
//   outer(o)                                matrix number o
//   fetch<I>(major, inner)                  an element of turned leaf I; load() skips these leaves
//   take<I>(Loaded&, value)
#pragma once

#include "device/elementwise.cuh"

namespace cuprum::cuda::device {

template <class... T>
struct Types {
  static constexpr int size = sizeof...(T);
  template <int I>
  using At = typename TypeAt<I, T...>::type;
  using Values = Tuple<T...>;
  __host__ __device__ static constexpr int largest() {
    int bytes = 1;
    ((bytes = static_cast<int>(sizeof(T)) > bytes ? sizeof(T) : bytes), ...);
    return bytes;
  }
};

/// value[k] of thread (x, y), which is element (y + k * height, x) of the tile read along rows, becomes element (x, y + k *
/// height): every thread gives and takes.
template <int N, class T>
CUPRUM_DEVICE void turn(T (&value)[N], int x, int y, char* shared) {
  auto* tile = reinterpret_cast<T(*)[kTile + 1]>(shared);
  __syncthreads();  // whoever used `shared` before is done
#pragma unroll
  for (int k = 0; k < N; ++k) tile[x][y + k * (kTile / N)] = value[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < N; ++k) value[k] = tile[y + k * (kTile / N)][x];
}

template <class Body>
CUPRUM_DEVICE void tiles(const typename Body::Params& p) {
  using Index = typename Body::Index;
  constexpr int N = kTile * kTile / kBlock, height = kTile / N;
  alignas(16) __shared__ char shared[kTile * (kTile + 1) * Body::Turned::largest()];
  const int x = static_cast<int>(threadIdx.x) % kTile, y = static_cast<int>(threadIdx.x) / kTile;
  Body body(p);
  for (Index tile = static_cast<Index>(blockIdx.x); tile < p.space.tiles;
       tile += static_cast<Index>(gridDim.x)) {
    const Index below = tile & ((Index(1) << p.space.shift) - 1);
    Index outer = tile >> p.space.shift;
    const Index left = split(outer, p.space.per_row) * kTile;
    const Index top = ((split(outer, p.space.per_column) << p.space.shift) + below) * kTile;
    if (top >= p.space.major) continue;
    body.outer(outer);
    typename Body::Turned::Values turned[N];
    typename Body::Loaded loaded[N];
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const Index major = top + x, inner = left + y + k * height;
      each<Body::Turned::size>([&]<int I>() {
        auto& value = get<I>(turned[k]);
        value = {};
        if (major < p.space.major && inner < p.space.inner) value = body.template fetch<I>(major, inner);
      });
    }
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const Index major = top + y + k * height, inner = left + x;
      body.load(major, inner, major < p.space.major && inner < p.space.inner ? 1 : 0, loaded[k]);
    }
    each<Body::Turned::size>([&]<int I>() {
      typename Body::Turned::template At<I> value[N];
#pragma unroll
      for (int k = 0; k < N; ++k) value[k] = get<I>(turned[k]);
      turn(value, x, y, shared);
#pragma unroll
      for (int k = 0; k < N; ++k) body.template take<I>(loaded[k], value[k]);
    });
#pragma unroll
    for (int k = 0; k < N; ++k) {
      const Index major = top + y + k * height, inner = left + x;
      if (major < p.space.major && inner < p.space.inner) body.store(major, inner, 1, loaded[k]);
    }
  }
}

}  // namespace cuprum::cuda::device
