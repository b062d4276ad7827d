// How a loop over threads runs a kernel's head (head.h of the library): the conditions and the walk over the grid that indices alone
// decide. The translated text calls these functions around them.
//
// Threads are asked first, some neighbours at a time: do the conditions hold for all of them? Then they run without, so that no load or
// store is conditional: processors have slow masked stores or none. A walk, `for (i = index; i < n; i += threads of the grid)`, is run trip by
// trip, all threads of the blocks before the next trip: neighbours in memory are then neighbours in time, and elements of a vector.
#pragma once

#include "cuprum_language/threads.h"

namespace cuprum_language {

enum class Pass : unsigned char {
  plain,  // as the text stands: a thread on its own
  ask,    // up to the end of the head
  all,    // the conditions of the head hold
  some,   // they may hold
};

static __thread Pass pass;
static __thread unsigned trip;  // of the walk
// Truths, as wide as indices: gcc makes poor vectors of numbers of several widths.
static __thread int answer;   // in `ask`: the head came to its end, and its last condition holds
static __thread int walking;  // the walk's trip is still to be made

#define CUPRUM_HEAD __attribute__((always_inline)) inline

/// At the end of the head: is the thread only asked? Then it returns.
CUPRUM_HEAD bool asked(bool condition) {
  if (pass != Pass::ask) return false;
  answer = condition;
  return true;
}
/// if (condition) ...
CUPRUM_HEAD bool holds(bool condition) { return pass == Pass::all || condition; }
/// if (condition) return;
CUPRUM_HEAD bool leaves(bool condition) { return pass != Pass::all && condition; }

/// The sum of unsigned numbers that a thread's index is. Launches that come to a loop over threads have no index beyond 2^31 (function.cpp);
/// said as a sum of signed numbers, it is one whose overflow a compiler need not think of.
CUPRUM_HEAD long long index(unsigned a, unsigned b) {
  if (pass == Pass::plain) return a + b;
  return static_cast<int>(a) + static_cast<int>(b);
}

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
CUPRUM_HEAD bool walks(bool condition) {
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

#undef CUPRUM_HEAD

}  // namespace cuprum_language
