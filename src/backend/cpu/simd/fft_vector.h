// Vectors of complex numbers, in two registers: how they come from rows of pairs and go back.
#pragma once

#include "backend/cpu/simd/register_bytes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL::fft {

template <class R>
inline constexpr int kLanes = kRegisterBytes / sizeof(R);

template <class R, int lanes>
struct VectorOf {
  typedef R type __attribute__((vector_size(lanes * sizeof(R))));
};
template <class R>
struct VectorOf<R, 1> {
  using type = R;
};

/// `lanes` complex numbers of parts R.
template <class R, int lanes>
struct Complex {
  using Real = R;
  using V = typename VectorOf<R, lanes>::type;
  static constexpr int kCount = lanes;
  V re, im;
};

template <class C>
inline C operator+(const C& a, const C& b) {
  return {a.re + b.re, a.im + b.im};
}
template <class C>
inline C operator-(const C& a, const C& b) {
  return {a.re - b.re, a.im - b.im};
}
/// Times -i.
template <class C>
inline C turned(const C& a) {
  return {a.im, -a.re};
}
template <class C>
inline C times(const C& a, typename C::Real re, typename C::Real im) {
  return {a.re * re - a.im * im, a.re * im + a.im * re};
}
template <class C>
inline C times(const C& a, const C& b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <int... I>
struct Indices {};
template <int n, int... I>
struct Counting : Counting<n - 1, n - 1, I...> {};
template <int... I>
struct Counting<0, I...> {
  using type = Indices<I...>;
};
template <int n>
using UpTo = typename Counting<n>::type;

template <class V>
inline V load(const void* p) {
  V v;
  __builtin_memcpy(&v, p, sizeof(V));
  return v;
}
template <class V>
inline void store(void* p, const V& v) {
  __builtin_memcpy(p, &v, sizeof(V));
}

template <class V, int... I>
inline V evens(V a, V b, Indices<I...>) {
  return __builtin_shufflevector(a, b, 2 * I...);
}
template <class V, int... I>
inline V odds(V a, V b, Indices<I...>) {
  return __builtin_shufflevector(a, b, (2 * I + 1)...);
}
/// a0 b0 a1 b1 ..., from the `start` of both.
template <int start, class V, int... I>
inline V zipped(V a, V b, Indices<I...>) {
  return __builtin_shufflevector(a, b, (start + I / 2 + (I % 2) * int(sizeof...(I)))...);
}
template <class V, int... I>
inline V reversed(V a, Indices<I...>) {
  return __builtin_shufflevector(a, a, (int(sizeof...(I)) - 1 - I)...);
}

/// kCount pairs that follow each other in memory.
template <class C>
inline C load_pairs(const typename C::Real* p) {
  using V = typename C::V;
  constexpr int n = C::kCount;
  if constexpr (n == 1) {
    return {p[0], p[1]};
  } else {
    const V a = load<V>(p), b = load<V>(p + n);
    return {evens(a, b, UpTo<n>{}), odds(a, b, UpTo<n>{})};
  }
}
template <class C>
inline void store_pairs(typename C::Real* p, const C& c) {
  constexpr int n = C::kCount;
  if constexpr (n == 1) {
    p[0] = c.re;
    p[1] = c.im;
  } else {
    store(p, zipped<0>(c.re, c.im, UpTo<n>{}));
    store(p + n, zipped<n / 2>(c.re, c.im, UpTo<n>{}));
  }
}
template <class C>
inline C backwards(const C& c) {
  return {reversed(c.re, UpTo<C::kCount>{}), reversed(c.im, UpTo<C::kCount>{})};
}
/// The first `count` of them; the other lanes are zero.
template <class C>
inline C load_some(const typename C::Real* p, int count) {
  C c{};
  for (int i = 0; i < count; ++i) {
    reinterpret_cast<typename C::Real*>(&c.re)[i] = p[2 * i];
    reinterpret_cast<typename C::Real*>(&c.im)[i] = p[2 * i + 1];
  }
  return c;
}
/// kCount numbers that follow each other in memory, with imaginary parts of zero; and the first `count` of them.
template <class C>
inline C load_reals(const typename C::Real* p) {
  return {load<typename C::V>(p), typename C::V{}};
}
template <class C>
inline C load_some_reals(const typename C::Real* p, int count) {
  C c{};
  for (int i = 0; i < count; ++i) reinterpret_cast<typename C::Real*>(&c.re)[i] = p[i];
  return c;
}
template <class C>
inline void store_some(typename C::Real* p, const C& c, int count) {
  for (int i = 0; i < count; ++i) {
    p[2 * i] = reinterpret_cast<const typename C::Real*>(&c.re)[i];
    p[2 * i + 1] = reinterpret_cast<const typename C::Real*>(&c.im)[i];
  }
}

template <int side, class V, int... I>
inline void swap_blocks(V& a, V& b, Indices<I...>) {
  constexpr int n = sizeof...(I);
  const V low = __builtin_shufflevector(a, b, ((I & side) ? n + I - side : I)...);
  const V high = __builtin_shufflevector(a, b, ((I & side) ? n + I : I + side)...);
  a = low;
  b = high;
}
/// rows[i][j] becomes rows[j][i].
template <int n, int side = n / 2, class V>
inline void transpose(V* rows) {
  if constexpr (side >= 1) {
#pragma GCC unroll 16
    for (int i = 0; i < n; ++i) {
      if (!(i & side)) swap_blocks<side>(rows[i], rows[i + side], UpTo<n>{});
    }
    transpose<n, side / 2>(rows);
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL::fft
