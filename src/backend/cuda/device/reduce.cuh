// What the skeletons of reductions share: the space they work on, and merging between threads and blocks.
//
// How a reduction is cut depends on its logical shape alone (codegen/reduce_plan.h), never on the device, the accesses or
// what is fused: results are the same bits from run to run and however they were fused. Blocks that share a result
// write partial states; the block that comes last, told by a ticket, merges them in the order of their numbers.
//
// The contract of a Body, beside that of elementwise.cuh:
//   Reducers = List<...>                   reducers.cuh
//   outer(o)                               sets the part of the position that stays the same for a thread
//   values(major, inner, count, Loaded&, Values&)    computes; writes what is stored beside the reduction
//   position<I>(major, inner)              for reducers with kPositions: position of an element in logical order
//   result<I>(kept, value)                 writes result number `kept` (row-major over the kept dimensions)
//   ddof<I>()
#pragma once

#include "device/elementwise.cuh"
#include "device/reducers.cuh"

namespace cuprum::cuda::device {

template <class T>
struct Lanes {
  T lane[kQuad];
};

/// What a thread keeps of a reducer while it reads rows: its four lanes, or the reducer's Row.
template <class R>
struct RowOf {
  using type = Lanes<typename R::Running>;
};
template <class R>
requires requires { typename R::Row; }
struct RowOf<R> {
  using type = typename R::Row;
};

/// The reducers of a kernel, and what it holds of each.
template <class... R>
struct List {
  static constexpr int size = sizeof...(R);
  template <int I>
  using At = typename TypeAt<I, R...>::type;
  using Values = Tuple<Lanes<typename R::Value>...>;
  using Running = Tuple<Lanes<typename R::Running>...>;
  using Row = Tuple<typename RowOf<R>::type...>;
  using States = Tuple<Lanes<typename R::State>...>;
  using Merged = Tuple<typename R::State...>;

