// Continuous laws, as functions of the stream of draws: gamma and its family, and the laws that transform one or two numbers.
//
// Gamma: Marsaglia and Tsang for shapes above one, Ahrens and Dieter's rejection below. Beta: two gammas, or Johnk where both
// parameters are at most one. Von Mises: Best and Fisher. Wald: Michael, Schucany and Haas. `S` is the source of normal and
// exponential numbers: `Modern` (ziggurats) or the legacy one of RandomState (legacy.h).
#pragma once

#include "kernels/random/bits.h"
#include "kernels/random/discrete_poisson.h"
#include "kernels/random/normal.h"

CUPRUM_KERNELS_BEGIN

namespace random {

inline constexpr double kPi = 3.14159265358979323846;

struct Modern {
  template <class R>
  CUPRUM_FN static double normal(R& r) {
    return standard_normal(r);
  }
  template <class R>
  CUPRUM_FN static double exponential(R& r) {
    return standard_exponential(r);
  }
};

/// The same in float32.
struct ModernFloat {
  template <class R>
  CUPRUM_FN static float normal(R& r) {
    return standard_normal_f(r);
  }
  template <class R>
  CUPRUM_FN static float exponential(R& r) {
    return standard_exponential_f(r);
  }
};

/// Gamma numbers of a shape above 1 (Marsaglia and Tsang): b * v, where v is the cube of 1 + c * x, x is normal and u uniform.
template <class T>
struct LargeGamma {
  T b, c;

