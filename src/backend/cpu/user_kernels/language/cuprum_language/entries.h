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

inline void begin_block(Place& at, unsigned long long number) {
  const dim3 grid = at.blocks;
  at.block = {static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
              static_cast<unsigned>(number / grid.x / grid.y)};
}

inline void next_block(Place& at) {
  if (++at.block.x != at.blocks.x) return;
  at.block.x = 0;
  if (++at.block.y != at.blocks.y) return;
  at.block.y = 0;
  ++at.block.z;
}

inline Place begin_launch(const Blocks& blocks) {
  current = &blocks;
  gridDim = {blocks.grid.x, blocks.grid.y, blocks.grid.z};
  blockDim = {blocks.block.x, blocks.block.y, blocks.block.z};
  return {{}, {}, blockDim, gridDim, Pass::plain};
}

/// How the threads of a block run: on fibers, since they may wait for each other, or in a loop; there the conditions of the
/// kernel's head may be asked before, and its walk over the grid be made trip by trip (passes.h). Where the threads of a row for whom
/// the conditions hold are known to be neighbours (`spans`; of a walk `strides`), only those at the ends are asked.
enum class Way { fibers, loop, asks, spans, walks, strides };
inline constexpr bool makes_trips(Way way) { return way == Way::walks || way == Way::strides; }

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
__attribute__((always_inline)) inline void assume_limits(const Place& at) {
  if (at.threads.x > 1024 || at.threads.y > 1024 || at.threads.z > 64) __builtin_unreachable();
  if (at.block.x > 0x7fffffffu - 1024 || at.block.x * at.threads.x > 0x7fffffffu - 1024)
    __builtin_unreachable();
}

template <class Numbered, auto kernel, class Signature, Way way, Order order, bool told>
struct Kernel;

/// `told`: the indices of a thread are in its variables too, for those who do not have the place.
template <unsigned... i, auto kernel, class... A, Way way, Order order, bool told>
struct Kernel<Numbers<i...>, kernel, void (*)(A...), way, order, told> {
  static constexpr auto kParameters = Parameters<void (*)(A...)>::described();

  static __attribute__((always_inline)) inline void call(Place& place, A... arguments) {
    if constexpr (requires { kernel(place, arguments...); })
      kernel(place, arguments...);
    else
      kernel(arguments...);
  }

  /// Returns what the head answers, if it is asked.
  template <Pass pass>
  static __attribute__((always_inline)) inline int run_thread(const Place& row, int x, A... arguments) {
    Place place = row;
    place.pass = pass;
    place.thread.x = static_cast<unsigned>(x);
    if constexpr (told) threadIdx = place.thread, blockIdx = place.block;
    call(place, arguments...);
    return place.answer;
  }

  /// Threads [first, end) along x, one after the other or several at a time as elements of vectors: nothing orders them.
  template <Pass pass>
  static __attribute__((always_inline)) inline void run_row(const Place& row, int first, int end,
                                                            A... arguments) {
#if !defined(__clang__)
#pragma omp simd
#endif
    for (int x = first; x < end; ++x) run_thread<pass>(row, x, arguments...);
  }

  /// Do the conditions hold for kTogether threads from `first` on?
  static __attribute__((always_inline)) inline bool all_hold(const Place& row, int first, A... arguments) {
    int all = 1;
#if !defined(__clang__)
#pragma omp simd reduction(& : all)
#endif
    for (int x = 0; x < kTogether; ++x) all &= run_thread<Pass::ask>(row, first + x, arguments...);
    return all != 0;
  }

  /// What `count` threads from `first` on answer, of more the first kTogether. Bit x: the conditions hold for thread x; bit 16 + x: they do not, and it
  /// is not done either.
  static __attribute__((always_inline)) inline unsigned ask_group(const Place& row, int first, int count,
                                                                  A... arguments) {
    const auto answer = [&](int x) {
      return static_cast<unsigned>(run_thread<Pass::ask>(row, first + x, arguments...)) << x;
    };
    unsigned answers = 0;
    if (count < kTogether) {
      for (int x = 0; x < count; ++x) answers |= answer(x);
      return answers;
    }
#if !defined(__clang__)
#pragma omp simd reduction(| : answers)
#endif
    for (int x = 0; x < kTogether; ++x) answers |= answer(x);
    return answers;
  }

  /// A row whose threads for whom the conditions hold are neighbours: the ends of their stretch are looked for, and what is between is not asked.
  static __attribute__((always_inline)) inline bool run_span(const Place& row, int width, A... arguments) {
    unsigned answers = 0, others = 0;
    int first = 0, last = width;
    for (; first < width; first += kTogether) {
      answers = ask_group(row, first, width - first, arguments...);
      others |= answers >> 16;
      if (answers & 0xffff) break;
    }
    first = first < width ? first + __builtin_ctz(answers & 0xffff) : width;
    while (first < last) {
      const int begin = last < kTogether ? 0 : last - kTogether;
      answers = ask_group(row, begin, last - begin, arguments...);
      others |= answers >> 16;
      last = begin;
      if (answers & 0xffff) {
        last += 32 - __builtin_clz(answers & 0xffff);
        break;
      }
    }
    const int ends[] = {0, first, last, width};
    for (int part = 0; part < 3; ++part) {  // a loop, so that there is one text for the two outer parts
      if (part == 1)
        run_row<Pass::all>(row, first, last, arguments...);
      else if (others)
        run_row<Pass::some>(row, ends[part], ends[part + 1], arguments...);
    }
    return first < last;
  }

