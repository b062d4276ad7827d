// The arithmetic of complex numbers: each operation as NumPy defines it in terms of real operations.
#pragma once

#include "kernels/math.h"

CUPRUM_KERNELS_BEGIN

/// a * b, rounded. gcc 12 makes fused instructions (vfmaddsub) of a vector of complex products even under -ffp-contract=off;
/// its barrier keeps the product apart from the sum.
template <class R>
CUPRUM_FN R rounded_product(R a, R b) {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__) && __GNUC__ >= 12
  return __builtin_assoc_barrier(a * b);
#else
  return a * b;
#endif
}

template <class R>
CUPRUM_FN complex<R> add(complex<R> a, complex<R> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class R>
CUPRUM_FN complex<R> subtract(complex<R> a, complex<R> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class R>
CUPRUM_FN complex<R> multiply(complex<R> a, complex<R> b) {
  return {rounded_product(a.re, b.re) - rounded_product(a.im, b.im),
          rounded_product(a.re, b.im) + rounded_product(a.im, b.re)};
}

/// Smith's division: scaled by the larger part of the divisor, so that it does not overflow early.
template <class R>
CUPRUM_FN complex<R> divide(complex<R> a, complex<R> b) {
  const R size_re = math::fabs(b.re), size_im = math::fabs(b.im);
  const bool by_re = size_re >= size_im;
  const bool by_zero = (size_re == 0) & (size_im == 0);
  const R ratio = by_re ? b.im / b.re : b.re / b.im;
  const R scale = R(1) / (by_re ? b.re + b.im * ratio : b.im + b.re * ratio);
  const R re = (by_re ? a.re + a.im * ratio : a.re * ratio + a.im) * scale;
  const R im = (by_re ? a.im - rounded_product(a.re, ratio) : a.im * ratio - a.re) * scale;
  return {by_zero ? a.re / size_re : re, by_zero ? a.im / size_re : im};
}

template <class R>
CUPRUM_FN complex<R> negative(complex<R> z) {
  return {-z.re, -z.im};
}
template <class R>
CUPRUM_FN R absolute(complex<R> z) {
  return math::hypot(z.re, z.im);
}
template <class R>
CUPRUM_FN complex<R> square(complex<R> z) {
  return multiply(z, z);
}
template <class R>
CUPRUM_FN complex<R> reciprocal(complex<R> z) {
  const bool by_re = math::fabs(z.im) <= math::fabs(z.re);
  const R ratio = by_re ? z.im / z.re : z.re / z.im;
  const R size = by_re ? z.re + z.im * ratio : z.re * ratio + z.im;
  return {(by_re ? R(1) : ratio) / size, (by_re ? -ratio : R(-1)) / size};
}

/// z / |z|; NaN where both parts are infinite. Where |z| overflows, NumPy takes z for imaginary unless the real part
/// is infinite, and so does this.
template <class R>
CUPRUM_FN complex<R> sign(complex<R> z) {
  const R size = math::hypot(z.re, z.im);
  if (is_nan(size) || (is_inf(z.re) && is_inf(z.im))) return {quiet_nan<R>(), quiet_nan<R>()};
  if (is_inf(z.re)) return {z.re > 0 ? R(1) : R(-1), R(0)};
  if (is_inf(size)) return {R(0), z.im > 0 ? R(1) : R(-1)};
  if (size == 0) return {R(0), R(0)};
  return {z.re / size, z.im / size};
}

template <class T>
CUPRUM_FN T conjugate(T x) {
  return x;
}
template <class R>
CUPRUM_FN complex<R> conjugate(complex<R> z) {
  return {z.re, -z.im};
}
template <class R>
CUPRUM_FN R real(complex<R> z) {
  return z.re;
}
template <class R>
CUPRUM_FN R imag(complex<R> z) {
  return z.im;
}

CUPRUM_KERNELS_END
