// Enough of CUDA C++ for the kernels' text to compile for the host and run there: one block or cluster at a time, its threads
// as fibers that hand over to each other where they wait. To be included after all standard headers.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define CUPRUM_ON_HOST
#define __device__
#define __host__
#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __shared__ static __attribute__((unused))  // blocks run one after the other
#define alignas(n) __attribute__((aligned(n)))     // may stand behind `static`

struct uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct HostDim {
  unsigned x = 1, y = 1, z = 1;
};
inline HostDim threadIdx, blockIdx, gridDim;

inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<std::uint64_t>(a) * b >> 32);
}
inline std::uint64_t __umul64hi(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}
template <class T>
T __ldg(const T* p) {
  if (reinterpret_cast<std::uintptr_t>(p) % sizeof(T) != 0) std::abort();  // as a device would
  return *p;
}
template <class T>
T __ldcg(const T* p) {
  return __ldg(p);
}
inline unsigned __double2uint_rz(double x) { return x > 0 ? static_cast<unsigned>(x) : 0; }
inline unsigned __float2uint_rz(float x) { return __double2uint_rz(x); }
inline unsigned __popc(unsigned x) { return static_cast<unsigned>(__builtin_popcount(x)); }
inline int __ffs(unsigned x) { return __builtin_ffs(static_cast<int>(x)); }
inline void __threadfence() {}
inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline double __longlong_as_double(long long bits) { return __builtin_bit_cast(double, bits); }
template <class T>
T atomicAdd(T* p, T value) {
  const T old = *p;
  *p = old + value;
  return old;
}
template <class T>
T atomicOr(T* p, T value) {
  const T old = *p;
  *p = old | value;
  return old;
}
template <class T>
T atomicExch(T* p, T value) {
  const T old = *p;
  *p = value;
  return old;
}
template <class T>
T atomicMin(T* p, T value) {
  const T old = *p;
  *p = value < old ? value : old;
  return old;
}
inline unsigned atomicMax(unsigned* p, unsigned value) {
  const unsigned old = *p;
  if (value > old) *p = value;
  return old;
}
inline unsigned atomicInc(unsigned* p, unsigned limit) {
  const unsigned old = *p;
  *p = old >= limit ? 0 : old + 1;
  return old;
}

namespace cuprum::testing {

/// The threads of one block, or of the blocks of a cluster.
class HostBlock {
 public:
  static HostBlock& current() {
    static HostBlock block;
    return block;
  }

  /// From block `first` on.
  void run(int threads, const std::function<void()>& kernel, unsigned first = 0, int cluster = 1) {
    threads_ = threads;
    all_ = threads * cluster;
    kernel_ = &kernel;
    done_ = 0;
    fibers_.resize(static_cast<std::size_t>(all_));
    stacks_.resize(static_cast<std::size_t>(all_) * kStack);
    warps_.resize(static_cast<std::size_t>(all_ + 31) / 32);
    blocks_.resize(static_cast<std::size_t>(cluster));
    waits_for_.assign(static_cast<std::size_t>(all_), 0);
    for (Block& block : blocks_) block.memory.resize(kMemory);
    first_block_ = first;
    at_ = 0;
    for (int t = 0; t < all_; ++t) {
      ucontext_t& fiber = fibers_[static_cast<std::size_t>(t)];
      getcontext(&fiber);
      fiber.uc_stack.ss_sp = stacks_.data() + static_cast<std::size_t>(t) * kStack;
      fiber.uc_stack.ss_size = kStack;
      fiber.uc_link = nullptr;
      makecontext(&fiber, &HostBlock::begin, 0);
    }
    threadIdx.x = 0;
    swapcontext(&main_, &fibers_[0]);
  }

  /// All of `count` threads meet.
  struct Meeting {
    int arrived = 0, round = 0;
  };
  void meet(Meeting& at, int count) {
    if (++at.arrived == count) {
      at.arrived = 0;
      ++at.round;
      return;
    }
    for (const int round = at.round; at.round == round;) next();
  }
  void meet_all() { meet(block().meeting, threads_); }

