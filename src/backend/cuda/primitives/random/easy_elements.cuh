// Laws of which most numbers need no more than their unit (kernels/random/element.h), by warps that wait for no other.
//
// A warp makes a block of the generator for each lane, the numbers of its units, and stores them in words of 16 bytes. The few that need
// more it lists, and draws 32 at a time: in their place they would keep it waiting for one lane. Tables that every number looks into lie
// in shared memory.
#pragma once

#include "backend/cuda/primitives/random/elements.cuh"

namespace cuprum::cuda::primitives {

inline constexpr int kElementWarps = kElementThreads / 32;

/// Does every number look for its strip? Those that need more then go through logarithms, which take registers.
template <class L>
concept HasStrips = requires {
  L::Strips::edge(0);
};

/// Blocks that a multiprocessor has at a time, and that it is given: where some numbers take long, few are left when the first blocks end
/// (normal numbers of float64 took 0.297 ms with five a multiprocessor, with twenty 0.281; integers 0.185 with five at a time, with six
/// 0.172).
template <class L, bool kSure>
inline constexpr int kResident = kSure          ? 8
                                 : HasStrips<L> ? 5
                                                : 6;
template <class L, bool kSure>
inline constexpr int kGiven = (kSure ? 1 : 4) * kResident<L, kSure>;

// -- Tables.

template <class L>
struct SharedTables {
  __device__ void load(const L&) {}
  __device__ bool easy(const L& law, typename L::Unit bits, typename L::Number& x) const {
    return law.easy(typename L::Strips(), bits, x);
  }
};
/// The strips of a ziggurat: a step and an edge are one load. (With a copy for each of the lanes that shared memory serves at once,
/// nothing is faster: other things wait.)
template <HasStrips L>
struct SharedTables<L> {
  using Edge = decltype(L::Strips::edge(0));
  using Step = decltype(L::Strips::step(0));
  struct alignas(sizeof(Edge) + sizeof(Step)) Strip {
    Edge edge;
    Step step;
  };
  struct Strips {
    Strip strips[256];

    __device__ Edge edge(kernels::uint64 strip) const { return strips[strip].edge; }
    __device__ Step step(kernels::uint64 strip) const { return strips[strip].step; }
  } strips;

  __device__ void load(const L&) {
    for (unsigned i = threadIdx.x; i < 256; i += kElementThreads)
      strips.strips[i] = {L::Strips::edge(i), L::Strips::step(i)};
  }
  __device__ bool easy(const L& law, typename L::Unit bits, typename L::Number& x) const {
    return law.easy(strips, bits, x);
  }
};
template <>
struct SharedTables<random::QuantileElement> {
  std::uint64_t edges[random::QuantileElement::kMost];
  std::uint16_t guide[1 << random::QuantileElement::kGuideBits];

  __device__ void load(const random::QuantileElement& law) {
    for (unsigned i = threadIdx.x; i < static_cast<unsigned>(law.count); i += kElementThreads)
      edges[i] = law.edges[i];
    for (unsigned i = threadIdx.x; i < sizeof(guide) / 2; i += kElementThreads) guide[i] = law.guide[i];
  }
  __device__ bool easy(const random::QuantileElement& law, kernels::uint64 bits, kernels::int64& x) const {
    x = law.of(bits, edges, guide);
    return true;
  }
};

// -- A warp's numbers.

/// Where a warp makes and stores numbers: each lane has rows of 16 bytes, which lie side by side. Where a number has twice as many bytes
/// as its unit, a block is two rows, and lanes hand each other the draws: so each store fills whole lines of memory.
template <class L>
struct Rows {
  using Unit = typename L::Unit;
  using Number = typename L::Number;
  static constexpr int kOfBlock = 16 / static_cast<int>(sizeof(Unit)),  // numbers
      kOfRow = 16 / static_cast<int>(sizeof(Number)), kCount = kOfBlock / kOfRow, kOfWarp = 32 * kOfBlock;
  static constexpr int kWidth = 8 * sizeof(Unit);
  static_assert(kCount == 1 || kCount == 2);

  random::Pair64 draws;

  /// Unit k of the lane's row.
  __device__ Unit operator[](int k) const {
    constexpr int per_draw = 64 / kWidth;
    return static_cast<Unit>(draws.v[k / per_draw] >> (k % per_draw * kWidth));
  }
  /// The rows of the warp, from blocks of which each lane has one.
  __device__ static Rows of(const random::Pair64& block, int row) {
    if constexpr (kCount == 1) return {block};
    const int from = 16 * row + static_cast<int>(threadIdx.x % 32) / 2;
    const kernels::uint64 low = __shfl_sync(~0u, block.v[0], from), high = __shfl_sync(~0u, block.v[1], from);
    return {{{threadIdx.x & 1 ? high : low, 0}}};
  }
};

/// A warp's way through the blocks of a call, 32 at a time. `kSure`: every unit is a number.
template <class L, bool kSure>
class ElementWalk {
  using R = Rows<L>;

 public:
  /// Places of numbers that need more than their unit, in the order of the warp's blocks.
  using List = std::uint32_t[kSure ? 1 : 32 + R::kOfWarp];

  __device__ ElementWalk(const ElementJob<L>& job, const SharedTables<L>& tables, List& list)
      : job_(job), tables_(tables), list_(list), first_(job.stream.first / R::kWidth) {}

