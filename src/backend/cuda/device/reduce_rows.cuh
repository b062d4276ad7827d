// Reductions of the fastest dimension: neighbouring threads read neighbouring items of one result.
//
// A result has `major` inner rows; each is cut into items of kQuad elements. 1 << shift threads share a result: thread t
// takes items t, t + width, ... in this order. Results with many items are shared by several blocks, each with
// consecutive items. `outer` counts results.
#pragma once

#include "device/reduce.cuh"

namespace cuprum::cuda::device {

template <class Body, class Row>
CUPRUM_DEVICE void read_row(Body& body, const ReduceSpace<typename Body::Index>& space, Row& row) {
  using Index = typename Body::Index;
  constexpr int U = Body::kUnroll;
  const Index width = Index(1) << space.shift;
  const Index begin = static_cast<Index>(blockIdx.y) * space.part;
  const Index end = space.items - begin < space.part ? space.items : begin + space.part;
  Index w = begin + (static_cast<Index>(threadIdx.x) & (width - 1));
  while (w < end) {
    for (int k = 0; k < kChunk && w < end; k += U) {
      Item<Index> item[U];
      typename Body::Loaded loaded[U];
#pragma unroll
      for (int u = 0; u < U; ++u) {
        item[u] =
            item_at<kQuad, Body::kWhole, Body::kSingleRow>(w + u * width, end, space.inner, space.per_row);
        body.load(item[u].major, item[u].inner, item[u].count, loaded[u]);
      }
#pragma unroll
      for (int u = 0; u < U; ++u) {
        if (item[u].count > 0) fold_item(body, item[u], loaded[u], row);
      }
      w += U * width;
    }
    flush_all<Body>(row);
  }
}

template <class Body>
CUPRUM_DEVICE void reduce_rows(const typename Body::Params& p) {
  using Index = typename Body::Index;
  static_assert(Body::kVector == kQuad && kChunk % Body::kUnroll == 0);
  alignas(16) __shared__ char shared[kBlock / 32 * Body::Reducers::largest()];
  const ReduceSpace<Index>& space = p.space;
  const int width = 1 << space.shift, lane = static_cast<int>(threadIdx.x) & (width - 1);
  const Index result =
      (static_cast<Index>(blockIdx.x) * kBlock + static_cast<Index>(threadIdx.x)) >> space.shift;
  const bool present = result < space.results;
  Body body(p);
  typename Body::Reducers::Row row;
  if (present) {
    body.outer(result);
    read_row(body, space, row);
  }
  each<Body::Reducers::size>([&]<int I>() {
    using R = ReducerOf<Body, I>;
    typename R::State state = row_state<R>(get<I>(row));
    merge_threads<R>(state, space.shift, shared);
    if (!present || lane != 0) return;
    if (space.splits == 1) {
      body.template result<I>(result, R::finish(state, space.count, body.template ddof<I>()));
    } else {
      partial_states<Body, I>(space)[blockIdx.y * static_cast<int64>(space.results) + result] = state;
    }
  });
  if (space.splits == 1 || !is_last_block(space)) return;
  each<Body::Reducers::size>([&]<int I>() {
    using R = ReducerOf<Body, I>;
    const auto* partial = partial_states<Body, I>(space);
    typename R::State state;
    for (int s = lane; s < space.splits && present; s += width) {
      R::merge(state, partial[s * static_cast<int64>(space.results) + result]);
    }
    merge_threads<R>(state, space.shift, shared);
    if (present && lane == 0) {
      body.template result<I>(result, R::finish(state, space.count, body.template ddof<I>()));
    }
  });
}

}  // namespace cuprum::cuda::device
