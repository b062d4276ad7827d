// One number for each lane of a register, real or complex: the arithmetic of small_matrix.h.
#pragma once

#include "backend/cpu/simd/elements.h"
#include "backend/cpu/simd/register_bytes.h"
#include "backend/cpu/simd/small_matrix.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

template <class R>
struct VectorOf;
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(kRegisterBytes)));
  typedef int mask __attribute__((vector_size(kRegisterBytes)));
};
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(kRegisterBytes)));
  typedef long mask __attribute__((vector_size(kRegisterBytes)));
};
template <class R>
using Vector = typename VectorOf<R>::type;
template <class R>
using Mask = typename VectorOf<R>::mask;
template <class R>
inline constexpr int kWidth = kRegisterBytes / sizeof(R);

template <class R>
CUPRUM_FN Vector<R> square_root(Vector<R> x) {
  Vector<R> root;
#pragma GCC unroll 16
  for (int l = 0; l < kWidth<R>; ++l) {
    if constexpr (sizeof(R) == 4)
      root[l] = __builtin_sqrtf(x[l]);
    else
      root[l] = __builtin_sqrt(x[l]);
  }
  return root;
}
template <class R>
CUPRUM_FN Vector<R> magnitude(Vector<R> x) {
  return x < 0 ? -x : x;
}
template <class R>
CUPRUM_FN bool any(Mask<R> mask) {
  bool found = false;
  for (int l = 0; l < kWidth<R>; ++l) found |= mask[l] != 0;
  return found;
}

/// A real number per lane.
template <class R>
struct RealLanes {
  using Real = R;
  using V = Vector<R>;
  static constexpr int kStep = kGroupBytes / sizeof(R);  // reals from element to element

  V x;

  CUPRUM_FN static RealLanes load(const R* p) {
    RealLanes r;
    __builtin_memcpy(&r.x, p, sizeof(V));
    return r;
  }
  CUPRUM_FN void store(R* p) const { __builtin_memcpy(p, &x, sizeof(V)); }
  CUPRUM_FN static RealLanes of(V real) { return {real}; }
  CUPRUM_FN V real() const { return x; }
  CUPRUM_FN Mask<R> is_real() const { return ~Mask<R>{}; }
  CUPRUM_FN V size() const { return magnitude<R>(x); }  // for the choice of a pivot
  CUPRUM_FN V squared() const { return x * x; }
  CUPRUM_FN V modulus() const { return magnitude<R>(x); }
  CUPRUM_FN RealLanes conjugate() const { return *this; }
  CUPRUM_FN RealLanes over(V divisor) const { return {x / divisor}; }
  CUPRUM_FN RealLanes times(V factor) const { return {x * factor}; }
  CUPRUM_FN RealLanes reciprocal() const { return {1 / x}; }
};
template <class R>
CUPRUM_FN RealLanes<R> operator*(RealLanes<R> a, RealLanes<R> b) {
  return {a.x * b.x};
}
template <class R>
CUPRUM_FN RealLanes<R> operator+(RealLanes<R> a, RealLanes<R> b) {
  return {a.x + b.x};
}
template <class R>
CUPRUM_FN RealLanes<R> operator-(RealLanes<R> a, RealLanes<R> b) {
  return {a.x - b.x};
}
template <class R>
CUPRUM_FN RealLanes<R> choose(Mask<R> mask, RealLanes<R> a, RealLanes<R> b) {
  return {mask ? a.x : b.x};
}

/// A complex number per lane.
template <class R>
struct ComplexLanes {
  using Real = R;
  using V = Vector<R>;
  static constexpr int kStep = 2 * kGroupBytes / sizeof(R);

  V re, im;

  CUPRUM_FN static ComplexLanes load(const R* p) {
    ComplexLanes r;
    __builtin_memcpy(&r.re, p, sizeof(V));
    __builtin_memcpy(&r.im, p + kStep / 2, sizeof(V));
    return r;
  }
  CUPRUM_FN void store(R* p) const {
    __builtin_memcpy(p, &re, sizeof(V));
    __builtin_memcpy(p + kStep / 2, &im, sizeof(V));
  }
  CUPRUM_FN static ComplexLanes of(V real) { return {real, V{}}; }
  CUPRUM_FN V real() const { return re; }
  CUPRUM_FN Mask<R> is_real() const { return im == 0; }
  CUPRUM_FN V size() const { return magnitude<R>(re) + magnitude<R>(im); }
  CUPRUM_FN V squared() const { return re * re + im * im; }
  CUPRUM_FN V modulus() const { return square_root<R>(squared()); }
  CUPRUM_FN ComplexLanes conjugate() const { return {re, -im}; }
  CUPRUM_FN ComplexLanes over(V divisor) const { return {re / divisor, im / divisor}; }
  CUPRUM_FN ComplexLanes times(V factor) const { return {re * factor, im * factor}; }
  /// Smith's: neither overflows nor vanishes where the result does not.
  CUPRUM_FN ComplexLanes reciprocal() const {
    const Mask<R> tall = magnitude<R>(re) < magnitude<R>(im);
    const V high = tall ? im : re, low = tall ? re : im;
    const V ratio = low / high, scale = 1 / (high + low * ratio);
    const V a = scale, b = ratio * scale;
    return {tall ? b : a, tall ? -a : -b};
  }
};
template <class R>
CUPRUM_FN ComplexLanes<R> operator*(ComplexLanes<R> a, ComplexLanes<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class R>
CUPRUM_FN ComplexLanes<R> operator+(ComplexLanes<R> a, ComplexLanes<R> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R>
CUPRUM_FN ComplexLanes<R> operator-(ComplexLanes<R> a, ComplexLanes<R> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class R>
CUPRUM_FN ComplexLanes<R> choose(Mask<R> mask, ComplexLanes<R> a, ComplexLanes<R> b) {
  return {mask ? a.re : b.re, mask ? a.im : b.im};
}

/// Rows of elements of all lanes.
template <class S>
struct Rows {
  using R = typename S::Real;
  R* data;
  int width;

  CUPRUM_FN R* at(int i, int j) const {
    return data + (static_cast<int64>(i) * group_stride(width) + j) * S::kStep;
  }
};

/// Calls f<lanes>(first real of the group, first lane) for each register of a group.
template <class F>
void each_register(dtype type, void* group, F&& f) {
  const auto run = [&]<class S>(S) {
    using R = typename S::Real;
    for (int first = 0; first < kGroupBytes / static_cast<int>(sizeof(R)); first += kWidth<R>)
      f.template operator()<S>(static_cast<R*>(group) + first, first);
  };
  switch (type) {
    case dtype::float32: return run(RealLanes<float>());
    case dtype::float64: return run(RealLanes<double>());
    case dtype::complex64: return run(ComplexLanes<float>());
    default: return run(ComplexLanes<double>());
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
