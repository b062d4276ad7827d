// bitwise_and, bitwise_or, bitwise_xor, invert, left_shift, right_shift, bitwise_count of bool and integers.
#pragma once

#include "kernels/arithmetic.h"

CUPRUM_KERNELS_BEGIN

template <class T>
CUPRUM_FN T bitwise_and(T a, T b) {
  return static_cast<T>(a & b);
}
template <class T>
CUPRUM_FN T bitwise_or(T a, T b) {
  return static_cast<T>(a | b);
}
template <class T>
CUPRUM_FN T bitwise_xor(T a, T b) {
  return static_cast<T>(a ^ b);
}
template <class T>
CUPRUM_FN T invert(T x) {
  if constexpr (boolean<T>) {
    return !x;
  } else {
    return static_cast<T>(~x);
  }
}

/// Shifts by a negative count or by at least the width give 0, or the sign where it is kept.
template <integer T>
CUPRUM_FN T left_shift(T x, T count) {
  constexpr bits_of<T> width = 8 * sizeof(T);
  const bool inside = static_cast<bits_of<T>>(count) < width;
  const int bounded = inside ? static_cast<int>(count) : 0;
  return inside ? static_cast<T>(static_cast<wrapping<T>>(x) << bounded) : T(0);
}

template <integer T>
CUPRUM_FN T right_shift(T x, T count) {
  constexpr bits_of<T> width = 8 * sizeof(T);
  const bool inside = static_cast<bits_of<T>>(count) < width;
  if constexpr (signed_integer<T>) {
    return static_cast<T>(x >> (inside ? static_cast<int>(count) : static_cast<int>(width) - 1));
  } else {
    return inside ? static_cast<T>(x >> (inside ? static_cast<int>(count) : 0)) : T(0);
  }
}

/// Number of ones in |x|. Written with arithmetic: only some machines count bits in vectors.
template <integer T>
CUPRUM_FN uint8 bitwise_count(T x) {
  using U = bits_of<T>;
  constexpr U ones = static_cast<U>(~U(0));
  U n = static_cast<U>(absolute(x));
  n = static_cast<U>(n - ((n >> 1) & static_cast<U>(ones / 3)));
  n = static_cast<U>((n & static_cast<U>(ones / 5)) + ((n >> 2) & static_cast<U>(ones / 5)));
  n = static_cast<U>((n + (n >> 4)) & static_cast<U>(ones / 17));
  if constexpr (sizeof(T) >= 2) n = static_cast<U>(n + (n >> 8));
  if constexpr (sizeof(T) >= 4) n = static_cast<U>(n + (n >> 16));
  if constexpr (sizeof(T) >= 8) n = static_cast<U>(n + (n >> 32));
  return static_cast<uint8>(n & 0x7f);
}

CUPRUM_KERNELS_END
