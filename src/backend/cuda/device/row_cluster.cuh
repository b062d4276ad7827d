// Row programs of rows that a cluster shares: every block reads one chunk of kChunk items of its threads, and keeps it.
//
// A reduction of its own would have one block, or `splits` of them, walk through the chunks of a row: thread t adds chunk
// after chunk to its total, the totals merge in a tree, the splits' states in another. Here the chunks of one split's 32
// threads (a warp's) meet in the block that this warp was given to; it adds them in order, merges the warp, and
// tells every block. Two barriers of the cluster per stage, and no block reads another's memory: what is needed there is
// written there.
#pragma once

#include "device/row_program.cuh"

namespace cuprum::cuda::device {

inline constexpr int kWarps = kBlock / 32;

/// What is told of a chunk of a thread: of its four lanes, or of the one that it keeps for them.
template <class R>
struct PartOf {
  using type = Lanes<typename R::Part>;
  CUPRUM_DEVICE static type of(const Lanes<typename R::Running>& row) {
    type parts;
#pragma unroll
    for (int v = 0; v < kQuad; ++v) parts.lane[v] = R::part(row.lane[v]);
    return parts;
  }
  CUPRUM_DEVICE static void add(Lanes<typename R::Running>& row, const type& parts) {
#pragma unroll
    for (int v = 0; v < kQuad; ++v) R::add_part(row.lane[v], parts.lane[v]);
  }
};
template <class R>
requires requires { typename R::Row; }
struct PartOf<R> {
  using type = typename R::Part;
  CUPRUM_DEVICE static type of(const typename R::Row& row) { return R::part(row); }
  CUPRUM_DEVICE static void add(typename R::Row& row, const type& part) { R::add_part(row, part); }
};

/// Bytes of the parts of reducers before I.
template <class Reducers, int I>
__host__ __device__ constexpr int part_bytes_before() {
  int sum = 0;
  each_constant<I>([&]<int K>() { sum += sizeof(typename PartOf<typename Reducers::template At<K>>::type); });
  return sum;
}

/// What the host gave memory for (codegen/row_plan.h) suffices.
template <class Body>
__host__ __device__ constexpr bool fits_cluster() {
  bool fits = true;
  each_constant<Body::kStages>([&]<int S>() {
    using Reducers = typename Body::template Reducers<S>;
    fits &= part_bytes_before<Reducers, Reducers::size>() <= Body::kPartBytes &&
            Reducers::template before<Reducers::size>() <= Body::kStateBytes;
  });
  return fits;
}

/// Where a block stands in its row.
struct ClusterPlace {
  int rank, split, chunk;
  int slots;  // 32 parts each, in every block: of the warps that were given to it, and their chunks
};

/// The states of all warps of the row, reducer I of stage S, behind all parts.
template <class Body, class Reducers, int I>
CUPRUM_DEVICE auto* warp_states(const Body& body, const ClusterPlace& place, char* memory) {
  char* states = memory + place.slots * 32 * Body::kPartBytes +
                 Reducers::template before<I>() * kWarps * body.p.space.splits;
  return reinterpret_cast<typename Reducers::template At<I>::State*>(states);
}

/// The parts of reducer I, by warp that was given to the block, chunk, and lane.
template <class Reducers, int I>
CUPRUM_DEVICE auto* parts(const ClusterPlace& place, char* memory) {
  using Part = typename PartOf<typename Reducers::template At<I>>::type;
  return reinterpret_cast<Part*>(memory + part_bytes_before<Reducers, I>() * place.slots * 32);
}

template <class T>
CUPRUM_DEVICE void push(T* place, int rank, const T& value) {
  store_vector<T, 1>(reinterpret_cast<char*>(in_block(place, rank)), &value);
}

/// Sends the thread's chunk to the block that its warp was given to.
template <int S, class Body, class Row>
CUPRUM_DEVICE void send_parts(const Body& body, const ClusterPlace& place, const Row& row, char* memory) {
  using Reducers = typename Body::template Reducers<S>;
  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int task = place.split * kWarps + warp, cluster = body.p.space.cluster;
  const int at = (task / cluster * body.p.space.chunks + place.chunk) * 32 + lane;
  each<Reducers::size>([&]<int I>() {
    using R = typename Reducers::template At<I>;
    push(parts<Reducers, I>(place, memory) + at, task % cluster, PartOf<R>::of(get<I>(row)));
  });
}

/// Adds the chunks of the warp that was given to this one, and tells all blocks its state.
template <int S, class Body>
CUPRUM_DEVICE void merge_parts(const Body& body, const ClusterPlace& place, char* memory) {
  using Reducers = typename Body::template Reducers<S>;
  const auto& space = body.p.space;
  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int task = warp * space.cluster + place.rank;
  if (task >= kWarps * space.splits) return;
  each<Reducers::size>([&]<int I>() {
    using R = typename Reducers::template At<I>;
    const auto* part = parts<Reducers, I>(place, memory) + warp * space.chunks * 32 + lane;
    typename RowOf<R>::type row;
    for (int k = 0; k < space.chunks; ++k) PartOf<R>::add(row, part[k * 32]);
    typename R::State state = row_state<R>(row);
    merge_warp<R>(state, 32);
    state = shuffle_from(state, 0);
    if (lane < space.cluster) push(warp_states<Body, Reducers, I>(body, place, memory) + task, lane, state);
  });
}

/// The state of the row: the tree over the warps of each split, and that over the splits. Every warp does the same. Of a variance a
/// level of a tree takes 0.2 us, which nothing hides: the trees of as many splits as a warp has lanes for are merged at once.
template <class R>
CUPRUM_DEVICE typename R::State merge_states(const typename R::State* states, int splits) {
  constexpr int kTogether = 32 / kWarps;
  const int lane = static_cast<int>(threadIdx.x) & 31;
  typename R::State state;
  for (int first = 0; first < splits; first += kTogether) {
    const int at = first * kWarps + lane;
    typename R::State partial = at < splits * kWarps ? states[at] : typename R::State();
    merge_warp<R>(partial, kWarps);
    if (splits == 1) return shuffle_from(partial, 0);
    partial = shuffle_from(partial, lane % kTogether * kWarps);
    if (lane - lane % kTogether == first && lane < splits) R::merge(state, partial);
  }
  merge_warp<R>(state, 32);
  if (lane != 0) state = typename R::State();  // those of the block's other warps
  merge_warp<R>(state, kWarps);
  return shuffle_from(state, 0);
}

template <class Body>
CUPRUM_DEVICE void row_cluster(const typename Body::Params& p) {
  using Index = typename Body::Index;
  static_assert(Body::kItems == kChunk && fits_cluster<Body>());
  const auto& space = p.space;
  char* memory = block_memory();
  ClusterPlace place;
  place.rank = static_cast<int>(blockIdx.x % static_cast<uint32>(space.cluster));
  place.split = place.rank / space.chunks;
  place.chunk = place.rank - place.split * space.chunks;
  place.slots = (kWarps * space.splits + space.cluster - 1) / space.cluster * space.chunks;
  const Index number = static_cast<Index>(blockIdx.x / static_cast<uint32>(space.cluster));
  const bool present = place.split < space.splits;
  cluster_arrive();
  constexpr Index step = kBlock, chunk = kChunk * step;
  const Index split = place.split * space.part, begin = split + place.chunk * chunk;
  Index end = space.items - split < space.part ? space.items : split + space.part;
  end = end - begin < chunk ? end : begin + chunk;
  const RowItems<Index> items{begin + static_cast<Index>(threadIdx.x), step, present ? end : 0};
  Body body(p);
  body.outer(number);
  RowKept<Body> kept(memory + space.saved);
  each<Body::kStages>([&]<int S>() {
    using Reducers = typename Body::template Reducers<S>;
    {
      typename Reducers::Row row;
      if (present) fold_stage<S>(body, items, kept, row);
      if constexpr (S == 0) cluster_wait();  // all blocks are there
      if (present) send_parts<S>(body, place, row, memory);
    }
    cluster_sync();
    merge_parts<S>(body, place, memory);
    cluster_sync();
    each<Reducers::size>([&]<int I>() {
      using R = typename Reducers::template At<I>;
      const auto state = merge_states<R>(warp_states<Body, Reducers, I>(body, place, memory), space.splits);
      constexpr int reduction = Body::kFirst[S] + I;
      body.template take<reduction>(R::finish(state, space.count, body.template ddof<reduction>()));
    });
    body.template row<S>();
  });
  if constexpr (Body::kStores) {
    if (present) store_row(body, items, kept);
  }
  if (place.rank == 0 && threadIdx.x == 0) body.results(number);
}

}  // namespace cuprum::cuda::device
