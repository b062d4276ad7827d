// The skeleton of elementwise kernels.
//
// The iteration space is `major` rows of `inner` elements. A row is cut into items of V consecutive elements, the last of
// which may be shorter; a thread takes U items, a block apart from each other, reads all of them, then computes and writes.
//
// The contract of a Body, here and in the skeletons of reductions:
//   Params                      the kernel's argument, by value; Params::space is the skeleton's part
//   Index                       int or int64: holds the number of elements and every offset in bytes
//   kVector, kUnroll            V and U
//   kWhole                      rows are a multiple of V long: an item is whole or not there
//   kSingleRow                  there is one row: `major` is always 0
//   Loaded                      what was read for one item
//   Body(const Params&)
//   load(major, inner, count, Loaded&)     reads `count` elements of a row (0: none)
//   store(major, inner, count, Loaded&)    computes and writes them
// `major` counts the rows in row-major order of the kernel's dimensions but the last; `inner` is a multiple of V.
// Stores may be the identical view of a leaf, so an item is read before it is written and by the same thread.
#pragma once

#include "device/memory.cuh"

namespace cuprum::cuda::device {

/// Where an item lies: its row, its first element, and how many it has.
template <class Index>
struct Item {
  Index major, inner;
  int count;
};

template <int V, bool whole, bool single_row, class Index>
CUPRUM_DEVICE Item<Index> item_at(Index w, Index end, Index row, const Divisor<Index>& per_row) {
  Item<Index> item;
  item.major = 0;
  item.inner = w;
  if constexpr (!single_row) {
    item.major = w;
    item.inner = split(item.major, per_row);
  }
  item.inner *= V;
  if constexpr (whole) {
    item.count = w < end ? V : 0;
  } else {
    const Index rest = row - item.inner;
    item.count = w < end ? (rest < V ? static_cast<int>(rest) : V) : 0;
  }
  return item;
}

template <class Body>
CUPRUM_DEVICE void elementwise(const typename Body::Params& p) {
  using Index = typename Body::Index;
  constexpr int V = Body::kVector, U = Body::kUnroll;
  Body body(p);
  const Index end = p.space.items;
  const Index stride = static_cast<Index>(gridDim.x) * (kBlock * U);
  Index first = static_cast<Index>(blockIdx.x) * (kBlock * U) + static_cast<Index>(threadIdx.x);
  while (first < end) {
    Item<Index> item[U];
    typename Body::Loaded loaded[U];
#pragma unroll
    for (int u = 0; u < U; ++u) {
      item[u] =
          item_at<V, Body::kWhole, Body::kSingleRow>(first + u * kBlock, end, p.space.inner, p.space.per_row);
      body.load(item[u].major, item[u].inner, item[u].count, loaded[u]);
    }
#pragma unroll
    for (int u = 0; u < U; ++u) {
      if (item[u].count > 0) body.store(item[u].major, item[u].inner, item[u].count, loaded[u]);
    }
    if (end - first <= stride) break;  // an addition could leave the range of Index
    first += stride;
  }
}

}  // namespace cuprum::cuda::device
