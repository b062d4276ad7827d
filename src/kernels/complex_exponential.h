// exp, exp2, expm1, log, log2, log10, log1p, sqrt and power of complex numbers.
//
// Special values are C's (Annex G), which NumPy has too: infinities, NaN and signed zeros in either part. Finite
// arguments do not overflow or lose their digits on the way to a representable result.
#pragma once

#include "kernels/complex.h"
#include "kernels/exponential.h"

CUPRUM_KERNELS_BEGIN

/// Bounds of the range of R, for the functions of complex numbers.
template <class R>
struct range;
template <>
struct range<float> {
  static constexpr float exp_limit = 88.0f;  // exp does not overflow up to here
  static constexpr float large = 0x1p126f, tiny = 0x1p-100f, tiny_scale = 0x1p30f;
  static constexpr float epsilon = 0x1p-23f;
  static constexpr float splitter = 4097.0f;  // 2^12 + 1: halves a mantissa of 24 bits
  static constexpr float tanh_limit = 11.0f;  // tanh is 1 from here on
};
template <>
struct range<double> {
  static constexpr double exp_limit = 709.0;
  static constexpr double large = 0x1p1022, tiny = 0x1p-900, tiny_scale = 0x1p200;
  static constexpr double epsilon = 0x1p-52;
  static constexpr double splitter = 134217729.0;  // 2^27 + 1
  static constexpr double tanh_limit = 22.0;
};

template <class R>
inline constexpr R ln2 = R(0.693147180559945309417232121458176568);

/// c * exp(x), also where exp(x) alone would overflow.
template <class R>
CUPRUM_FN R scale_by_exp(R c, R x) {
  if (x <= range<R>::exp_limit) return c * math::exp(x);
  const R quarter = math::exp(x * R(0.25));
  return c * quarter * quarter * quarter * quarter;
}

template <class R>
CUPRUM_FN_LARGE complex<R> exp(complex<R> z) {
  if (z.im == 0) return {math::exp(z.re), z.im};
  if (is_finite(z.im)) {
    const R cosine = math::cos(z.im), sine = math::sin(z.im);
    return {scale_by_exp(cosine, z.re), scale_by_exp(sine, z.re)};
  }
  if (is_inf(z.re)) {
    if (z.re < 0) return {R(0), math::copysign(R(0), z.im)};
    return {z.re, z.im - z.im};
  }
  return {quiet_nan<R>(), quiet_nan<R>()};
}

template <class R>
CUPRUM_FN complex<R> exp2(complex<R> z) {
  return exp(complex<R>{z.re * ln2<R>, z.im * ln2<R>});
}

/// By parts, so that nothing cancels near zero.
template <class R>
CUPRUM_FN_LARGE complex<R> expm1(complex<R> z) {
  const R half_sine = math::sin(z.im / R(2));
  return {math::expm1(z.re) * math::cos(z.im) - R(2) * half_sine * half_sine,
          math::exp(z.re) * math::sin(z.im)};
}

/// a * a as an unevaluated sum of two numbers, by splitting a in halves.
template <class R>
CUPRUM_FN complex<R> exact_square(R a) {
  const R product = a * a;
  const R shifted = a * range<R>::splitter;
  const R high = shifted - (shifted - a), low = a - high;
  return {product, ((high * high - product) + R(2) * high * low) + low * low};
}

/// log |z|. Near the unit circle through log1p(|z|^2 - 1), formed without cancellation.
template <class R>
CUPRUM_FN_LARGE R log_absolute(complex<R> z) {
  const R a = math::fabs(z.re), b = math::fabs(z.im);
  const R larger = a > b ? a : b, smaller = a > b ? b : a;
  if (larger > R(0.5) && larger < R(1.5) && smaller < R(1.5)) {
    const complex<R> p = exact_square(larger), q = exact_square(smaller);
    const R excess = ((p.re - R(1)) + q.re) + (p.im + q.im);
    if (math::fabs(excess) < R(0.5)) return math::log1p(excess) / R(2);
  }
  if (larger > range<R>::large) return math::log(math::hypot(a * R(0.25), b * R(0.25))) + R(2) * ln2<R>;
  if (larger < range<R>::tiny && larger > 0) {
    constexpr R scale = range<R>::tiny_scale;
    return math::log(math::hypot(a * scale, b * scale)) - math::log(scale);
  }
  return math::log(math::hypot(a, b));
}

template <class R>
CUPRUM_FN complex<R> log(complex<R> z) {
  return {log_absolute(z), math::atan2(z.im, z.re)};
}

template <class R>
CUPRUM_FN complex<R> log2(complex<R> z) {
  constexpr R log2_e = R(1.442695040888963407359924681001892137);
  const complex<R> w = log(z);
  return {w.re * log2_e, w.im * log2_e};
}

template <class R>
CUPRUM_FN complex<R> log10(complex<R> z) {
  constexpr R log10_e = R(0.434294481903251827651128918916605082);
  const complex<R> w = log(z);
  return {w.re * log10_e, w.im * log10_e};
}

