// How a kernel is run: what the table of a module's entries is made of.
#pragma once

#include "kernels/user/parameters.h"
#include "cuprum_language/threads.h"

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

template <class Numbered, auto kernel>
struct Kernel;

template <unsigned... i, class... A, void (*kernel)(A...)>
struct Kernel<Numbers<i...>, kernel> {
  static constexpr auto kParameters = Parameters<void (*)(A...)>::described();

  /// The threads of a block one after the other, or several at a time as elements of vectors: nothing orders them. The facts that
  /// are told to the compiler hold for every launch that comes here (function.cpp): with them it knows that
  /// blockIdx.x * blockDim.x + threadIdx.x does not wrap, without which a sum of unsigned numbers is no run of addresses.
  static __attribute__((flatten)) void run(const Blocks& blocks, A... arguments) {
    begin_launch(blocks);
    const Dim block = blocks.block;
    for (unsigned long long number = blocks.first; number < blocks.last; ++number) {
      begin_block(blocks, number);
      if (block.x > 1024 || block.y > 1024 || block.z > 64) __builtin_unreachable();
      if (blockIdx.x > 0x7fffffffu - 1024 || blockIdx.x * block.x > 0x7fffffffu - 1024)
        __builtin_unreachable();
      for (unsigned z = 0; z < block.z; ++z) {
        for (unsigned y = 0; y < block.y; ++y) {
#if !defined(__clang__)
#pragma omp simd
#endif
          for (unsigned x = 0; x < block.x; ++x) {
            threadIdx = {x, y, z};
            kernel(arguments...);
          }
        }
      }
    }
  }

  static void loop(const Blocks& blocks, void** arguments) { run(blocks, parameter<A>(arguments[i])...); }

  static void thread(const Blocks& blocks, void** arguments, Dim index) {
    begin_launch(blocks);
    begin_block(blocks, blocks.first);
    threadIdx = {index.x, index.y, index.z};
    kernel(parameter<A>(arguments[i])...);
  }
};

template <class... A>
inline constexpr unsigned arity(void (*)(A...)) {
  return sizeof...(A);
}

template <auto kernel, bool waits>
constexpr Entry kernel_entry(const char* name) {
  using K = Kernel<typename Count<arity(kernel)>::type, kernel>;
  if constexpr (waits)
    return {name, nullptr, K::thread, K::kParameters.list, arity(kernel), nullptr, 0};
  else
    return {name, K::loop, K::thread, K::kParameters.list, arity(kernel), nullptr, 0};
}

template <class T>
inline constexpr bool is_function = false;
template <class R, class... A>
inline constexpr bool is_function<R (*)(A...)> = true;

/// What a name expression names: a kernel or a variable.
template <auto thing, bool waits>
constexpr Entry entry(const char* name) {
  if constexpr (is_function<decltype(thing)>)
    return kernel_entry<thing, waits>(name);
  else
    return {name, nullptr, nullptr, nullptr, 0, (void*)thing, sizeof(*thing)};
}

}  // namespace cuprum_language
