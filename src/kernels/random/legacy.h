// The laws of RandomState that differ from those of Generator: NumPy keeps their numbers as they were in 1.16.
//
// Normal numbers come in pairs by the polar method; the reader keeps the second: `R` has `held_normal` and `normal_is_held`.
#pragma once

#include "kernels/random/continuous.h"
#include "kernels/random/discrete.h"

CUPRUM_KERNELS_BEGIN

namespace random::legacy {

template <class R>
CUPRUM_FN_LARGE double normal(R& r) {
  if (r.normal_is_held) {
    const double x = r.held_normal;
    r.normal_is_held = false;
    r.held_normal = 0.0;
    return x;
  }
  double x, y, square;
  do {
    x = 2.0 * r.unit() - 1.0;
    y = 2.0 * r.unit() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = math::sqrt(-2.0 * math::log(square) / square);
  r.held_normal = factor * x;
  r.normal_is_held = true;
  return factor * y;
}

template <class R>
CUPRUM_FN double exponential(R& r) {
  return -math::log(1.0 - r.unit());
}

struct Source {
  template <class R>
  CUPRUM_FN static double normal(R& r) {
    return legacy::normal(r);
  }
  template <class R>
  CUPRUM_FN static double exponential(R& r) {
    return legacy::exponential(r);
  }
};

template <class R>
CUPRUM_FN_LARGE double beta(R& r, double a, double b) {
  if (!(a <= 1.0 && b <= 1.0)) {
    const double x = standard_gamma<Source, double>(r, a), y = standard_gamma<Source, double>(r, b);
    return x / (x + y);
  }
  for (;;) {
    const double u = r.unit(), v = r.unit(), x = math::pow(u, 1.0 / a), y = math::pow(v, 1.0 / b);
    if (!(x + y <= 1.0)) continue;
    if (x + y > 0) return x / (x + y);
    double log_x = math::log(u) / a, log_y = math::log(v) / b;
    const double larger = log_x > log_y ? log_x : log_y;
    log_x -= larger;
    log_y -= larger;
    return math::exp(log_x - math::log(math::exp(log_x) + math::exp(log_y)));
  }
}

template <class R>
CUPRUM_FN_LARGE double wald(R& r, double mean, double scale) {
  const double half = mean / (2 * scale);
  double y = normal(r);
  y = mean * y * y;
  const double x = mean + half * (y - math::sqrt(4 * scale * y + y * y));
  return r.unit() <= mean / (mean + x) ? x : mean * mean / x;
}

template <class R>
CUPRUM_FN_LARGE int64 geometric(R& r, double p) {
  if (p >= 0.333333333333333333333333) return geometric_search(r, p);
  return static_cast<int64>(math::ceil(math::log1p(-r.unit()) / math::log(1 - p)));
}

template <class R>
CUPRUM_FN_LARGE int64 hypergeometric(R& r, int64 good, int64 bad, int64 sample) {
  if (sample > 10) return hypergeometric_by_rejection<LegacyLogFactorial>(r, good, bad, sample, true);
  if (sample <= 0) return 0;
  const double all = static_cast<double>(bad < good ? bad : good);
  double rest = all;
  for (int64 k = sample; rest > 0.0 && k > 0; --k) {
    const double u = r.unit();
    rest -= math::floor(u + rest / static_cast<double>(bad + good - sample + k));
  }
  const int64 z = static_cast<int64>(all - rest);
  return good > bad ? sample - z : z;
}

}  // namespace random::legacy

CUPRUM_KERNELS_END