  __device__ void walk() {
    const std::int64_t units = first_ + job_.n, groups = (units + R::kOfWarp - 1) / R::kOfWarp;
    // Groups of which all numbers belong to the call, at addresses of whole words.
    const bool aligned = reinterpret_cast<std::uintptr_t>(job_.out - first_) % 16 == 0;
    const std::int64_t whole = first_ > 0, whole_end = aligned ? units / R::kOfWarp : 0;
    std::uint32_t done = 0;
    for (std::int64_t group = begin(); group < groups; group += stride(), ++done) {
      const bool is_whole = group >= whole && group < whole_end;
      const random::Pair64 block = job_.block(static_cast<std::uint64_t>(group * 32 + lane()));
#pragma unroll
      for (int row = 0; row < R::kCount; ++row) {
        const int place = (32 * row + lane()) * R::kOfRow;  // in the group
        const unsigned hard = make(R::of(block, row), group * R::kOfWarp + place - first_, is_whole);
        if constexpr (!kSure) note(hard, done * R::kOfWarp + static_cast<std::uint32_t>(place));
      }
      if constexpr (!kSure) {
        while (waiting_ >= 32) draw_waiting(32);
      }
    }
    if constexpr (!kSure) draw_waiting(waiting_);
  }

 private:
  __device__ static int lane() { return threadIdx.x % 32; }
  /// Groups of 32 blocks.
  __device__ static std::int64_t begin() {
    return std::int64_t{blockIdx.x} * kElementWarps + threadIdx.x / 32;
  }
  __device__ static std::int64_t stride() { return std::int64_t{gridDim.x} * kElementWarps; }

  /// Numbers i, i + 1, ... of a row, as far as they belong to the call; by bits, those that need more.
  __device__ unsigned make(const R& units, std::int64_t i, bool is_whole) const {
    typename L::Number numbers[R::kOfRow];
    unsigned hard = 0;
#pragma unroll
    for (int k = 0; k < R::kOfRow; ++k) {
      if (!tables_.easy(job_.law, units[k], numbers[k])) hard |= 1u << k;
      numbers[k] = job_.scaling(numbers[k]);
    }
    if (is_whole) {
      uint4 word;
      memcpy(&word, numbers, sizeof word);
      *reinterpret_cast<uint4*>(job_.out + i) = word;
      return hard;
    }
    store_one_by_one(numbers, i - lane() * R::kOfRow);
#pragma unroll
    for (int k = 0; k < R::kOfRow; ++k) {
      if (i + k < 0 || i + k >= job_.n) hard &= ~(1u << k);
    }
    return hard;
  }
  /// At the ends of a call, or where words lie across: the warp's numbers from `begin` on, each time 32 that lie side by side.
  __device__ void store_one_by_one(const typename L::Number (&numbers)[R::kOfRow], std::int64_t begin) const {
    for (int k = 0; k < R::kOfRow; ++k) {
      typename L::Number x = {};
#pragma unroll
      for (int own = 0; own < R::kOfRow; ++own) {
        const typename L::Number other = __shfl_sync(~0u, numbers[own], (32 * k + lane()) / R::kOfRow);
        if (lane() % R::kOfRow == own) x = other;
      }
      const std::int64_t i = begin + 32 * k + lane();
      if (i >= 0 && i < job_.n) job_.out[i] = x;
    }
  }

  __device__ void note(unsigned hard, std::uint32_t place) {
    while (const unsigned lanes = __ballot_sync(~0u, hard != 0)) {
      if (hard != 0)
        list_[waiting_ + __popc(lanes & ((1u << lane()) - 1))] =
            place + static_cast<std::uint32_t>(__ffs(static_cast<int>(hard)) - 1);
      waiting_ += __popc(lanes);
      hard &= hard - 1;
    }
  }

  __device__ void draw_waiting(int count) {
    __syncwarp();
    waiting_ -= count;
    if (lane() < count) {
      const std::uint32_t place = list_[waiting_ + lane()];
      job_.draw_hard((begin() + place / R::kOfWarp * stride()) * R::kOfWarp + place % R::kOfWarp - first_);
    }
    __syncwarp();
  }

  const ElementJob<L>& job_;
  const SharedTables<L>& tables_;
  List& list_;
  const std::int64_t first_;  // units of the first block that are not ours
  int waiting_ = 0;
};

template <class L, bool kSure>
__global__ void __launch_bounds__(kElementThreads, (kResident<L, kSure>))
    draw_easy(const __grid_constant__ ElementJob<L> job) {
  using Walk = ElementWalk<L, kSure>;
  __shared__ SharedTables<L> tables;
  __shared__ typename Walk::List lists[kElementWarps];
  tables.load(job.law);
  __syncthreads();
  Walk(job, tables, lists[threadIdx.x / 32]).walk();
}

#if defined(__CUDACC__)
template <bool kSure, class L>
bool launch_easy(Context& context, const DrawJob& job, const L& law) {
  ElementJob<L> elements(job, law);
  const std::int64_t groups = ceil_div(job.n, std::int64_t{Rows<L>::kOfWarp}) + 1;  // the first is a part
  const std::int64_t blocks = std::min(ceil_div(groups, std::int64_t{kElementWarps}),
                                       std::int64_t{context.multiprocessors} * kGiven<L, kSure>);
  draw_easy<L, kSure><<<static_cast<unsigned>(blocks), kElementThreads, 0, context.stream>>>(elements);
  if (elements.stream.held) {  // those numbers once more
    elements.n = std::min<std::int64_t>(job.n, 4 / sizeof(typename L::Unit));
    draw_each<<<1, kElementThreads, 0, context.stream>>>(elements);
  }
  launched(context, "random");
  return true;
}
#endif

}  // namespace cuprum::cuda::primitives
