// Enough of CUDA C++ for the kernels' text to compile for the host and run there: one block at a time, its threads as
// fibers that hand over to each other where they wait. To be included after all standard headers.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __forceinline__ inline
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

/// The threads of one block.
class HostBlock {
 public:
  static HostBlock& current() {
    static HostBlock block;
    return block;
  }

  void run(int threads, const std::function<void()>& kernel) {
    threads_ = threads;
    kernel_ = &kernel;
    done_ = 0;
    fibers_.resize(static_cast<std::size_t>(threads));
    stacks_.resize(static_cast<std::size_t>(threads) * kStack);
    for (int t = 0; t < threads; ++t) {
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
  void meet_all() { meet(block_, threads_); }
  /// The value that lane `from` of this warp has given; one beyond the warp is this lane.
  unsigned exchange(unsigned value, int from) {
    const unsigned thread = threadIdx.x, lane = thread % 32;
    Warp& w = warps_[thread / 32];
    w.words[lane] = value;
    meet(w.meeting, 32);
    const unsigned result = w.words[from >= 0 && from < 32 ? static_cast<unsigned>(from) : lane];
    meet(w.meeting, 32);
    return result;
  }
  /// f(result, value, lane) over what all lanes of this warp have given.
  template <class F>
  unsigned gather(unsigned value, F f) {
    Warp& w = warps_[threadIdx.x / 32];
    w.words[threadIdx.x % 32] = value;
    meet(w.meeting, 32);
    unsigned result = 0;
    for (unsigned lane = 0; lane < 32; ++lane) result = f(result, w.words[lane], lane);
    meet(w.meeting, 32);
    return result;
  }

 private:
  static constexpr std::size_t kStack = 64 * 1024;
  struct Warp {
    unsigned words[32] = {};
    Meeting meeting;
  };

  static void begin() {
    HostBlock& block = current();
    (*block.kernel_)();
    if (++block.done_ == block.threads_) setcontext(&block.main_);
    for (;;) block.next();  // those that still run must get their turn
  }
  void next() {
    const unsigned from = threadIdx.x;
    const unsigned to = (from + 1) % static_cast<unsigned>(threads_);
    threadIdx.x = to;
    swapcontext(&fibers_[from], &fibers_[to]);
  }

  int threads_ = 0, done_ = 0;
  const std::function<void()>* kernel_ = nullptr;
  std::vector<ucontext_t> fibers_;
  std::vector<char> stacks_;
  ucontext_t main_;
  Meeting block_;
  Warp warps_[32];
};

/// Runs `kernel` for every block of the grid, one after the other, the last one first if `backwards`.
inline void run_grid(unsigned x, unsigned y, int threads, const std::function<void()>& kernel,
                     bool backwards = false) {
  gridDim = {x, y, 1};
  for (unsigned i = 0; i < x * y; ++i) {
    const unsigned block = backwards ? x * y - 1 - i : i;
    blockIdx = {block % x, block / x, 0};
    HostBlock::current().run(threads, kernel);
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
