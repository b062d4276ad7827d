// How a kernel is run: what the table of a module's entries is made of.
#pragma once

#include "cuprum_language/passes.h"
#include "cuprum_language/threads.h"
#include "kernels/user/parameters.h"

namespace cuprum_language {

template <unsigned... i>
struct Numbers {};
template <unsigned n, unsigned... i>
struct Count : Count<n - 1, n - 1, i...> {};
template <unsigned... i>
struct Count<0, i...> {
  using type = Numbers<i...>;
};

/// The bytes of a parameter as the kernel takes it. They may lie anywhere.
template <class T>
inline T& parameter(void* bytes) {
  return *static_cast<T*>(bytes);
}

inline void begin_block(const Blocks& blocks, unsigned long long number) {
  const Dim grid = blocks.grid;
  blockIdx = {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
              static_cast<unsigned>(number / grid.x / grid.y)};
}

inline void next_block() {
  if (++blockIdx.x != gridDim.x) return;
  blockIdx.x = 0;
  if (++blockIdx.y != gridDim.y) return;
  blockIdx.y = 0;
  ++blockIdx.z;
}

inline void begin_launch(const Blocks& blocks) {
  current = &blocks;
  gridDim = {blocks.grid.x, blocks.grid.y, blocks.grid.z};
  blockDim = {blocks.block.x, blocks.block.y, blocks.block.z};
}

/// How the threads of a block run: on fibers, since they may wait for each other, or in a loop; there the conditions of the
/// kernel's head may be asked before, and its walk over the grid be made trip by trip (passes.h).
enum class Way { fibers, loop, asks, walks };

/// In which order a loop goes through the threads: block after block, or along the rows of as many neighbours along x as kRow threads
/// need. A block of 16 x 16 goes through an image by pieces of a cache line; its neighbours with it go through it as it lies. Where the
/// index is all that the kernel knows of its place along x, the row is one loop: its threads count on behind the first block's.
///
/// Time over that of the loop in C++, blocks of 16 x 16 and 32 x 8, image of 2048 x 2048:  kRow = 256: 1.67, 1.99;  1024: 1.46, 1.65;
/// 4096: 1.22, 1.01. The plain product of matrices, 1024, takes the same time with 1024 and with 4096.
enum class Order { by_blocks, by_rows, joined };
inline constexpr unsigned kRow = 4096;

/// Threads along x that are asked together and, if they agree, run together. The compiler knows the number, and makes straight code of so many;
/// of wider groups, more would have to run under conditions where an array ends.
inline constexpr int kTogether = 16;

/// Facts that hold for every launch that comes to a loop over threads (function.cpp): the compiler knows by them that
/// blockIdx.x * blockDim.x + threadIdx.x does not wrap, without which a sum of unsigned numbers is no run of addresses.
__attribute__((always_inline)) inline void assume_limits() {
  if (blockDim.x > 1024 || blockDim.y > 1024 || blockDim.z > 64) __builtin_unreachable();
  if (blockIdx.x > 0x7fffffffu - 1024 || blockIdx.x * blockDim.x > 0x7fffffffu - 1024)
    __builtin_unreachable();
}

template <class Numbered, auto kernel, Way way, Order order>
struct Kernel;

template <unsigned... i, class... A, void (*kernel)(A...), Way way, Order order>
struct Kernel<Numbers<i...>, kernel, way, order> {
  static constexpr auto kParameters = Parameters<void (*)(A...)>::described();

  template <Pass p>
  static __attribute__((always_inline)) inline void call(int x, unsigned y, unsigned z, A... arguments) {
    pass = p;
    threadIdx = {static_cast<unsigned>(x), y, z};
    kernel(arguments...);
  }
  static __attribute__((always_inline)) inline int ask(int x, unsigned y, unsigned z, A... arguments) {
    answer = 0;
    call<Pass::ask>(x, y, z, arguments...);
    return answer;
  }

  /// Threads [first, first + count) along x, one after the other or several at a time as elements of vectors: nothing orders them.
  template <Pass p>
  static __attribute__((always_inline)) inline void run_row(int first, int count, unsigned y, unsigned z,
                                                            A... arguments) {
#if !defined(__clang__)
#pragma omp simd
#endif
    for (int x = 0; x < count; ++x) call<p>(first + x, y, z, arguments...);
  }

