// Warps of 32 threads: shuffles, votes, matches, reductions.
#pragma once

#include "cuprum_language/threads.h"

namespace cuprum_language {

template <class T>
inline unsigned long long to_word(T value) {
  static_assert(sizeof(T) <= 8, "a value of at most 8 bytes");
  unsigned long long word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  return word;
}
template <class T>
inline T from_word(unsigned long long word) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &word, sizeof value);
  return value;
}

/// Each gets the value of the lane of its choice, its own if that takes no part.
inline void shuffle(Arrival* const* arrivals, unsigned count) {
  for_each(arrivals, count, [&](Arrival& a) {
    const Arrival* from =
        a.choice >= 0 && static_cast<unsigned>(a.choice) < count ? arrivals[a.choice] : nullptr;
    a.result = from ? from->value : a.value;
  });
}

template <class T>
inline T shuffle_from(unsigned mask, T value, int from) {
  return from_word<T>(meet(Scope::lanes, mask, to_word(value), from, shuffle));
}

/// Bit i of a result: what holds for lane i.
template <class F>
inline unsigned lanes_where(Arrival* const* arrivals, unsigned count, F holds) {
  unsigned lanes = 0;
  for (unsigned i = 0; i < count; ++i) lanes |= arrivals[i] && holds(*arrivals[i]) ? 1u << i : 0u;
  return lanes;
}

inline void ballot(Arrival* const* arrivals, unsigned count) {
  const unsigned lanes = lanes_where(arrivals, count, [](const Arrival& a) { return a.value != 0; });
  for_each(arrivals, count, [&](Arrival& a) { a.result = lanes; });
}

inline void match_any(Arrival* const* arrivals, unsigned count) {
  for_each(arrivals, count, [&](Arrival& a) {
    a.result = lanes_where(arrivals, count, [&](const Arrival& other) { return other.value == a.value; });
  });
}

/// All lanes that take part, if their values are one; else 0.
inline void match_all(Arrival* const* arrivals, unsigned count) {
  const unsigned all = lanes_where(arrivals, count, [](const Arrival&) { return true; });
  for_each(arrivals, count, [&](Arrival& a) {
    a.result =
        lanes_where(arrivals, count, [&](const Arrival& o) { return o.value == a.value; }) == all ? all : 0;
  });
}

inline void present(Arrival* const* arrivals, unsigned count) {
  const unsigned all = lanes_where(arrivals, count, [](const Arrival&) { return true; });
  for_each(arrivals, count, [&](Arrival& a) { a.result = all; });
}

/// Each gets the fold of all values, in the order of lanes.
template <class T, class F>
inline T reduce(unsigned mask, T value, F) {
  return from_word<T>(
      meet(Scope::lanes, mask, to_word(value), 0, [](Arrival* const* arrivals, unsigned count) {
        bool first = true;
        T total{};
        for_each(arrivals, count, [&](const Arrival& a) {
          const T next = from_word<T>(a.value);
          total = first ? next : F{}(total, next);
          first = false;
        });
        for_each(arrivals, count, [&](Arrival& a) { a.result = to_word(total); });
      }));
}

/// The lane that `__shfl` of each kind reads; `width` lanes are a group.
inline int group_start(int width) { return static_cast<int>(lane()) & ~(width - 1); }

}  // namespace cuprum_language

inline void __syncwarp(unsigned mask = 0xffffffffu) {
  cuprum_language::meet(cuprum_language::Scope::lanes, mask, 0, 0, nullptr);
}

template <class T>
inline T __shfl_sync(unsigned mask, T value, int source, int width = 32) {
  return cuprum_language::shuffle_from(mask, value,
                                       cuprum_language::group_start(width) + (source & (width - 1)));
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = static_cast<int>(cuprum_language::lane());
  const int from = lane - static_cast<int>(delta);
  return cuprum_language::shuffle_from(mask, value, from < cuprum_language::group_start(width) ? lane : from);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  const int lane = static_cast<int>(cuprum_language::lane());
  const int from = lane + static_cast<int>(delta);
  return cuprum_language::shuffle_from(mask, value,
                                       from >= cuprum_language::group_start(width) + width ? lane : from);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {
  const int lane = static_cast<int>(cuprum_language::lane());
  const int from = lane ^ lanes;
  return cuprum_language::shuffle_from(mask, value,
                                       from >= cuprum_language::group_start(width) + width ? lane : from);
}

inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(
      cuprum_language::meet(cuprum_language::Scope::lanes, mask, predicate != 0, 0, cuprum_language::ballot));
}
inline int __any_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
inline int __all_sync(unsigned mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
inline __attribute__((always_inline)) unsigned __activemask() {
  return static_cast<unsigned>(
      cuprum_language::meet(cuprum_language::Scope::active, 0, 0, 0, cuprum_language::present));
}

template <class T>
inline unsigned __match_any_sync(unsigned mask, T value) {
  return static_cast<unsigned>(cuprum_language::meet(
      cuprum_language::Scope::lanes, mask, cuprum_language::to_word(value), 0, cuprum_language::match_any));
}
template <class T>
inline unsigned __match_all_sync(unsigned mask, T value, int* predicate) {
  const auto lanes = static_cast<unsigned>(cuprum_language::meet(
      cuprum_language::Scope::lanes, mask, cuprum_language::to_word(value), 0, cuprum_language::match_all));
  *predicate = lanes != 0;
  return lanes;
}

#define CUPRUM_REDUCE(name, T, expression)                                                            \
  inline T __reduce_##name##_sync(unsigned mask, T value) {                                           \
    return cuprum_language::reduce(mask, value, [](T a, T b) { return static_cast<T>(expression); }); \
  }
CUPRUM_REDUCE(add, unsigned, a + b)
CUPRUM_REDUCE(add, int, static_cast<unsigned>(a) + static_cast<unsigned>(b))
CUPRUM_REDUCE(min, unsigned, a < b ? a : b)
CUPRUM_REDUCE(min, int, a < b ? a : b)
CUPRUM_REDUCE(max, unsigned, a > b ? a : b)
CUPRUM_REDUCE(max, int, a > b ? a : b)
CUPRUM_REDUCE(and, unsigned, a& b)
CUPRUM_REDUCE(or, unsigned, a | b)
CUPRUM_REDUCE(xor, unsigned, a ^ b)
#undef CUPRUM_REDUCE
