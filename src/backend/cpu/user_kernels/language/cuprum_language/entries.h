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

inline void begin_launch(const Blocks& blocks) {
  current = &blocks;
  gridDim = {blocks.grid.x, blocks.grid.y, blocks.grid.z};
  blockDim = {blocks.block.x, blocks.block.y, blocks.block.z};
}

/// How the threads of a block run: on fibers, since they may wait for each other, or in a loop; there the conditions of the
/// kernel's head may be asked before, and its walk over the grid be made trip by trip (passes.h).
enum class Way { fibers, loop, asks, walks };

template <class Numbered, auto kernel, Way way>
struct Kernel;

template <unsigned... i, class... A, void (*kernel)(A...), Way way>
struct Kernel<Numbers<i...>, kernel, way> {
  static constexpr auto kParameters = Parameters<void (*)(A...)>::described();

  /// The threads of a block one after the other, or several at a time as elements of vectors: nothing orders them.
  template <Pass p>
  static __attribute__((always_inline)) inline void run_threads(const Dim& block, A... arguments) {
    const int width = static_cast<int>(block.x);
    for (unsigned z = 0; z < block.z; ++z) {
      for (unsigned y = 0; y < block.y; ++y) {
#if !defined(__clang__)
#pragma omp simd
#endif
        for (int x = 0; x < width; ++x) {
          pass = p;
          threadIdx = {static_cast<unsigned>(x), y, z};
          kernel(arguments...);
        }
      }
    }
  }

  struct Answer {
    int all, any;
  };
  static __attribute__((always_inline)) inline Answer ask(const Dim& block, A... arguments) {
    const int width = static_cast<int>(block.x);
    int all = 1, any = 0;
    for (unsigned z = 0; z < block.z; ++z) {
      for (unsigned y = 0; y < block.y; ++y) {
#if !defined(__clang__)
#pragma omp simd reduction(& : all) reduction(| : any)
#endif
        for (int x = 0; x < width; ++x) {
          pass = Pass::ask;
          answer = 0;
          threadIdx = {static_cast<unsigned>(x), y, z};
          kernel(arguments...);
          all &= answer;
          any |= answer;
        }
      }
    }
    return {all, any};
  }

  /// Is there another trip to make?
  static __attribute__((always_inline)) inline bool run_block(const Dim& block, A... arguments) {
    // Facts that hold for every launch that comes here (function.cpp): the compiler knows by them that blockIdx.x * blockDim.x + threadIdx.x
    // does not wrap, without which a sum of unsigned numbers is no run of addresses.
    if (block.x > 1024 || block.y > 1024 || block.z > 64) __builtin_unreachable();
    if (blockIdx.x > 0x7fffffffu - 1024 || blockIdx.x * block.x > 0x7fffffffu - 1024) __builtin_unreachable();
    if constexpr (way == Way::asks || way == Way::walks) {
      const Answer answer = ask(block, arguments...);
      if (answer.all)
        run_threads<Pass::all>(block, arguments...);
      else if (answer.any || way == Way::asks)
        run_threads<Pass::some>(block, arguments...);
      return way == Way::walks && answer.any;
    } else {
      run_threads<Pass::some>(block, arguments...);
      return false;
    }
  }

  static __attribute__((flatten)) void run(const Blocks& blocks, A... arguments) {
    begin_launch(blocks);
    const Dim block = blocks.block;
    bool more = true;
    for (trip = 0; more; ++trip) {
      more = false;
      for (unsigned long long number = blocks.first; number < blocks.last; ++number) {
        begin_block(blocks, number);
        more |= run_block(block, arguments...);
      }
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

template <auto kernel, Way way>
constexpr Entry kernel_entry(const char* name) {
  using K = Kernel<typename Count<arity(kernel)>::type, kernel, way>;
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
template <auto thing, Way way>
constexpr Entry entry(const char* name) {
  if constexpr (is_function<decltype(thing)>)
    return kernel_entry<thing, way>(name);
  else
    return {name, nullptr, nullptr, false, nullptr, 0, (void*)thing, sizeof(*thing)};
}

}  // namespace cuprum_language
