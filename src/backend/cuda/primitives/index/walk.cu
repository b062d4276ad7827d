#include "backend/cuda/primitives/index/walk.h"

#include <algorithm>
#include <bit>

#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/index/positions.cuh"
#include "backend/cuda/primitives/index/walk_kernels.cuh"

namespace cuprum::cuda::primitives {

namespace {

/// slot = *from, later: words go to shared memory as they arrive, so that many are under way without registers.
template <class Word>
__device__ void copy_to_slot(Word& slot, const char* from) {
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&slot));
  asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(Word))
               : "memory");
}
__device__ void wait_for_slots() { asm volatile("cp.async.wait_all;" ::: "memory"); }

/// Words read go to the thread's slots.
template <class Word>
struct Gather {
  static constexpr int kEach = kGatherSlots / static_cast<int>(sizeof(Word));
  static constexpr std::int64_t kWindow = 16 << 20;  // bytes
  using Slot = Word;
  Slot* slots;
  const PositionsInARow& positions;

  __device__ Slot& slot(int u) const { return slots[u * kWalkThreads + threadIdx.x]; }
  __device__ void prepare(int, std::int64_t) const {}
  __device__ void miss(int u) const { slot(u) = {}; }
  __device__ void begin() const {}
  __device__ void act(int u, const char* from) const { copy_to_slot(slot(u), from); }
  __device__ void turn() const {
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
  }
  __device__ void rest() const { wait_for_slots(); }
  __device__ void leave(int u, std::int64_t position) const {
    __stcs(reinterpret_cast<Word*>(positions.of_line(position)), slot(u));
  }
};

/// What is to be added waits in the thread's slots.
template <class T>
struct Sum {
  static constexpr int kEach = kSumSlots / static_cast<int>(sizeof(T));
  static constexpr std::int64_t kWindow = 8 << 20;
  using Slot = T;
  Slot* slots;
  const PositionsInARow& positions;
  bool subtract;

  __device__ Slot& slot(int u) const { return slots[u * kWalkThreads + threadIdx.x]; }
  __device__ void prepare(int u, std::int64_t position) const {
    copy_to_slot(slot(u), positions.of_line(position));
  }
  __device__ void miss(int) const {}
  __device__ void begin() const { wait_for_slots(); }
  __device__ void act(int u, char* to) const {
    const T x = slot(u);
    atomicAdd(reinterpret_cast<T*>(to), subtract ? static_cast<T>(-x) : x);
  }
  __device__ void turn() const {}
  __device__ void rest() const {}
  __device__ void leave(int, std::int64_t) const {}
};

template <class Use, class... More>
__global__ void __launch_bounds__(kWalkThreads, 1)
    walk_through(const __grid_constant__ PositionsInARow positions, const __grid_constant__ Walk w,
                 More... more) {
  extern __shared__ uint4 slot_memory[];
  Use use{reinterpret_cast<typename Use::Slot*>(slot_memory), positions, more...};
  walk<Use::kEach>(positions, w, use);
}

template <class Use, class... More>
void launch_walk(Context& context, const Move& move, const char* operation, More... more) {
  constexpr std::int64_t kTile = std::int64_t{kWalkThreads} * Use::kEach;
  constexpr std::size_t kShared = static_cast<std::size_t>(kTile) * sizeof(typename Use::Slot);
  const std::int64_t step = step_of(move.indices), n = move.size, blocks = context.multiprocessors;
  const std::int64_t rounds = ceil_div(n, blocks * kTile);
  const std::int64_t tile = ceil_div(ceil_div(n, rounds * blocks), kWalkThreads) * kWalkThreads;
  const int shift = std::bit_width(static_cast<std::uint64_t>(Use::kWindow / step)) - 1;
  const auto kernel = walk_through<Use, More...>;
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(kShared)),
        operation);
  kernel<<<static_cast<unsigned>(blocks), kWalkThreads, kShared, context.stream>>>(
      PositionsInARow(move), Walk{move.array, static_cast<unsigned>(step), shift, tile}, more...);
  launched(context, operation);
}

}  // namespace

void gather_walking(Context& context, const Move& move) {
  switch (move.word) {
    case 4: return launch_walk<Gather<std::uint32_t>>(context, move, "gather");
    case 8: return launch_walk<Gather<uint2>>(context, move, "gather");
    default: return launch_walk<Gather<uint4>>(context, move, "gather");
  }
}

void sum_walking(Context& context, dtype type, bool subtract, const Move& move) {
  if (type == dtype::float32) return launch_walk<Sum<float>>(context, move, "ufunc.at", subtract);
  if (type == dtype::float64) return launch_walk<Sum<double>>(context, move, "ufunc.at", subtract);
  if (itemsize(type) == 4) return launch_walk<Sum<unsigned>>(context, move, "ufunc.at", subtract);
  launch_walk<Sum<unsigned long long>>(context, move, "ufunc.at", subtract);
}

}  // namespace cuprum::cuda::primitives