  void arrive() {
    waits_for_[at_] = cluster_.round + 1;
    if (++cluster_.arrived < all_) return;
    cluster_.arrived = 0;
    ++cluster_.round;
  }
  void wait() {
    while (cluster_.round < waits_for_[at_]) next();
  }
  char* memory() {
    char* aligned = block().memory.data();
    return aligned + (16 - reinterpret_cast<std::uintptr_t>(aligned) % 16) % 16;
  }
  /// The place in block `rank` that `place` is in this one.
  char* in_block(char* place, int rank) {
    const std::ptrdiff_t offset = place - memory();
    if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(kMemory - 16)) std::abort();
    const unsigned own = at_;
    at_ = static_cast<unsigned>(rank * threads_);
    char* there = memory() + offset;
    at_ = own;
    return there;
  }
  /// The value that lane `from` of this warp has given; one beyond the warp is this lane.
  unsigned exchange(unsigned value, int from) {
    const unsigned lane = at_ % 32;
    Warp& w = warps_[at_ / 32];
    w.words[lane] = value;
    meet(w.meeting, 32);
    const unsigned result = w.words[from >= 0 && from < 32 ? static_cast<unsigned>(from) : lane];
    meet(w.meeting, 32);
    return result;
  }
  /// f(result, value, lane) over what all lanes of this warp have given.
  template <class F>
  unsigned gather(unsigned value, F f) {
    Warp& w = warps_[at_ / 32];
    w.words[at_ % 32] = value;
    meet(w.meeting, 32);
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane) result = f(result, w.words[lane], lane);
    meet(w.meeting, 32);
    return result;
  }

 private:
  static constexpr std::size_t kStack = 64 * 1024, kMemory = 208 * 1024;
  struct Block {
    Meeting meeting;
    std::vector<char> memory;
  };
  struct Warp {
    unsigned words[32] = {};
    Meeting meeting;
  };

  static void begin() {
    HostBlock& block = current();
    (*block.kernel_)();
    if (++block.done_ == block.all_) setcontext(&block.main_);
    for (;;) block.next();  // those that still run must get their turn
  }
  void next() {
    const unsigned from = at_;
    at_ = (from + 1) % static_cast<unsigned>(all_);
    threadIdx.x = at_ % static_cast<unsigned>(threads_);
    if (blocks_.size() > 1) blockIdx.x = first_block_ + at_ / static_cast<unsigned>(threads_);
    swapcontext(&fibers_[from], &fibers_[at_]);
  }
  Block& block() { return blocks_[at_ / static_cast<unsigned>(threads_)]; }

  int threads_ = 0, all_ = 0, done_ = 0;
  unsigned at_ = 0, first_block_ = 0;
  const std::function<void()>* kernel_ = nullptr;
  std::vector<ucontext_t> fibers_;
  std::vector<char> stacks_;
  ucontext_t main_;
  Meeting cluster_;
  std::vector<int> waits_for_;
  std::vector<Block> blocks_;
  std::vector<Warp> warps_;
};

inline void cluster_arrive() { HostBlock::current().arrive(); }
inline void cluster_wait() { HostBlock::current().wait(); }
inline char* block_memory() { return HostBlock::current().memory(); }
template <class T>
T* in_block(T* place, int rank) {
  return reinterpret_cast<T*>(HostBlock::current().in_block(reinterpret_cast<char*>(place), rank));
}

/// Runs `kernel` for every block (cluster) of the grid, one after the other, the last one first if `backwards`.
inline void run_grid(unsigned x, unsigned y, int threads, const std::function<void()>& kernel,
                     bool backwards = false, int cluster = 1) {
  gridDim = {x, y, 1};
  const unsigned clusters = x * y / static_cast<unsigned>(cluster);
  for (unsigned i = 0; i < clusters; ++i) {
    const unsigned block = (backwards ? clusters - 1 - i : i) * static_cast<unsigned>(cluster);
    blockIdx = {block % x, block / x, 0};
    HostBlock::current().run(threads, kernel, block, cluster);
  }
}

}  // namespace cuprum::testing

inline void __syncthreads() { cuprum::testing::HostBlock::current().meet_all(); }
inline int __syncthreads_or(int value) {
  static int any;
  __syncthreads();
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  any |= value;
  __syncthreads();
  return any;
}
inline int __syncthreads_and(int value) { return !__syncthreads_or(!value); }
inline void __syncwarp() { cuprum::testing::HostBlock::current().exchange(0, 0); }
inline int host_lane() { return static_cast<int>(threadIdx.x % 32); }
inline unsigned __shfl_down_sync(unsigned, unsigned value, int distance) {
  return cuprum::testing::HostBlock::current().exchange(value, host_lane() + distance);
}
inline unsigned __shfl_up_sync(unsigned, unsigned value, int distance) {
  return cuprum::testing::HostBlock::current().exchange(value, host_lane() - distance);
}
/// The value of any size that a lane has given.
template <class T>
T host_exchange(T value, int lane) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  std::memcpy(words, &value, sizeof(T));
  for (unsigned& word : words) word = cuprum::testing::HostBlock::current().exchange(word, lane);
  std::memcpy(&value, words, sizeof(T));
  return value;
}
template <class T>
T __shfl_sync(unsigned, T value, int lane, int width = 32) {
  return host_exchange(value, host_lane() / width * width + lane % width);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, int bits, int width = 32) {
  return host_exchange(value, host_lane() / width * width + (host_lane() ^ bits) % width);
}
inline unsigned __ballot_sync(unsigned, bool vote) {
  return cuprum::testing::HostBlock::current().gather(
      vote, [](unsigned votes, unsigned value, unsigned lane) { return votes | value << lane; });
}
inline bool __any_sync(unsigned mask, bool vote) { return __ballot_sync(mask, vote) != 0; }
inline bool __all_sync(unsigned mask, bool vote) { return __ballot_sync(mask, !vote) == 0; }
inline unsigned __reduce_add_sync(unsigned, unsigned value) {
  return cuprum::testing::HostBlock::current().gather(
      value, [](unsigned sum, unsigned other, unsigned) { return sum + other; });
}
inline unsigned __reduce_min_sync(unsigned, unsigned value) {
  return ~cuprum::testing::HostBlock::current().gather(
      ~value, [](unsigned most, unsigned other, unsigned) { return other > most ? other : most; });
}
inline unsigned __reduce_max_sync(unsigned, unsigned value) {
  return cuprum::testing::HostBlock::current().gather(
      value, [](unsigned most, unsigned other, unsigned) { return other > most ? other : most; });
}