  /// A row by groups of threads. Is there another trip to make?
  static __attribute__((always_inline)) inline bool run_groups(int width, unsigned y, unsigned z,
                                                               A... arguments) {
    int ever = 0;
    for (int group = 0; group + kTogether <= width; group += kTogether) {
      int all = 1, any = 0;
#if !defined(__clang__)
#pragma omp simd reduction(& : all) reduction(| : any)
#endif
      for (int x = 0; x < kTogether; ++x) {
        const int holds = ask(group + x, y, z, arguments...);
        all &= holds;
        any |= holds;
      }
      if (all)
        run_row<Pass::all>(group, kTogether, y, z, arguments...);
      else
        run_row<Pass::some>(group, kTogether, y, z, arguments...);
      ever |= any;
    }
    const int whole = width / kTogether * kTogether;
    if constexpr (way == Way::walks) {
      for (int x = whole; x < width; ++x) ever |= ask(x, y, z, arguments...);
    }
    run_row<Pass::some>(whole, width - whole, y, z, arguments...);
    return ever != 0;
  }

  /// Neighbouring blocks whose rows are run as one, of `left` that are to be run from this one on.
  static inline unsigned neighbours(unsigned long long left) {
    if (order == Order::by_blocks || blockDim.x >= kRow) return 1;
    unsigned count = kRow / blockDim.x;
    if (count > gridDim.x - blockIdx.x) count = gridDim.x - blockIdx.x;
    return count < left ? count : static_cast<unsigned>(left);
  }

  static __attribute__((flatten)) void run(const Blocks& blocks, A... arguments) {
    begin_launch(blocks);
    const Dim block = blocks.block;
    bool more = true;
    for (trip = 0; more; ++trip) {
      more = false;
      begin_block(blocks, blocks.first);
      for (unsigned long long number = blocks.first; number < blocks.last;) {
        const unsigned first = blockIdx.x, end = first + neighbours(blocks.last - number);
        const unsigned rows = order == Order::joined ? first + 1 : end;
        const int width = static_cast<int>(order == Order::joined ? block.x * (end - first) : block.x);
        for (unsigned z = 0; z < block.z; ++z) {
          for (unsigned y = 0; y < block.y; ++y) {
            for (blockIdx.x = first; blockIdx.x < rows; ++blockIdx.x) {
              assume_limits();
              if constexpr (way == Way::loop)
                run_row<Pass::some>(0, width, y, z, arguments...);
              else
                more |= run_groups(width, y, z, arguments...);
            }
          }
        }
        number += end - first;
        blockIdx.x = end - 1;
        next_block();
      }
      if (way != Way::walks) break;
    }
  }

  static void loop(const Blocks& blocks, void** arguments) { run(blocks, parameter<A>(arguments[i])...); }

  static void thread(const Blocks& blocks, void** arguments, Dim index) {
    begin_launch(blocks);
    begin_block(blocks, blocks.first);
    pass = Pass::plain;
    threadIdx = {index.x, index.y, index.z};
    kernel(parameter<A>(arguments[i])...);
  }
};

template <class... A>
inline constexpr unsigned arity(void (*)(A...)) {
  return sizeof...(A);
}

template <auto kernel, Way way, Order order>
constexpr Entry kernel_entry(const char* name) {
  using K = Kernel<typename Count<arity(kernel)>::type, kernel, way, order>;
  if constexpr (way == Way::fibers)
    return {name, nullptr, K::thread, false, K::kParameters.list, arity(kernel), nullptr, 0};
  else
    return {name, K::loop, K::thread, way == Way::walks, K::kParameters.list, arity(kernel), nullptr, 0};
}

template <class T>
inline constexpr bool is_function = false;
template <class R, class... A>
inline constexpr bool is_function<R (*)(A...)> = true;

/// What a name expression names: a kernel or a variable.
template <auto thing, Way way, Order order>
constexpr Entry entry(const char* name) {
  if constexpr (is_function<decltype(thing)>)
    return kernel_entry<thing, way, order>(name);
  else
    return {name, nullptr, nullptr, false, nullptr, 0, (void*)thing, sizeof(*thing)};
}

}  // namespace cuprum_language