template <class R>
CUPRUM_FN complex<R> log1p(complex<R> z) {
  return {math::log(math::hypot(z.re + R(1), z.im)), math::atan2(z.im, z.re + R(1))};
}

template <class R>
CUPRUM_FN_LARGE complex<R> sqrt(complex<R> z) {
  R x = z.re, y = z.im, unscale = 1;
  if (x == 0 && y == 0) return {R(0), y};
  if (is_inf(y)) return {infinity<R>(), y};
  if (is_nan(x)) return {x, quiet_nan<R>()};
  if (is_inf(x)) {
    const R other = y - y;  // 0, or NaN if y is
    return x < 0 ? complex<R>{math::fabs(other), math::copysign(x, y)}
                 : complex<R>{x, math::copysign(other, y)};
  }
  if (x == 0) {  // both parts are the same number
    const R part = math::sqrt(R(0.5) * math::fabs(y));
    if (math::fabs(y) > range<R>::tiny) return {part, math::copysign(part, y)};
  }
  const R size = math::fabs(x) > math::fabs(y) ? math::fabs(x) : math::fabs(y);
  if (size > range<R>::large) {
    x *= R(0.25), y *= R(0.25), unscale = R(2);
  } else if (size < range<R>::tiny) {
    x *= range<R>::tiny_scale, y *= range<R>::tiny_scale, unscale = R(1) / math::sqrt(range<R>::tiny_scale);
  }
  const R root = math::sqrt((math::fabs(x) + math::hypot(x, y)) * R(0.5));
  const R other = math::fabs(y) / (R(2) * root) * unscale;
  const R main = root * unscale;
  return x >= 0 ? complex<R>{main, math::copysign(other, y)} : complex<R>{other, math::copysign(main, y)};
}

/// a ** n by repeated squaring, 0 < n < 100.
template <class R>
CUPRUM_FN_LARGE complex<R> integer_power(complex<R> a, int n) {
  complex<R> result = {R(1), R(0)}, factor = a;
  for (int bit = 1;; bit *= 2) {
    if (n & bit) result = multiply(result, factor);
    if (n < 2 * bit) return result;
    factor = multiply(factor, factor);
  }
}

/// The sign of an infinite part, a signed zero for a finite one: what is left of a factor beside an infinity.
template <class R>
CUPRUM_FN complex<R> infinite_parts(complex<R> z) {
  return {math::copysign(is_inf(z.re) ? R(1) : R(0), z.re), math::copysign(is_inf(z.im) ? R(1) : R(0), z.im)};
}
template <class R>
CUPRUM_FN complex<R> nan_to_signed_zero(complex<R> z) {
  return {is_nan(z.re) ? math::copysign(R(0), z.re) : z.re, is_nan(z.im) ? math::copysign(R(0), z.im) : z.im};
}

/// The product as C defines it (Annex G): infinite if a factor is, where plain multiplication would give NaN.
template <class R>
CUPRUM_FN_LARGE complex<R> multiply_infinities(complex<R> a, complex<R> b) {
  const complex<R> product = multiply(a, b);
  if (!is_nan(product.re) || !is_nan(product.im)) return product;
  const bool a_infinite = is_inf(a.re) || is_inf(a.im), b_infinite = is_inf(b.re) || is_inf(b.im);
  const bool overflowed =
      is_inf(a.re * b.re) || is_inf(a.im * b.im) || is_inf(a.re * b.im) || is_inf(a.im * b.re);
  if (!a_infinite && !b_infinite && !overflowed) return product;
  if (a_infinite) a = infinite_parts(a), b = nan_to_signed_zero(b);
  if (b_infinite) b = infinite_parts(b), a = nan_to_signed_zero(a);
  if (!a_infinite && !b_infinite) a = nan_to_signed_zero(a), b = nan_to_signed_zero(b);
  const complex<R> direction = multiply(a, b);
  return {infinity<R>() * direction.re, infinity<R>() * direction.im};
}

/// Small whole exponents by multiplication, as NumPy; anything else through exp(b * log(a)).
template <class R>
CUPRUM_FN_LARGE complex<R> power(complex<R> a, complex<R> b) {
  if (b.re == 0 && b.im == 0) return {R(1), R(0)};
  if (a.re == 0 && a.im == 0) {
    if (b.re > 0) return {R(0), R(0)};
    return {quiet_nan<R>(), quiet_nan<R>()};
  }
  if (b.im == 0 && b.re == math::trunc(b.re) && math::fabs(b.re) < R(100)) {
    const int n = static_cast<int>(b.re);
    if (n == 1) return a;
    if (n == 2) return multiply(a, a);
    if (n == 3) return multiply(a, multiply(a, a));
    const complex<R> w = integer_power(a, n < 0 ? -n : n);
    return n < 0 ? divide(complex<R>{R(1), R(0)}, w) : w;
  }
  return exp(multiply_infinities(b, log(a)));
}

CUPRUM_KERNELS_END
