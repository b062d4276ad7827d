// Reductions whose operation may not be regrouped: one thread folds the elements of a result in index order.
//
// kVector is 1, `outer` counts results, `major` the elements of a result, `inner` is 0.
#pragma once

#include "device/reduce.cuh"

namespace cuprum::cuda::device {

/// Folding with `Operation::apply(a, b)` from the first element on.
template <class Operation, class T>
struct InOrder {
  static constexpr bool kPositions = false;
  using Value = T;
  using Result = T;
  struct Running {
    T total = T{};
    bool any = false;
  };
  using State = Running;

  CUPRUM_DEVICE static void add(Running& r, T value) {
    r.total = r.any ? Operation::apply(r.total, value) : value;
    r.any = true;
  }
};

template <class Body>
CUPRUM_DEVICE void reduce_serial(const typename Body::Params& p) {
  using Index = typename Body::Index;
  constexpr int U = Body::kUnroll;
  const ReduceSpace<Index>& space = p.space;
  const Index stride = static_cast<Index>(gridDim.x) * kBlock;
  Body body(p);
  Index result = static_cast<Index>(blockIdx.x) * kBlock + static_cast<Index>(threadIdx.x);
  while (result < space.results) {
    body.outer(result);
    typename Body::Reducers::Running running;
    for (Index at = 0; at < space.items; at += U) {
      typename Body::Loaded loaded[U];
#pragma unroll
      for (int u = 0; u < U; ++u) body.load(at + u, 0, at + u < space.items ? 1 : 0, loaded[u]);
#pragma unroll
      for (int u = 0; u < U; ++u) {
        if (at + u >= space.items) continue;
        typename Body::Reducers::Values values;
        body.values(at + u, 0, 1, loaded[u], values);
        each<Body::Reducers::size>(
            [&]<int I>() { ReducerOf<Body, I>::add(get<I>(running).lane[0], get<I>(values).lane[0]); });
      }
    }
    each<Body::Reducers::size>(
        [&]<int I>() { body.template result<I>(result, get<I>(running).lane[0].total); });
    if (space.results - result <= stride) break;  // an addition could leave the range of Index
    result += stride;
  }
}

}  // namespace cuprum::cuda::device
