// Reductions that keep the fastest dimension: neighbouring threads read neighbouring columns, kQuad of them each.
//
// Items are counted over all inner rows of kept elements. 1 << shift threads stand side by side, the others of the block
// below them: thread row y of a block takes rows y, y + height, ... of its part in this order. `outer` counts the kept
// dimensions but the inner row, `major` the rows that are reduced.
#pragma once

#include "device/reduce.cuh"

namespace cuprum::cuda::device {

/// Where a thread stands: its columns and its row among the thread rows.
template <class Index>
struct ColumnPlace {
  Index outer, column;
  int count;  // of columns; 0 beyond the end
  int x, y, height;

  CUPRUM_DEVICE explicit ColumnPlace(const ReduceSpace<Index>& space) {
    x = static_cast<int>(threadIdx.x) & ((1 << space.shift) - 1);
    y = static_cast<int>(threadIdx.x) >> space.shift;
    height = kBlock >> space.shift;
    outer = (static_cast<Index>(blockIdx.x) << space.shift) + x;
    const bool present = outer < space.items;
    column = split(outer, space.per_row) * kQuad;
    const Index rest = space.inner - column;
    count = !present ? 0 : rest < kQuad ? static_cast<int>(rest) : kQuad;
  }
};

template <class Body, class Running>
CUPRUM_DEVICE void read_columns(Body& body, const ReduceSpace<typename Body::Index>& space,
                                const ColumnPlace<typename Body::Index>& place, Running& running) {
  using Index = typename Body::Index;
  constexpr int U = Body::kUnroll;
  const Index begin = static_cast<Index>(blockIdx.y) * space.part;
  const Index end = space.major - begin < space.part ? space.major : begin + space.part;
  Index row = begin + place.y;
  while (row < end) {
    for (int k = 0; k < kChunk && row < end; k += U) {
      Item<Index> item[U];
      typename Body::Loaded loaded[U];
#pragma unroll
      for (int u = 0; u < U; ++u) {
        item[u].major = row + u * place.height;
        item[u].inner = place.column;
        item[u].count = item[u].major < end ? place.count : 0;
        body.load(item[u].major, item[u].inner, item[u].count, loaded[u]);
      }
#pragma unroll
      for (int u = 0; u < U; ++u) {
        if (item[u].count > 0) fold_item(body, item[u], loaded[u], running);
      }
      row += U * place.height;
    }
    flush_all<Body>(running);
  }
}

/// Merges the states of the thread rows into those of the first, in halves. `shared` has room for kQuad states of half of
/// the block's threads.
template <class R>
CUPRUM_DEVICE void merge_thread_rows(typename R::State (&state)[kQuad], int x, int y, int height, int shift,
                                     char* shared) {
  auto* states = reinterpret_cast<typename R::State*>(shared);
  for (int half = height / 2; half > 0; half /= 2) {
    __syncthreads();
    if (y >= half && y < 2 * half) {
#pragma unroll
      for (int v = 0; v < kQuad; ++v) states[v * (kBlock / 2) + ((y - half) << shift) + x] = state[v];
    }
    __syncthreads();
    if (y < half) {
#pragma unroll
      for (int v = 0; v < kQuad; ++v) R::merge(state[v], states[v * (kBlock / 2) + (y << shift) + x]);
    }
  }
}

template <class Body>
CUPRUM_DEVICE void reduce_columns(const typename Body::Params& p) {
  using Index = typename Body::Index;
  static_assert(Body::kVector == kQuad && kChunk % Body::kUnroll == 0);
  alignas(16) __shared__ char shared[kBlock / 2 * kQuad * Body::Reducers::largest()];
  const ReduceSpace<Index>& space = p.space;
  const ColumnPlace<Index> place(space);
  const Index first = place.outer * space.inner + place.column;  // result of the first column
  Body body(p);
  typename Body::Reducers::Running running;
  body.outer(place.outer);
  if (place.count > 0) read_columns(body, space, place, running);
  each<Body::Reducers::size>([&]<int I>() {
    using R = ReducerOf<Body, I>;
    typename R::State state[kQuad];
#pragma unroll
    for (int v = 0; v < kQuad; ++v) state[v] = R::state(get<I>(running).lane[v]);
    merge_thread_rows<R>(state, place.x, place.y, place.height, space.shift, shared);
    if (place.y != 0) return;
#pragma unroll
    for (int v = 0; v < kQuad; ++v) {
      if (v >= place.count) continue;
      if (space.splits == 1) {
        body.template result<I>(first + v, R::finish(state[v], space.count, body.template ddof<I>()));
      } else {
        partial_states<Body, I>(space)[blockIdx.y * static_cast<int64>(space.results) + first + v] = state[v];
      }
    }
  });
  if (space.splits == 1 || !is_last_block(space)) return;
  each<Body::Reducers::size>([&]<int I>() {
    using R = ReducerOf<Body, I>;
    const auto* partial = partial_states<Body, I>(space);
    typename R::State state[kQuad];
    for (int s = place.y; s < space.splits; s += place.height) {
#pragma unroll
      for (int v = 0; v < kQuad; ++v) {
        if (v < place.count) R::merge(state[v], partial[s * static_cast<int64>(space.results) + first + v]);
      }
    }
    merge_thread_rows<R>(state, place.x, place.y, place.height, space.shift, shared);
    if (place.y != 0) return;
#pragma unroll
    for (int v = 0; v < kQuad; ++v) {
      if (v >= place.count) continue;
      body.template result<I>(first + v, R::finish(state[v], space.count, body.template ddof<I>()));
    }
  });
}

}  // namespace cuprum::cuda::device
