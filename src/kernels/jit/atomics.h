// Atomic operations on all numbers that Python kernels have them for: CUDA's where it has them, else by compare and swap.
#pragma once

#include "kernels/jit/meanings.h"

namespace jit {

/// The words that CUDA compares and swaps.
template <class T>
using word = np::conditional<sizeof(T) == 2, unsigned short,
                             np::conditional<sizeof(T) == 4, unsigned int, unsigned long long>>;

/// *at = change(*at), by itself; gives what was there.
template <class T, class Change>
CUPRUM_FN T atomic_change(T* at, Change change) {
  word<T>* const place = reinterpret_cast<word<T>*>(at);
  word<T> before = *place;
  for (;;) {
    const word<T> after = np::bit_cast<word<T>>(change(np::bit_cast<T>(before)));
    const word<T> seen = atomicCAS(place, before, after);
    if (seen == before) return np::bit_cast<T>(before);
    before = seen;
  }
}

/// A number by its bits, as CUDA's integers of that size.
template <class T>
CUPRUM_FN word<T>* words(T* at) {
  return reinterpret_cast<word<T>*>(at);
}

template <class T>
CUPRUM_FN T atomic_add(T* at, T value) {
  if constexpr (np::native_float<T>) {
    return atomicAdd(at, value);
  } else if constexpr (np::integer<T>) {
    return static_cast<T>(atomicAdd(words(at), static_cast<word<T>>(value)));
  } else {
    return atomic_change(at, [value](T x) { return np::add(x, value); });
  }
}
template <class T>
CUPRUM_FN T atomic_sub(T* at, T value) {
  return atomic_add(at, np::negative(value));
}
template <class T>
CUPRUM_FN T atomic_exch(T* at, T value) {
  if constexpr (sizeof(T) >= 4) {
    return np::bit_cast<T>(atomicExch(words(at), np::bit_cast<word<T>>(value)));
  } else {
    return atomic_change(at, [value](T) { return value; });
  }
}
template <class T>
CUPRUM_FN T atomic_min(T* at, T value) {
  if constexpr (np::integer<T>) {
    return atomicMin(at, value);
  } else {
    return atomic_change(at, [value](T x) { return np::minimum(x, value); });
  }
}
template <class T>
CUPRUM_FN T atomic_max(T* at, T value) {
  if constexpr (np::integer<T>) {
    return atomicMax(at, value);
  } else {
    return atomic_change(at, [value](T x) { return np::maximum(x, value); });
  }
}
CUPRUM_FN unsigned atomic_inc(unsigned* at, unsigned value) { return atomicInc(at, value); }
CUPRUM_FN unsigned atomic_dec(unsigned* at, unsigned value) { return atomicDec(at, value); }
template <class T>
CUPRUM_FN T atomic_cas(T* at, T expected, T value) {
  return static_cast<T>(atomicCAS(words(at), static_cast<word<T>>(expected), static_cast<word<T>>(value)));
}
template <class T>
CUPRUM_FN T atomic_and(T* at, T value) {
  return static_cast<T>(atomicAnd(words(at), static_cast<word<T>>(value)));
}
template <class T>
CUPRUM_FN T atomic_or(T* at, T value) {
  return static_cast<T>(atomicOr(words(at), static_cast<word<T>>(value)));
}
template <class T>
CUPRUM_FN T atomic_xor(T* at, T value) {
  return static_cast<T>(atomicXor(words(at), static_cast<word<T>>(value)));
}

}  // namespace jit
