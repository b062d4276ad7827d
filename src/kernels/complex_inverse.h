// arcsinh, arcsin, arccos, arccosh, arctanh, arctan of complex numbers, with C's special values and branch cuts.
//
// The method is that of Hull, Fairgrieve and Tang (1997). For a point x + iy in the first quadrant let R and S be its
// distances from i and -i, A = (R + S) / 2 and B = y / A. Then arcsinh(x + iy) = log(A + sqrt(A^2 - 1)) + i asin(B).
// A close to 1 and B close to 1 cancel; the differences A - 1 and A - y are then formed from parts that do not.
#pragma once

#include "kernels/complex_exponential.h"

CUPRUM_KERNELS_BEGIN

template <class R>
inline constexpr R half_pi = R(1.570796326794896619231321691639751442);

/// (distance - b) / 2 where distance = hypot(a, b), without cancellation.
template <class R>
CUPRUM_FN R half_excess(R a, R b, R distance) {
  if (b < 0) return (distance - b) * R(0.5);
  if (b == 0) return a * R(0.5);
  return a * a / (distance + b) * R(0.5);
}

/// What arcsinh, arcsin and arccos are made of: the real part, and the imaginary part as the angle of a point.
template <class R>
struct InverseParts {
  R real;                // log(A + sqrt(A^2 - 1))
  R opposite, adjacent;  // angle = atan2(opposite, adjacent), opposite ~ y, adjacent ~ sqrt(A^2 - y^2)
};

/// For x, y >= 0, not both tiny, neither huge.
template <class R>
CUPRUM_FN_LARGE InverseParts<R> inverse_parts(R x, R y) {
  constexpr R epsilon = range<R>::epsilon;
  const R above = math::hypot(x, y + R(1)), below = math::hypot(x, y - R(1));
  R a = (above + below) * R(0.5);
  if (a < R(1)) a = R(1);
  const bool off_axis = x >= epsilon * math::fabs(y - R(1));
  InverseParts<R> parts;

  if (a >= R(10)) {
    parts.real = math::log(a + math::sqrt(a * a - R(1)));
  } else if (y == R(1) && x < epsilon * epsilon / R(128)) {
    parts.real = math::sqrt(x);
  } else if (off_axis) {
    const R excess = half_excess(x, R(1) + y, above) + half_excess(x, R(1) - y, below);  // A - 1
    parts.real = math::log1p(excess + math::sqrt(excess * (a + R(1))));
  } else if (y < R(1)) {
    parts.real = x / math::sqrt((R(1) - y) * (R(1) + y));
  } else {
    parts.real = math::log1p((y - R(1)) + math::sqrt((y - R(1)) * (y + R(1))));
  }

  parts.opposite = y;
  if (y <= R(0.6417) * a) {
    parts.adjacent = math::sqrt((a - y) * (a + y));
  } else if (y == R(1) && x < epsilon / R(128)) {
    parts.adjacent = math::sqrt(x) * math::sqrt((a + y) * R(0.5));
  } else if (off_axis) {
    const R excess = half_excess(x, y + R(1), above) + half_excess(x, y - R(1), below);  // A - y
    parts.adjacent = math::sqrt(excess * (a + y));
  } else if (y > R(1)) {
    constexpr R scale = R(4) / epsilon / epsilon;
    parts.opposite = y * scale;
    parts.adjacent = x * scale * y / math::sqrt((y + R(1)) * (y - R(1)));
  } else {
    parts.adjacent = math::sqrt((R(1) - y) * (R(1) + y));
  }
  return parts;
}

template <class R>
CUPRUM_FN bool is_huge(complex<R> z) {
  return math::fabs(z.re) > R(1) / range<R>::epsilon || math::fabs(z.im) > R(1) / range<R>::epsilon;
}
template <class R>
CUPRUM_FN bool is_tiny(complex<R> z) {
  constexpr R bound = range<R>::epsilon * R(4);
  return math::fabs(z.re) < bound && math::fabs(z.im) < bound;
}

