// sinh, cosh, tanh, sin, cos, tan of complex numbers, with C's special values. The circular functions are the
// hyperbolic ones with real and imaginary parts in each other's place: if sinh(y + ix) = v + iu then
// sin(x + iy) = u + iv, and so for tan; cos(x + iy) = cosh(-y + ix).
#pragma once

#include "kernels/complex_exponential.h"

CUPRUM_KERNELS_BEGIN

template <class R>
CUPRUM_FN complex<R> swap_parts(complex<R> z) {
  return {z.im, z.re};
}

/// c * exp(|x|) / 2, which is c * cosh(x) and |c * sinh(x)| from tanh_limit on.
template <class R>
CUPRUM_FN R scale_by_half_exp(R c, R size) {
  if (size <= range<R>::exp_limit) return c * (math::exp(size) * R(0.5));
  const R quarter = math::exp(size * R(0.25));
  return c * quarter * quarter * quarter * (quarter * R(0.5));
}

template <class R>
CUPRUM_FN_LARGE complex<R> sinh(complex<R> z) {
  const R x = z.re, y = z.im;
  if (y == 0) return {math::sinh(x), y};
  if (!is_finite(y)) {
    if (x == 0) return {x, quiet_nan<R>()};
    return {is_inf(x) ? infinity<R>() : quiet_nan<R>(), quiet_nan<R>()};
  }
  const R sine = math::sin(y), cosine = math::cos(y), size = math::fabs(x);
  if (size < range<R>::tanh_limit) return {math::sinh(x) * cosine, math::cosh(x) * sine};
  return {scale_by_half_exp(math::copysign(R(1), x) * cosine, size), scale_by_half_exp(sine, size)};
}

template <class R>
CUPRUM_FN_LARGE complex<R> cosh(complex<R> z) {
  const R x = z.re, y = z.im;
  if (y == 0) return {math::cosh(x), is_nan(x) ? y : math::copysign(R(1), x) * y};
  if (!is_finite(y)) {
    if (x == 0) return {quiet_nan<R>(), R(0)};
    return {is_inf(x) ? infinity<R>() : quiet_nan<R>(), quiet_nan<R>()};
  }
  const R sine = math::sin(y), cosine = math::cos(y), size = math::fabs(x);
  if (size < range<R>::tanh_limit) return {math::cosh(x) * cosine, math::sinh(x) * sine};
  return {scale_by_half_exp(cosine, size), scale_by_half_exp(math::copysign(R(1), x) * sine, size)};
}

/// With s = sinh x, t = tan y: tanh(x + iy) = ((1 + t^2) s sqrt(1 + s^2) + i t) / (1 + (1 + t^2) s^2).
template <class R>
CUPRUM_FN_LARGE complex<R> tanh(complex<R> z) {
  const R x = z.re, y = z.im;
  if (is_nan(x)) return {x, y == 0 ? y : quiet_nan<R>()};
  if (is_inf(x)) {
    const R sign_of = is_finite(y) ? math::sin(y) * math::cos(y) : y;
    return {math::copysign(R(1), x), math::copysign(R(0), sign_of)};
  }
  if (!is_finite(y)) return {x == 0 ? x : quiet_nan<R>(), quiet_nan<R>()};
  const R size = math::fabs(x);
  if (size >= range<R>::tanh_limit) {
    const R decay = math::exp(-size);
    return {math::copysign(R(1), x), R(4) * math::sin(y) * math::cos(y) * decay * decay};
  }
  const R t = math::tan(y), beta = R(1) + t * t;
  const R s = math::sinh(x), rho = math::sqrt(R(1) + s * s);
  if (is_inf(t)) return {rho / s, R(1) / t};
  const R denominator = R(1) + beta * s * s;
  return {beta * rho * s / denominator, t / denominator};
}

template <class R>
CUPRUM_FN complex<R> sin(complex<R> z) {
  return swap_parts(sinh(swap_parts(z)));
}
template <class R>
CUPRUM_FN complex<R> cos(complex<R> z) {
  return cosh(complex<R>{-z.im, z.re});
}
template <class R>
CUPRUM_FN complex<R> tan(complex<R> z) {
  return swap_parts(tanh(swap_parts(z)));
}

CUPRUM_KERNELS_END