  /// Bytes of the largest state.
  __host__ __device__ static constexpr int largest() {
    int bytes = 16;
    ((bytes = static_cast<int>(sizeof(typename R::State)) > bytes ? sizeof(typename R::State) : bytes), ...);
    return bytes;
  }
  /// Bytes of partial states per result and split that lie before those of reducer I.
  template <int I>
  __host__ __device__ static constexpr int before() {
    constexpr int bytes[] = {(static_cast<int>(sizeof(typename R::State)) + 15) / 16 * 16 ...};
    int sum = 0;
    for (int i = 0; i < I; ++i) sum += bytes[i];
    return sum;
  }
};

template <class Body, int I>
using ReducerOf = typename Body::Reducers::template At<I>;

/// Takes the values of one item into what the thread has collected: lane by lane, or a Row. position<I>(v): that of lane v.
template <class Reducers, bool whole, class Index, class Position>
CUPRUM_DEVICE void fold_values(int count, typename Reducers::Values& values, auto& running,
                               const Position& position) {
  each<Reducers::size>([&]<int I>() {
    using R = typename Reducers::template At<I>;
    if constexpr (requires { R::add_item(get<I>(running), get<I>(values).lane, 0); }) {
      R::add_item(get<I>(running), get<I>(values).lane, whole ? kQuad : count);
    } else {
#pragma unroll
      for (int v = 0; v < kQuad; ++v) {
        Index at = 0;
        if constexpr (R::kPositions) at = position.template operator()<I>(v);
        if (whole || v < count) R::add(get<I>(running).lane[v], get<I>(values).lane[v], at);
      }
    }
  });
}

template <class Body, class Running>
CUPRUM_DEVICE void fold_item(Body& body, const Item<typename Body::Index>& item,
                             typename Body::Loaded& loaded, Running& running) {
  typename Body::Reducers::Values values;
  body.values(item.major, item.inner, item.count, loaded, values);
  fold_values<typename Body::Reducers, Body::kWhole, typename Body::Index>(
      item.count, values, running,
      [&]<int I>(int v) { return body.template position<I>(item.major, item.inner + v); });
}

/// Ends a chunk: of the four lanes of a thread, or of the one that it keeps for them.
template <class R>
CUPRUM_DEVICE void flush_lanes(auto& running) {
  if constexpr (requires { R::flush_row(running); }) {
    R::flush_row(running);
  } else {
#pragma unroll
    for (int v = 0; v < kQuad; ++v) R::flush(running.lane[v]);
  }
}

template <class Body, class Running>
CUPRUM_DEVICE void flush_all(Running& running) {
  each<Body::Reducers::size>([&]<int I>() { flush_lanes<ReducerOf<Body, I>>(get<I>(running)); });
}

template <class State>
CUPRUM_DEVICE State shuffle_down(const State& state, int distance) {
  constexpr int words = (sizeof(State) + 3) / 4;
  uint32 word[words] = {};
  memcpy(word, &state, sizeof(State));
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = __shfl_down_sync(0xffffffffu, word[i], distance);
  State other;
  memcpy(&other, word, sizeof(State));
  return other;
}

/// The state of lane `from`.
template <class State>
CUPRUM_DEVICE State shuffle_from(const State& state, int from) {
  constexpr int words = (sizeof(State) + 3) / 4;
  uint32 word[words] = {};
  memcpy(word, &state, sizeof(State));
#pragma unroll
  for (int i = 0; i < words; ++i) word[i] = __shfl_sync(0xffffffffu, word[i], from);
  State other;
  memcpy(&other, word, sizeof(State));
  return other;
}

/// The state of a row's four lanes, in order.
template <class R>
CUPRUM_DEVICE typename R::State row_state(const Lanes<typename R::Running>& row) {
  typename R::State state[kQuad];
#pragma unroll
  for (int v = 0; v < kQuad; ++v) state[v] = R::state(row.lane[v]);
  R::merge(state[0], state[1]);
  R::merge(state[2], state[3]);
  R::merge(state[0], state[2]);
  return state[0];
}
template <class R>
CUPRUM_DEVICE typename R::State row_state(const typename R::Row& row) {
  return R::state(row);
}

/// Merges the states of the first `width` threads (a power of two, at most 32) of each group of `width` of a warp into
/// the first. All threads of the warp take part.
template <class R>
CUPRUM_DEVICE void merge_warp(typename R::State& state, int width) {
  for (int distance = width / 2; distance > 0; distance /= 2) {
    const typename R::State other = shuffle_down(state, distance);
    R::merge(state, other);
  }
}

/// Merges the states of each `1 << shift` threads of the block into the first of them. All threads take part; `shared` has
/// room for one state per warp.
template <class R>
CUPRUM_DEVICE void merge_threads(typename R::State& state, int shift, char* shared) {
  const int width = 1 << shift;
  merge_warp<R>(state, width < 32 ? width : 32);
  if (shift <= 5) return;
  auto* states = reinterpret_cast<typename R::State*>(shared);
  const int warps = width >> 5, lane = static_cast<int>(threadIdx.x) & (width - 1);
  __syncthreads();  // whoever used `shared` before is done
  if ((threadIdx.x & 31) == 0) states[threadIdx.x >> 5] = state;
  __syncthreads();
  if (lane >= 32) return;
  state = lane < warps ? states[(threadIdx.x >> 5) + lane] : typename R::State();
  merge_warp<R>(state, warps);
}

/// Where the partial states of reducer I begin.
template <class Body, int I, class Space>
CUPRUM_DEVICE auto* partial_states(const Space& space) {
  constexpr int before = Body::Reducers::template before<I>();
  char* first = space.partials + static_cast<int64>(space.results) * space.splits * before;
  return reinterpret_cast<typename ReducerOf<Body, I>::State*>(first);
}

/// Called by all threads of a block after they wrote partial states: true in the last of the blocks that share results.
template <class Space>
CUPRUM_DEVICE bool is_last_block(const Space& space) {
  __shared__ bool last;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    const uint32 others = static_cast<uint32>(space.splits - 1);
    last = atomicInc(space.tickets + blockIdx.x, others) == others;  // the last one sets it back to 0
  }
  __syncthreads();
  __threadfence();
  return last;
}

}  // namespace cuprum::cuda::device
