// Poisson's law: products of uniform numbers for small means, Hoermann's transformed rejection (PTRS, 1993) for large ones.
#pragma once

#include "kernels/math.h"

CUPRUM_KERNELS_BEGIN

namespace random {

/// log(gamma(x)) by Stirling's series (Zhang and Jin).
CUPRUM_FN_LARGE double log_gamma(double x) {
  constexpr double series[10] = {8.333333333333333e-02,  -2.777777777777778e-03, 7.936507936507937e-04,
                                 -5.952380952380952e-04, 8.417508417508418e-04,  -1.917526917526918e-03,
                                 6.410256410256410e-03,  -2.955065359477124e-02, 1.796443723688307e-01,
                                 -1.39243221690590e+00};
  if (x == 1.0 || x == 2.0) return 0.0;
  const int64 n = x < 7.0 ? static_cast<int64>(7 - x) : 0;
  double x0 = x + static_cast<double>(n);
  const double x2 = (1.0 / x0) * (1.0 / x0);
  double sum = series[9];
  for (int k = 8; k >= 0; --k) {
    sum *= x2;
    sum += series[k];
  }
  double result = sum / x0 + 0.5 * 1.8378770664093453e+00 + (x0 - 0.5) * math::log(x0) - x0;
  for (int64 k = 1; k <= n; ++k) {
    result -= math::log(x0 - 1.0);
    x0 -= 1.0;
  }
  return result;
}

/// What depends on the mean alone.
struct Poisson {
  double mean;
  double limit = 0;                                                   // small means
  double log_mean = 0, a = 0, b = 0, log_inverse_alpha = 0, v_r = 0;  // large means

  CUPRUM_FN_LARGE explicit Poisson(double lambda) : mean(lambda) {
    if (mean >= 10) {
      log_mean = math::log(mean);
      b = 0.931 + 2.53 * math::sqrt(mean);
      a = -0.059 + 0.02483 * b;
      log_inverse_alpha = math::log(1.1239 + 1.1328 / (b - 3.4));
      v_r = 0.9277 - 3.6224 / (b - 2);
    } else {
      limit = math::exp(-mean);
    }
  }

  template <class R>
  CUPRUM_FN_LARGE int64 operator()(R& r) const {
    if (mean == 0) return 0;
    return mean >= 10 ? by_rejection(r) : by_products(r);
  }

  // A try of the rejection, from u in [-1/2, 1/2) and v in [0, 1).

  struct Try {
    double us;
    int64 k;
  };
  CUPRUM_FN Try try_of(double u) const {
    const double us = 0.5 - math::fabs(u);
    return {us, static_cast<int64>(math::floor((2 * a / us + b) * u + mean + 0.43))};
  }
  CUPRUM_FN bool surely_accepts(const Try& t, double v) const { return t.us >= 0.07 && v <= v_r; }
  CUPRUM_FN static bool surely_rejects(const Try& t, double v) {
    return t.k < 0 || (t.us < 0.013 && v > t.us);
  }
  CUPRUM_FN_LARGE bool accepts(const Try& t, double v) const {
    return math::log(v) + log_inverse_alpha - math::log(a / (t.us * t.us) + b) <= log_share(t.k);
  }
  /// accept(t, v) is accepts(t, v).
  template <class Accept>
  CUPRUM_FN bool attempt(double u, double v, int64& k, const Accept& accept) const {
    const Try t = try_of(u);
    k = t.k;
    return surely_accepts(t, v) || (!surely_rejects(t, v) && accept(t, v));
  }
  CUPRUM_FN_LARGE double log_share(int64 k) const {
    const double x = static_cast<double>(k);
    return -mean + x * log_mean - log_gamma(x + 1);
  }

 private:
  template <class R>
  CUPRUM_FN_LARGE int64 by_products(R& r) const {
    int64 n = 0;
    for (double product = r.unit(); product > limit; product *= r.unit()) ++n;
    return n;
  }
  template <class R>
  CUPRUM_FN_LARGE int64 by_rejection(R& r) const {
    for (;;) {
      const double u = r.unit() - 0.5, v = r.unit();
      int64 k;
      if (attempt(u, v, k, [&](const Try& t, double w) { return accepts(t, w); })) return k;
    }
  }
};

template <class R>
CUPRUM_FN int64 poisson(R& r, double mean) {
  return Poisson(mean)(r);
}

}  // namespace random

CUPRUM_KERNELS_END
