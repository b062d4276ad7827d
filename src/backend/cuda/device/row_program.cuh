// Row programs: stages that reduce a row, and elements that are computed from what was reduced, in one kernel.
//
// A row's elements are read once and stay in the registers of the threads that read them. Every reduction folds in the order
// that it has as a kernel of its own (reduce_rows.cuh): items of kQuad elements, thread t of a row takes items t, t + width,
// ..., kChunk of them are a chunk. A row whose threads have one chunk each is a warp's, a part of one, or a block's; of a
// longer one every block of a cluster has a chunk (row_cluster.cuh).
//
// The contract of a Body, beside that of reduce.cuh:
//   kItems                    items of a thread, at most kChunk
//   kMemoryItems, kWords      of these, how many wait in the block's memory between stages, and 16-byte words of each
//   save<S>(Kept, words), restore<S>(Kept, words)     what of an item stage S leaves to later ones
//   kFull                     every thread has all of them
//   kStages                   reducing stages
//   Reducers<S>               of a stage
//   Kept                      what a thread keeps of an item
//   outer(row)                sets the part of the position that all elements share, and reads what a row has but one of
//   load<S>(major, inner, count, Kept&)               reads what stage S is the first to need
//   values<S>(major, inner, count, Kept&, Values&)    computes what stage S reduces
//   kFirst[S]                 the first reduction of a stage
//   position<R>(major, inner), ddof<R>()              of reduction R
//   take<R>(value)            its result: kept, and read by what comes later
//   row<S>()                  computes what depends on results alone, after stage S
//   kStores, store(major, inner, count, Kept&)        computes and writes elements; load<kStages> came before
//   results(row)              writes the results that somebody wants
#pragma once

#include "device/cluster.cuh"
#include "device/reduce.cuh"

namespace cuprum::cuda::device {

/// The items of a thread: first, first + step, ... below end.
template <class Index>
struct RowItems {
  Index first, step, end;
};

template <class Body>
CUPRUM_DEVICE auto row_item(const typename Body::Params& p, const RowItems<typename Body::Index>& items,
                            int j) {
  auto item = item_at<kQuad, Body::kWhole, Body::kSingleRow>(items.first + j * items.step, items.end,
                                                             p.space.inner, p.space.per_row);
  if constexpr (Body::kFull) item.count = kQuad;
  return item;
}

/// What a thread keeps of its items: the first ones wait in the block's memory, where each thread has its own words.
template <class Body>
struct RowKept {
  static constexpr int kHeld = Body::kItems - Body::kMemoryItems;
  typename Body::Kept held[kHeld];
  uint4* waiting;