  CUPRUM_FN explicit LargeGamma(T shape) : b(shape - T{1} / T{3}), c(T{1} / math::sqrt(T{9} * b)) {}
  CUPRUM_FN T root(T x) const { return T{1} + c * x; }
  CUPRUM_FN static bool surely_accepts(T x, T u) {
    return u < T{1} - static_cast<T>(0.0331) * (x * x) * (x * x);
  }
  CUPRUM_FN bool accepts(T x, T v, T u) const {
    return math::log(u) < static_cast<T>(0.5) * x * x + b * (T{1} - v + math::log(v));
  }
  /// From two draws, if the first is a normal number by itself.
  CUPRUM_FN Tried attempt(uint64 first, uint64 second, double& number) const {
    double x;
    if (!easy_normal(first, x)) return Tried::open;
    double v = root(x);
    if (v <= 0) return Tried::open;
    v = v * v * v;
    number = b * v;
    const double u = unit(second);
    return surely_accepts(x, u) || accepts(x, v, u) ? Tried::accepted : Tried::rejected;
  }
};

template <class S, class T, class R>
CUPRUM_FN_LARGE T standard_gamma(R& r, T shape) {
  const auto unit = [&] {
    if constexpr (same<T, float>)
      return r.unit_f();
    else
      return r.unit();
  };
  const T one = 1;
  if (shape == one) return S::exponential(r);
  if (shape == T{0}) return T{0};
  if (shape < one) {
    for (;;) {
      const T u = unit(), v = S::exponential(r);
      if (u <= one - shape) {
        const T x = math::pow(u, one / shape);
        if (x <= v) return x;
      } else {
        const T y = -math::log((one - u) / shape);
        const T x = math::pow(one - shape + shape * y, one / shape);
        if (x <= v + y) return x;
      }
    }
  }
  const LargeGamma<T> gamma(shape);
  for (;;) {
    T x, v;
    do {
      x = S::normal(r);
      v = gamma.root(x);
    } while (v <= T{0});
    v = v * v * v;
    const T u = unit();
    if (gamma.surely_accepts(x, u) || gamma.accepts(x, v, u)) return gamma.b * v;
  }
}

template <class S, class R>
CUPRUM_FN double chisquare(R& r, double df) {
  return 2.0 * standard_gamma<S, double>(r, df / 2.0);
}

template <class R>
CUPRUM_FN_LARGE double beta(R& r, double a, double b) {
  if (!(a <= 1.0 && b <= 1.0)) {
    const double x = standard_gamma<Modern, double>(r, a), y = standard_gamma<Modern, double>(r, b);
    return x / (x + y);
  }
  constexpr double tiny = 3e-103;
  if (a < tiny && b < tiny) return (a + b) * r.unit() < a ? 1.0 : 0.0;  // all the mass is at the ends
  for (;;) {
    const double u = r.unit(), v = r.unit();
    const double x = math::pow(u, 1.0 / a), y = math::pow(v, 1.0 / b), sum = x + y;
    if (!(sum <= 1.0 && u + v > 0.0)) continue;
    if (x > 0 && y > 0) return x / sum;
    const double difference =
        math::log(u) / a - math::log(v) / b;  // the powers underflow, their logarithms do not
    if (difference > 0) return math::exp(-math::log1p(math::exp(-difference)));
    return math::exp(difference - math::log1p(math::exp(difference)));
  }
}

template <class S, class R>
CUPRUM_FN double f(R& r, double numerator, double denominator) {
  const double above = chisquare<S>(r, numerator) * denominator;
  return above / (chisquare<S>(r, denominator) * numerator);
}

template <class S, class R>
CUPRUM_FN_LARGE double noncentral_chisquare(R& r, double df, double noncentrality) {
  if (noncentrality == 0) return chisquare<S>(r, df);
  if (1 < df) {
    const double central = chisquare<S>(r, df - 1);
    const double n = S::normal(r) + math::sqrt(noncentrality);
    return central + n * n;
  }
  const int64 i = poisson(r, noncentrality / 2.0);
  return chisquare<S>(r, df + 2 * static_cast<double>(i));
}

template <class S, class R>
CUPRUM_FN double noncentral_f(R& r, double numerator, double denominator, double noncentrality) {
  const double above = noncentral_chisquare<S>(r, numerator, noncentrality) * denominator;
  return above / (chisquare<S>(r, denominator) * numerator);
}

template <class S, class R>
CUPRUM_FN double standard_cauchy(R& r) {
  const double above = S::normal(r);
  return above / S::normal(r);
}

template <class S, class R>
CUPRUM_FN double standard_t(R& r, double df) {
  const double above = S::normal(r), below = standard_gamma<S, double>(r, df / 2);
  return math::sqrt(df / 2) * above / math::sqrt(below);
}

template <class R>
CUPRUM_FN_LARGE double standard_laplace(R& r) {
  for (;;) {
    const double u = r.unit();
    if (u >= 0.5) return -math::log(2.0 - u - u);
    if (u > 0.0) return math::log(u + u);
  }
}
template <class R>
CUPRUM_FN_LARGE double standard_gumbel(R& r) {
  for (;;) {
    const double u = 1.0 - r.unit();
    if (u < 1.0) return -math::log(-math::log(u));
  }
}
template <class R>
CUPRUM_FN_LARGE double standard_logistic(R& r) {
  for (;;) {
    const double u = r.unit();
    if (u > 0.0) return math::log(u / (1.0 - u));
  }
}

template <class R>
CUPRUM_FN_LARGE double wald(R& r, double mean, double scale) {
  double y = standard_normal(r);
  y = mean * y * y;
  const double d = 1 + math::sqrt(1 + 4 * scale / y);
  const double x = mean * (1 - 2 / d);
  return r.unit() <= mean / (mean + x) ? x : mean * mean / x;
}

/// `wraps`: a very narrow law is a normal one around the circle.
template <class R>
CUPRUM_FN_LARGE double vonmises(R& r, double mu, double kappa, bool wraps) {
  if (is_nan(kappa)) return kappa;
  if (kappa < 1e-8) return kPi * (2 * r.unit() - 1);
  double s;
  if (kappa < 1e-5) {
    s = 1. / kappa + kappa;
  } else if (kappa <= 1e6 || !wraps) {
    const double q = 1 + math::sqrt(1 + 4 * kappa * kappa);
    const double rho = (q - math::sqrt(2 * q)) / (2 * kappa);
    s = (1 + rho * rho) / (2 * rho);
  } else {
    double x = mu + math::sqrt(1. / kappa) * standard_normal(r);
    if (x < -kPi) x += 2 * kPi;
    if (x > kPi) x -= 2 * kPi;
    return x;
  }
  double w;
  for (;;) {
    const double z = math::cos(kPi * r.unit());
    w = (1 + s * z) / (s + z);
    const double y = kappa * (s - w), v = r.unit();
    if (y * (2 - y) - v >= 0 || math::log(y / v) + 1 - y >= 0) break;
  }
  const double side = r.unit();
  double angle = math::acos(w);
  if (side < 0.5) angle = -angle;
  angle += mu;
  const double turned = math::fmod(math::fabs(angle) + kPi, 2 * kPi) - kPi;
  return angle < 0 ? -turned : turned;
}

CUPRUM_FN double triangular(double u, double left, double mode, double right) {
  const double base = right - left, below = mode - left;
  if (u <= below / base) return left + math::sqrt(u * (below * base));
  return right - math::sqrt((1.0 - u) * ((right - mode) * base));
}

}  // namespace random

CUPRUM_KERNELS_END
