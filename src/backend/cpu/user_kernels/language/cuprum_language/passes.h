// How a loop over threads runs a kernel's head (head.h of the library): the conditions and the walk over the grid that indices alone
// decide. The translated text calls these functions around them.
//
// Threads are asked first, some neighbours at a time: do the conditions hold for all of them? Then they run without, so that no load or
// store is conditional: processors have slow masked stores or none. A walk, `for (i = index; i < n; i += threads of the grid)`, is run trip by
// trip, all threads of the blocks before the next trip: neighbours in memory are then neighbours in time, and elements of a vector.
#pragma once

#include "cuprum_language/vector_types.h"

namespace cuprum_language {

enum class Pass : unsigned char {
  plain,  // as the text stands: a thread on its own
  ask,    // up to the end of the head
  all,    // the conditions of the head hold
  some,   // they may hold
};

template <unsigned bytes>
struct Signed;
template <>
struct Signed<4> {
  using type = int;
};
template <>
struct Signed<8> {
  using type = long long;
};

#define CUPRUM_HEAD __attribute__((always_inline)) inline

/// Where a thread is and how it runs: the first parameter of a kernel that has a head. The variables of threads.h would do, were it not that
/// gcc reads and writes them anew around every atomic function, fence or call: a histogram took 1.9 times as long as its loop.
struct Place {
  uint3 thread, block;
  dim3 threads, blocks;
  Pass pass;
  unsigned trip = 0;  // of the walk
  // Truths, as wide as indices: gcc makes poor vectors of numbers of several widths.
  int answer = 0;   // in `ask`: what the head comes to, as in `asked`
  int walking = 0;  // the walk's trip is still to be made

  enum Answer { done = 0, holding = 1, other = 0x10000 };

  /// At the end of the head: is the thread only asked? Then it returns. A thread for whom its last condition does not hold is done, or goes
  /// on in another way (`otherwise`).
  CUPRUM_HEAD bool asked(bool condition, Answer otherwise) {
    if (pass != Pass::ask) return false;
    answer = condition ? holding : otherwise;
    return true;
  }
  /// if (condition) ...
  CUPRUM_HEAD bool holds(bool condition) const { return pass == Pass::all || condition; }
  /// if (condition) return;
  CUPRUM_HEAD bool leaves(bool condition) const { return pass != Pass::all && condition; }

  /// The sum of unsigned numbers that a thread's index is. Launches that come to a loop over threads have no index beyond 2^31 (function.cpp);
  /// said as a sum of signed numbers, it is one whose overflow a compiler need not think of.
  CUPRUM_HEAD long long index(unsigned a, unsigned b) const {
    if (pass == Pass::plain) return a + b;
    return static_cast<int>(a) + static_cast<int>(b);
  }

  /// Where a walk begins: `begin`, or as many steps further as trips were made. A trip beyond the numbers of T is none: the walk of that
  /// thread ended before.
  template <class T, class Step>
  CUPRUM_HEAD T first(T begin, Step step) {
    if (pass == Pass::plain) return begin;
    const auto by = static_cast<typename Signed<sizeof(T)>::type>(step);
    if (pass == Pass::all) {
      walking = 1;
      return begin + static_cast<T>(trip) * static_cast<T>(by);
    }
    const long long offset = static_cast<long long>(trip) * by;
    const T at = static_cast<T>(begin + static_cast<T>(offset));
    if (offset >= 0)
      walking = static_cast<long long>(static_cast<T>(offset)) == offset ? at >= begin : 0;
    else
      walking = at <= begin;
    return at;
  }
  /// The condition of a walk.
  CUPRUM_HEAD bool walks(bool condition) const {
    if (pass == Pass::plain) return condition;
    return walking && (pass == Pass::all || condition);
  }
  /// i += step
  template <class T, class Step>
  CUPRUM_HEAD void advance(T& i, Step step) {
    if (pass == Pass::plain)
      i += step;
    else
      walking = 0;
  }
};

#undef CUPRUM_HEAD

}  // namespace cuprum_language