  CUPRUM_DEVICE explicit RowKept(char* memory) : waiting(reinterpret_cast<uint4*>(memory) + threadIdx.x) {}
  CUPRUM_DEVICE uint4* at(int j) const { return waiting + j * (Body::kWords * kBlock); }
};

/// Items first ... first + count - 1 of the thread, kept in `kept`: read what stage S needs of them, and fold.
template <int S, int count, class Body, class Row>
CUPRUM_DEVICE void fold_items(Body& body, const RowItems<typename Body::Index>& items, int first,
                              typename Body::Kept* kept, Row& row) {
  using Reducers = typename Body::template Reducers<S>;
#pragma unroll
  for (int j = 0; j < count; ++j) {
    const auto item = row_item<Body>(body.p, items, first + j);
    body.template load<S>(item.major, item.inner, item.count, kept[j]);
  }
#pragma unroll
  for (int j = 0; j < count; ++j) {
    const auto item = row_item<Body>(body.p, items, first + j);
    typename Reducers::Values values;
    body.template values<S>(item.major, item.inner, item.count, kept[j], values);
    if (!Body::kFull && item.count <= 0) continue;
    fold_values<Reducers, Body::kWhole, typename Body::Index>(item.count, values, row, [&]<int I>(int v) {
      return body.template position<Body::kFirst[S] + I>(item.major, item.inner + v);
    });
  }
}

/// Takes the values of stage S, of all items of the thread, into `row`.
template <int S, class Body, class Row>
CUPRUM_DEVICE void fold_stage(Body& body, const RowItems<typename Body::Index>& items, RowKept<Body>& kept,
                              Row& row) {
  if constexpr (Body::kMemoryItems > 0) {
    constexpr int batch = Body::kMemoryItems < 4 ? Body::kMemoryItems : 4;
    static_assert(Body::kMemoryItems % batch == 0);
#pragma unroll
    for (int first = 0; first < Body::kMemoryItems; first += batch) {
      typename Body::Kept some[batch];
#pragma unroll
      for (int j = 0; S > 0 && j < batch; ++j) Body::template restore<S - 1>(some[j], kept.at(first + j));
      fold_items<S, batch>(body, items, first, some, row);
#pragma unroll
      for (int j = 0; j < batch; ++j) Body::template save<S>(some[j], kept.at(first + j));
    }
  }
  fold_items<S, RowKept<Body>::kHeld>(body, items, Body::kMemoryItems, kept.held, row);
}

/// Computes and writes items first ... first + count - 1, kept in `kept`.
template <int count, class Body>
CUPRUM_DEVICE void store_items(Body& body, const RowItems<typename Body::Index>& items, int first,
                               typename Body::Kept* kept) {
#pragma unroll
  for (int j = 0; j < count; ++j) {
    const auto item = row_item<Body>(body.p, items, first + j);
    body.template load<Body::kStages>(item.major, item.inner, item.count, kept[j]);
  }
#pragma unroll
  for (int j = 0; j < count; ++j) {
    const auto item = row_item<Body>(body.p, items, first + j);
    if (Body::kFull || item.count > 0) body.store(item.major, item.inner, item.count, kept[j]);
  }
}

/// Computes and writes the elements of the thread's items. What is read only now is read for four items at a time.
template <class Body>
CUPRUM_DEVICE void store_row(Body& body, const RowItems<typename Body::Index>& items, RowKept<Body>& kept) {
  constexpr int held = RowKept<Body>::kHeld, batch = held < 4 ? held : 4;
  static_assert(held % batch == 0);
  if constexpr (Body::kMemoryItems > 0) {
#pragma unroll
    for (int j = 0; j < Body::kMemoryItems; ++j) {
      typename Body::Kept one;
      Body::template restore<Body::kStages - 1>(one, kept.at(j));
      store_items<1>(body, items, j, &one);
    }
  }
#pragma unroll
  for (int first = 0; first < held; first += batch)
    store_items<batch>(body, items, Body::kMemoryItems + first, kept.held + first);
}

/// Bytes of the states of a block's warps, in the stage that has most.
template <class Body>
__host__ __device__ constexpr int warp_state_bytes() {
  int most = 0;
  each_constant<Body::kStages>([&]<int S>() {
    using Reducers = typename Body::template Reducers<S>;
    const int bytes = Reducers::template before<Reducers::size>() * (kBlock / 32);
    most = bytes > most ? bytes : most;
  });
  return most;
}

/// Ends stage S: merges what the `1 << shift` threads of each row have, by the tree of merge_threads, and gives all of them the
/// results. `shared` was not read since the barrier before the last.
template <int S, class Body, class Row>
CUPRUM_DEVICE void merge_stage(Body& body, Row& row, char* shared) {
  using Reducers = typename Body::template Reducers<S>;
  const auto& space = body.p.space;
  const int shift = space.shift, width = 1 << shift;
  const int thread = static_cast<int>(threadIdx.x), lane = thread & 31, warp = thread >> 5;
  typename Reducers::Merged merged;
  each<Reducers::size>([&]<int I>() {
    using R = typename Reducers::template At<I>;
    flush_lanes<R>(get<I>(row));
    auto& state = get<I>(merged);
    state = row_state<R>(get<I>(row));
    merge_warp<R>(state, shift < 5 ? width : 32);
    auto* states =
        reinterpret_cast<typename R::State*>(shared + Reducers::template before<I>() * (kBlock / 32));
    if (shift > 5 && lane == 0) states[warp] = state;
  });
  if (shift > 5) __syncthreads();
  each<Reducers::size>([&]<int I>() {
    using R = typename Reducers::template At<I>;
    auto& state = get<I>(merged);
    if (shift > 5) {
      const auto* states =
          reinterpret_cast<const typename R::State*>(shared + Reducers::template before<I>() * (kBlock / 32));
      const int warps = width >> 5;
      state = lane < warps ? states[(warp & ~(warps - 1)) + lane] : typename R::State();
      merge_warp<R>(state, warps);
    }
    state = shuffle_from(state, shift < 5 ? lane & ~(width - 1) : 0);
    constexpr int reduction = Body::kFirst[S] + I;
    body.template take<reduction>(R::finish(state, space.count, body.template ddof<reduction>()));
  });
  body.template row<S>();
}

template <class Body>
CUPRUM_DEVICE void row_program(const typename Body::Params& p) {
  using Index = typename Body::Index;
  constexpr int bytes = warp_state_bytes<Body>();
  alignas(16) __shared__ char shared[2 * bytes];  // stages take turns: one barrier each
  const Index thread = static_cast<Index>(threadIdx.x), width = Index(1) << p.space.shift;
  const Index number = (static_cast<Index>(blockIdx.x) * kBlock + thread) >> p.space.shift;
  const bool present = number < p.space.rows;
  const RowItems<Index> items{thread & (width - 1), width, present ? p.space.items : 0};
  Body body(p);
  if (present) body.outer(number);
  RowKept<Body> kept(Body::kMemoryItems > 0 ? block_memory() : nullptr);
  each<Body::kStages>([&]<int S>() {
    typename Body::template Reducers<S>::Row row;
    if (present) fold_stage<S>(body, items, kept, row);
    merge_stage<S>(body, row, shared + (S % 2) * bytes);
  });
  if (!present) return;
  if constexpr (Body::kStores) store_row(body, items, kept);
  if (items.first == 0) body.results(number);
}

}  // namespace cuprum::cuda::device
