// The binomial law: inversion where few successes are expected, BTPE (Kachitvichyanukul and Schmeiser, 1988) otherwise.
#pragma once

#include "kernels/math.h"

CUPRUM_KERNELS_BEGIN

namespace random {

/// What depends on n and p alone. `legacy`: RandomState takes the logarithm of q where Generator takes log1p(-p), and draws where
/// nothing can come out.
struct Binomial {
  int64 n;
  double p, q;  // of the likelier side being turned: p <= 1/2
  bool turned, inverts, constant;
  double start = 0;  // inversion: q^n
  int64 bound = 0;
  int64 m = 0;  // BTPE
  double p1 = 0, xm = 0, xl = 0, xr = 0, c = 0, left = 0, right = 0, p2 = 0, p3 = 0, p4 = 0, spread = 0;

  CUPRUM_FN_LARGE Binomial(int64 n, double given, bool legacy = false)
      : n(n), p(given <= 0.5 ? given : 1.0 - given), q(1.0 - p), turned(!(given <= 0.5)) {
    const double count = static_cast<double>(n);
    constant = !legacy && (n == 0 || given == 0.0);
    inverts = p * count <= 30.0;
    if (inverts) {
      start = math::exp(count * (legacy ? math::log(q) : math::log1p(-p)));
      const double expected = count * p, most = expected + 10.0 * math::sqrt(expected * q + 1);
      bound = static_cast<int64>(count < most ? count : most);
      return;
    }
    const double fm = count * p + p;
    spread = count * p * q;
    m = static_cast<int64>(math::floor(fm));
    p1 = math::floor(2.195 * math::sqrt(spread) - 4.6 * q) + 0.5;
    xm = static_cast<double>(m) + 0.5;
    xl = xm - p1;
    xr = xm + p1;
    c = 0.134 + 20.5 / (15.3 + static_cast<double>(m));
    double a = (fm - xl) / (fm - xl * p);
    left = a * (1.0 + a / 2.0);
    a = (xr - fm) / (xr * q);
    right = a * (1.0 + a / 2.0);
    p2 = p1 * (1.0 + 2.0 * c);
    p3 = p2 + c / left;
    p4 = p3 + c / right;
  }

  template <class R>
  CUPRUM_FN_LARGE int64 operator()(R& r) const {
    if (constant) return 0;
    const int64 y = inverts ? by_inversion(r) : by_rejection(r);
    return turned ? n - y : y;
  }

 private:
  template <class R>
  CUPRUM_FN_LARGE int64 by_inversion(R& r) const {
    int64 x = 0;
    double px = start, u = r.unit();
    while (u > px) {
      ++x;
      if (x > bound) {
        x = 0;
        px = start;
        u = r.unit();
      } else {
        u -= px;
        px = next_share(x, px);
      }
    }
    return x;
  }

  template <class R>
  CUPRUM_FN_LARGE int64 by_rejection(R& r) const {
    for (;;) {
      const double u = r.unit(), v = r.unit();
      int64 y;
      if (attempt(u * p4, v, y, [&](int64 k) { return ratio(k); })) return y;
    }
  }

 public:
  /// Inversion: the probability of x from that of x - 1.
  CUPRUM_FN double next_share(int64 x, double px) const {
    return (static_cast<double>(n - x + 1) * p * px) / (static_cast<double>(x) * q);
  }

  /// A try of the rejection, from u in [0, p4) and v in [0, 1): does y hold? ratios(y) is ratio(y).
  template <class Ratios>
  CUPRUM_FN bool attempt(double u, double v, int64& y, const Ratios& ratios) const {
    if (u <= p1) {  // the triangle: always inside
      y = static_cast<int64>(math::floor(xm - p1 * v + u));
      return true;
    }
    if (u <= p2) {  // the parallelograms beside it
      const double x = xl + (u - p1) / c;
      v = v * c + 1.0 - math::fabs(static_cast<double>(m) - x + 0.5) / p1;
      if (v > 1.0) return false;
      y = static_cast<int64>(math::floor(x));
    } else if (u <= p3) {  // the left tail
      if (v == 0.0) return false;
      y = static_cast<int64>(math::floor(xl + math::log(v) / left));
      if (y < 0) return false;
      v = v * (u - p2) * left;
    } else {  // the right tail
      if (v == 0.0) return false;
      y = static_cast<int64>(math::floor(xr - math::log(v) / right));
      if (y > n) return false;
      v = v * (u - p3) * right;
    }
    return accepts(y, v, ratios);
  }

  template <class Ratios>
  CUPRUM_FN_LARGE bool accepts(int64 y, double v, const Ratios& ratios) const {
    const int64 away = y < m ? m - y : y - m;
    const double k = static_cast<double>(away);
    if (!(away > 20 && k < spread / 2.0 - 1)) return v <= ratios(y);
    const double rho = (k / spread) * ((k * (k / 3.0 + 0.625) + 0.16666666666666666) / spread + 0.5);
    const double t = -k * k / (2 * spread), log_v = math::log(v);
    if (log_v < t - rho) return true;
    if (log_v > t + rho) return false;
    const double x1 = static_cast<double>(y) + 1, f1 = static_cast<double>(m) + 1,
                 z = static_cast<double>(n) + 1 - static_cast<double>(m),
                 w = static_cast<double>(n) - static_cast<double>(y) + 1;
    return !(log_v > xm * math::log(f1 / x1) + (static_cast<double>(n - m) + 0.5) * math::log(z / w) +
                         static_cast<double>(y - m) * math::log(w * p / (x1 * q)) + correction(f1) +
                         correction(z) + correction(x1) + correction(w));
  }
  /// Of the probabilities of y and m, step by step.
  CUPRUM_FN_LARGE double ratio(int64 y) const {
    const double s = p / q, a = s * static_cast<double>(n + 1);
    double result = 1.0;
    for (int64 i = m + 1; i <= y; ++i) result *= a / static_cast<double>(i) - s;
    for (int64 i = y + 1; i <= m; ++i) result /= a / static_cast<double>(i) - s;
    return result;
  }

 private:
  /// A term of Stirling's series, with the constant and the sign that NumPy 2.4 has; 2.5 mends both for Generator.
  CUPRUM_FN static double correction(double x) {
    const double x2 = x * x;
    return (13680. - (462. - (132. - (99. - 140. / x2) / x2) / x2) / x2) / x / 166320.;
  }
};

}  // namespace random

CUPRUM_KERNELS_END