  /// A row by groups. Threads at the ends of a group for whom the conditions hold run without them too. Is there another trip to make?
  static __attribute__((always_inline)) inline bool run_groups(const Place& row, int width, A... arguments) {
    unsigned ever = 0;
    for (int group = 0; group < width; group += kTogether) {
      const int count = width - group < kTogether ? width - group : kTogether;
      if (count == kTogether && all_hold(row, group, arguments...)) {
        run_row<Pass::all>(row, group, group + kTogether, arguments...);
        ever = 1;
        continue;
      }
      const unsigned answers = ask_group(row, group, count, arguments...);
      const unsigned failing = ~answers & ((1u << count) - 1);
      const int first = failing ? __builtin_ctz(failing) : count;
      const int last = failing ? 32 - __builtin_clz(failing) : count;
      const bool between = answers >> 16 || (answers & ((1u << last) - (1u << first)));
      const int ends[] = {group, group + first, group + last, group + count};
      for (int part = 0; part < 3; ++part) {
        if (part != 1)
          run_row<Pass::all>(row, ends[part], ends[part + 1], arguments...);
        else if (between)
          run_row<Pass::some>(row, ends[1], ends[2], arguments...);
      }
      ever |= answers;
    }
    return ever != 0;
  }

  /// Neighbouring blocks whose rows are run as one, of `left` that are to be run from this one on.
  static inline unsigned neighbours(const Place& at, unsigned long long left) {
    if (order == Order::by_blocks || at.threads.x >= kRow) return 1;
    unsigned count = kRow / at.threads.x;
    if (count > at.blocks.x - at.block.x) count = at.blocks.x - at.block.x;
    return count < left ? count : static_cast<unsigned>(left);
  }

  static __attribute__((flatten)) void run(const Blocks& blocks, A... arguments) {
    Place at = begin_launch(blocks);
    bool more = true;
    for (at.trip = 0; more; ++at.trip) {
      more = false;
      begin_block(at, blocks.first);
      for (unsigned long long number = blocks.first; number < blocks.last;) {
        const unsigned first = at.block.x, end = first + neighbours(at, blocks.last - number);
        const unsigned rows = order == Order::joined ? first + 1 : end;
        const int width =
            static_cast<int>(order == Order::joined ? at.threads.x * (end - first) : at.threads.x);
        for (at.thread.z = 0; at.thread.z < at.threads.z; ++at.thread.z) {
          for (at.thread.y = 0; at.thread.y < at.threads.y; ++at.thread.y) {
            for (at.block.x = first; at.block.x < rows; ++at.block.x) {
              assume_limits(at);
              if constexpr (way == Way::loop)
                run_row<Pass::some>(at, 0, width, arguments...);
              else if constexpr (way == Way::spans || way == Way::strides)
                more |= run_span(at, width, arguments...);
              else
                more |= run_groups(at, width, arguments...);
            }
          }
        }
        number += end - first;
        at.block.x = end - 1;
        next_block(at);
      }
      if (!makes_trips(way)) break;
    }
  }

  static void loop(const Blocks& blocks, void** arguments) { run(blocks, parameter<A>(arguments[i])...); }

  static void thread(const Blocks& blocks, void** arguments, Dim index) {
    Place at = begin_launch(blocks);
    begin_block(at, blocks.first);
    at.thread = {index.x, index.y, index.z};
    at.pass = Pass::plain;
    threadIdx = at.thread, blockIdx = at.block;
    call(at, parameter<A>(arguments[i])...);
  }
};

/// The signature that a program knows: without the place.
template <class... A>
void (*signature(void (*)(A...)))(A...);
template <class... A>
void (*signature(void (*)(Place&, A...)))(A...);

template <class... A>
inline constexpr unsigned arity(void (*)(A...)) {
  return sizeof...(A);
}

template <auto kernel, Way way, Order order, bool told>
constexpr Entry kernel_entry(const char* name) {
  using Signature = decltype(signature(kernel));
  constexpr unsigned count = arity(Signature{});
  using K = Kernel<typename Count<count>::type, kernel, Signature, way, order, told>;
  if constexpr (way == Way::fibers)
    return {name, nullptr, K::thread, false, K::kParameters.list, count, nullptr, 0};
  else
    return {name, K::loop, K::thread, makes_trips(way), K::kParameters.list, count, nullptr, 0};
}

template <class T>
inline constexpr bool is_function = false;
template <class R, class... A>
inline constexpr bool is_function<R (*)(A...)> = true;

/// What a name expression names: a kernel or a variable.
template <auto thing, Way way, Order order, bool told>
constexpr Entry entry(const char* name) {
  if constexpr (is_function<decltype(thing)>)
    return kernel_entry<thing, way, order, told>(name);
  else
    return {name, nullptr, nullptr, false, nullptr, 0, (void*)thing, sizeof(*thing)};
}

}  // namespace cuprum_language