template <class R>
CUPRUM_FN_LARGE complex<R> arcsinh(complex<R> z) {
  const R x = z.re, y = z.im;
  if (is_nan(x) || is_nan(y)) {
    if (is_inf(x)) return {x, y + y};
    if (is_inf(y)) return {math::fabs(y), x + x};
    if (y == 0) return {x + x, y};
    return {quiet_nan<R>(), quiet_nan<R>()};
  }
  if (is_tiny(z)) return z;
  const complex<R> quadrant = {math::fabs(x), math::fabs(y)};
  complex<R> w;
  if (is_huge(z)) {
    w = log(quadrant);
    w.re += ln2<R>;
  } else {
    const InverseParts<R> parts = inverse_parts(quadrant.re, quadrant.im);
    w = {parts.real, math::atan2(parts.opposite, parts.adjacent)};
  }
  return {math::copysign(w.re, x), math::copysign(w.im, y)};
}

/// arcsin(z) = -i arcsinh(iz): the parts change places.
template <class R>
CUPRUM_FN complex<R> arcsin(complex<R> z) {
  const complex<R> w = arcsinh(complex<R>{z.im, z.re});
  return {w.im, w.re};
}

template <class R>
CUPRUM_FN_LARGE complex<R> arccos(complex<R> z) {
  const R x = z.re, y = z.im;
  if (is_nan(x) || is_nan(y)) {
    if (is_inf(x)) return {y + y, -infinity<R>()};
    if (is_inf(y)) return {x + x, -y};
    if (x == 0) return {half_pi<R>, y + y};
    return {quiet_nan<R>(), quiet_nan<R>()};
  }
  if (is_tiny(z)) return {half_pi<R> - x, -y};
  R angle, size;
  if (is_huge(z)) {
    const complex<R> w = log(z);
    angle = math::fabs(w.im);
    size = w.re + ln2<R>;
  } else if (x == R(1) && y == 0) {
    angle = 0, size = 0;
  } else {
    const InverseParts<R> parts = inverse_parts(math::fabs(y), math::fabs(x));
    angle = math::atan2(parts.adjacent, math::copysign(parts.opposite, x));
    size = parts.real;
  }
  return {angle, math::copysign(size, sign_bit(y) ? R(1) : R(-1))};
}

template <class R>
CUPRUM_FN_LARGE complex<R> arccosh(complex<R> z) {
  const complex<R> w = arccos(z);
  if (is_nan(w.re) && is_nan(w.im)) return w;
  if (is_nan(w.re)) return {math::fabs(w.im), w.re};
  if (is_nan(w.im)) return {w.im, z.re == 0 ? w.re : w.im};
  return {math::fabs(w.im), math::copysign(w.re, z.im)};
}

/// x / (x^2 + y^2) of which at least one is huge.
template <class R>
CUPRUM_FN R real_of_reciprocal(R x, R y) {
  if (is_inf(x) || is_inf(y)) return math::copysign(R(0), x);
  const R size = math::fabs(x) > math::fabs(y) ? math::fabs(x) : math::fabs(y);
  const R a = x / size, b = y / size;
  return a / (a * a + b * b) / size;
}

template <class R>
CUPRUM_FN_LARGE complex<R> arctanh(complex<R> z) {
  const R x = z.re, y = z.im, a = math::fabs(x), b = math::fabs(y);
  if (b == 0 && a <= R(1)) return {math::atanh(x), y};
  if (x == 0) return {x, math::atan(y)};
  if (is_nan(x) || is_nan(y)) {
    if (is_inf(x)) return {math::copysign(R(0), x), y + y};
    if (is_inf(y)) return {math::copysign(R(0), x), math::copysign(half_pi<R>, y)};
    return {quiet_nan<R>(), quiet_nan<R>()};
  }
  if (is_huge(z)) return {real_of_reciprocal(x, y), math::copysign(half_pi<R>, y)};
  if (is_tiny(z)) return z;
  const R from_one = a - R(1), above = (R(1) - a) * (R(1) + a);
  R real;
  if (a == R(1) && b < range<R>::epsilon) {
    real = (ln2<R> - math::log(b)) * R(0.5);
  } else {
    real = math::log1p(R(4) * a / (from_one * from_one + b * b)) * R(0.25);
  }
  R angle;
  if (a == R(1)) {
    angle = math::atan2(R(2), -b);
  } else {
    angle = math::atan2(R(2) * b, b < range<R>::epsilon ? above : above - b * b);
  }
  return {math::copysign(real, x), math::copysign(angle * R(0.5), y)};
}

/// arctan(z) = -i arctanh(iz).
template <class R>
CUPRUM_FN complex<R> arctan(complex<R> z) {
  const complex<R> w = arctanh(complex<R>{z.im, z.re});
  return {w.im, w.re};
}

CUPRUM_KERNELS_END
