// A CUDA device for one block at a time, for tests: generated kernels are compiled by the host's compiler against this header.
//
// The threads of a block are fibers of one thread. A fiber runs until it meets a barrier or a shuffle and goes on when all
// threads that must meet there have come. Threads that meet different numbers of barriers, and accesses that are not
// aligned, abort the process.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#define __shared__ static
#define __launch_bounds__(...)
#define __grid_constant__

struct uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct Place {
  unsigned x, y;
};
static Place threadIdx, blockIdx, gridDim;

namespace emulation {

constexpr int kThreads = 256, kWarp = 32;

struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(128 << 10);
  bool done = false;
  long block_barriers = 0, warp_barriers = 0;
};

static std::vector<Fiber> fibers(kThreads);
static ucontext_t scheduler;
static int current;
static std::function<void()> body;
static unsigned exchanged[kThreads];

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "emulated kernel: %s (block %u %u, thread %d)\n", what, blockIdx.x, blockIdx.y,
               current);
  std::abort();
}

inline void pause() {
  swapcontext(&fibers[current].context, &scheduler);
  threadIdx.x = static_cast<unsigned>(current);
}

inline void meet(int first, int last, long Fiber::*barriers) {
  const long number = ++(fibers[current].*barriers);
  const auto all_came = [&] {
    for (int i = first; i < last; ++i) {
      if (fibers[i].*barriers >= number) continue;
      if (fibers[i].done) fail("a thread has ended before a barrier");
      return false;
    }
    return true;
  };
  while (!all_came()) pause();
}

inline void run_fiber() {
  threadIdx.x = static_cast<unsigned>(current);
  body();
  fibers[current].done = true;
  swapcontext(&fibers[current].context, &scheduler);
}

inline void run_block() {
  for (Fiber& fiber : fibers) {
    fiber.done = false;
    fiber.block_barriers = fiber.warp_barriers = 0;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, run_fiber, 0);
  }
  for (bool going = true; going;) {
    going = false;
    for (current = 0; current < kThreads; ++current) {
      if (fibers[current].done) continue;
      going = true;
      swapcontext(&scheduler, &fibers[current].context);
    }
  }
}

/// Blocks run one after the other, in an order that `backwards` turns round.
inline void run_grid(unsigned x, unsigned y, bool backwards, std::function<void()> kernel) {
  body = std::move(kernel);
  gridDim = {x, y};
  for (unsigned i = 0; i < x * y; ++i) {
    const unsigned block = backwards ? x * y - 1 - i : i;
    blockIdx = {block % x, block / x};
    run_block();
  }
}

}  // namespace emulation

inline void __syncthreads() { emulation::meet(0, emulation::kThreads, &emulation::Fiber::block_barriers); }
inline void __threadfence() {}

inline unsigned __shfl_down_sync(unsigned, unsigned value, int distance) {
  using namespace emulation;
  const int thread = current, warp = thread / kWarp * kWarp;
  exchanged[thread] = value;
  meet(warp, warp + kWarp, &Fiber::warp_barriers);
  const unsigned other = thread + distance < warp + kWarp ? exchanged[thread + distance] : value;
  meet(warp, warp + kWarp, &Fiber::warp_barriers);
  return other;
}

inline unsigned atomicInc(unsigned* counter, unsigned limit) {
  const unsigned old = *counter;
  *counter = old >= limit ? 0 : old + 1;
  return old;
}

template <class T>
inline T __ldg(const T* p) {
  if (reinterpret_cast<std::uintptr_t>(p) % sizeof(T) != 0) emulation::fail("a load is not aligned");
  return *p;
}
inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<std::uint64_t>(a) * b >> 32);
}
inline std::uint64_t __umul64hi(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}
