// The laws as generators with a stream for each number draw them (element.h): one type for each, made of its parameters' bits.
//
// A type has: Unit, what a number takes of the generator's stream; Number; operator()(reader), the law. Where most numbers need no more
// than their unit it has easy(strips, unit, x) too, which says whether x is the number.
#pragma once

#include "kernels/random/binomial.h"
#include "kernels/random/bounded.h"
#include "kernels/random/discrete.h"
#include "kernels/random/element.h"
#include "kernels/random/laws.h"

CUPRUM_KERNELS_BEGIN

namespace random {

struct LawBits {
  uint64 v[3];

  CUPRUM_FN double real(int i) const { return bit_cast<double>(v[i]); }
  CUPRUM_FN int64 integer(int i) const { return static_cast<int64>(v[i]); }
};

struct NoStrips {};

template <class T>
struct WideLaw {
  using Unit = uint64;
  using Number = T;
  using Strips = NoStrips;
};
struct NarrowLaw {
  using Unit = uint32;
  using Number = float;
  using Strips = NoStrips;
};

// -- A number for each unit.

struct RandomElement : WideLaw<double> {
  CUPRUM_FN explicit RandomElement(const LawBits&) {}
  CUPRUM_FN bool easy(const Strips&, Unit bits, double& x) const {
    x = unit(bits);
    return true;
  }
  template <class R>
  CUPRUM_FN double operator()(R& r) const {
    return r.unit();
  }
};
struct RandomElementFloat : NarrowLaw {
  CUPRUM_FN explicit RandomElementFloat(const LawBits&) {}
  CUPRUM_FN bool easy(const Strips&, Unit bits, float& x) const {
    x = unit(bits);
    return true;
  }
  template <class R>
  CUPRUM_FN float operator()(R& r) const {
    return r.unit_f();
  }
};
struct TriangularElement : WideLaw<double> {
  double left, mode, right;
  CUPRUM_FN explicit TriangularElement(const LawBits& p)
      : left(p.real(0)), mode(p.real(1)), right(p.real(2)) {}
  CUPRUM_FN bool easy(const Strips&, Unit bits, double& x) const {
    x = triangular(unit(bits), left, mode, right);
    return true;
  }
  template <class R>
  CUPRUM_FN double operator()(R& r) const {
    return triangular(r.unit(), left, mode, right);
  }
};
struct InverseExponentialElement : WideLaw<double> {
  CUPRUM_FN explicit InverseExponentialElement(const LawBits&) {}
  template <class R>
  CUPRUM_FN double operator()(R& r) const {
    return -r.log1p(-r.unit());
  }
};
struct InverseExponentialElementFloat : NarrowLaw {
  CUPRUM_FN explicit InverseExponentialElementFloat(const LawBits&) {}
  template <class R>
  CUPRUM_FN float operator()(R& r) const {
    return static_cast<float>(-r.log1p(-static_cast<double>(r.unit_f())));
  }
};

// -- Ziggurats.

#define CUPRUM_ZIGGURAT(name, Base, Table, number, easy_number)        \
  struct name : Base {                                                 \
    using Strips = Table;                                              \
    CUPRUM_FN explicit name(const LawBits&) {}                         \
    template <class S>                                                 \
    CUPRUM_FN bool easy(const S& strips, Unit bits, Number& x) const { \
      return easy_number(bits, x, strips);                             \
    }                                                                  \
    template <class R>                                                 \
    CUPRUM_FN Number operator()(R& r) const {                          \
      return number(r);                                                \
    }                                                                  \
  };
CUPRUM_ZIGGURAT(NormalElement, WideLaw<double>, NormalStrips, standard_normal, easy_normal)
CUPRUM_ZIGGURAT(NormalElementFloat, NarrowLaw, NormalStripsFloat, standard_normal_f, easy_normal)
CUPRUM_ZIGGURAT(ExponentialElement, WideLaw<double>, ExponentialStrips, standard_exponential,
                easy_exponential)
CUPRUM_ZIGGURAT(ExponentialElementFloat, NarrowLaw, ExponentialStripsFloat, standard_exponential_f,
                easy_exponential)
#undef CUPRUM_ZIGGURAT

/// Gamma numbers of a shape above 1. The normal number of the first try takes 53 bits of the unit, the uniform number that decides begins
/// with the other eleven. Of shape 2.5, 97 of 100 numbers need no more, where the law itself accepts 98.6.
struct GammaElement : WideLaw<double> {
  using Strips = NormalStrips;
  static constexpr uint64 kTaken = uint64{0xff}
                                   << 9;  // of the normal number's 61 bits, the last of its place
  static constexpr double kDeciders = 2048.0;
  LargeGamma<double> gamma;
  double shape, times, squeeze, tilt;

  CUPRUM_FN explicit GammaElement(const LawBits& p) : GammaElement(p.real(0), 1.0) {}
  CUPRUM_FN GammaElement(double shape, double times)
      : gamma(shape),
        shape(shape),
        times(times),
        squeeze(kDeciders * 0.75 * gamma.b),
        tilt(kDeciders * 0.765 * gamma.b) {}

  CUPRUM_FN static double decider(Unit bits) {
    return static_cast<double>(bits >> 61 << 8 | (bits & kTaken) >> 9);
  }
  /// With y = c * x, the logarithm of what u must be below is 3 * b * (log(1 + y) - y + y^2 / 2 - y^3 / 3). The bracket is above
  /// -y^4 / 4 for y > 0, and above -y^4 * (0.25 - 0.51 * y) for y in (-0.7, 0); and exp(-t) is above 1 - t.
  template <class S>
  CUPRUM_FN bool easy(const S& strips, Unit bits, double& number) const {
    double x;
    const bool is_normal = easy_normal(bits & ~kTaken, x, strips);
    const double y = gamma.c * x, v = 1.0 + y, square = y * y;
    number = times * (gamma.b * (v * v * v));
    const double bound = kDeciders - (squeeze + tilt * (math::fabs(y) - y)) * (square * square);
    return is_normal & (y > -0.7) & (decider(bits) + 1.0 <= bound);
  }
  template <class R>
  CUPRUM_FN_LARGE double operator()(R& r) const {
    const Unit bits = r.u64();
    double x;
    if (!easy_normal(bits & ~kTaken, x)) x = hard_normal(r, bits & ~kTaken, x);
    double v = gamma.root(x);
    if (v > 0) {
      v = v * v * v;
      const double u = (decider(bits) + r.unit()) * (1.0 / kDeciders);
      if (gamma.surely_accepts(x, u) || gamma.accepts(x, v, u)) return times * (gamma.b * v);
    }
    return times * standard_gamma<Modern, double>(r, shape);
  }
};

struct AnyGammaElement : WideLaw<double> {
  double shape;
  CUPRUM_FN explicit AnyGammaElement(const LawBits& p) : shape(p.real(0)) {}
  template <class R>
  CUPRUM_FN double operator()(R& r) const {
    return shape > 1 ? GammaElement(shape, 1.0)(r) : standard_gamma<Modern, double>(r, shape);
  }
};
struct AnyChisquareElement : WideLaw<double> {
  double shape;
  CUPRUM_FN explicit AnyChisquareElement(const LawBits& p) : shape(p.real(0) / 2.0) {}
  template <class R>
  CUPRUM_FN double operator()(R& r) const {
    return shape > 1 ? GammaElement(shape, 2.0)(r) : 2.0 * standard_gamma<Modern, double>(r, shape);
  }
};
struct GammaElementFloat : NarrowLaw {
  float shape;
  CUPRUM_FN explicit GammaElementFloat(const LawBits& p) : shape(static_cast<float>(p.real(0))) {}
  template <class R>
  CUPRUM_FN float operator()(R& r) const {
    return standard_gamma<ModernFloat, float>(r, shape);
  }
};

// -- The other continuous laws, by the expressions of laws.h.

#define CUPRUM_LAW(name, expression)                                                                  \
  struct name##_element : WideLaw<double> {                                                           \
    double a, b, c;                                                                                   \
    CUPRUM_FN explicit name##_element(const LawBits& p) : a(p.real(0)), b(p.real(1)), c(p.real(2)) {} \
    template <class R>                                                                                \
    CUPRUM_FN_LARGE double operator()(R& r) const {                                                   \
      return expression;                                                                              \
    }                                                                                                 \
  };
CUPRUM_ALGEBRAIC_LAWS(CUPRUM_LAW)
CUPRUM_TRANSCENDENTAL_LAWS(CUPRUM_LAW)
#undef CUPRUM_LAW

// -- Counts.

/// Small means by the quantile of the unit, which takes no second draw.
struct PoissonElement : WideLaw<int64> {
  Poisson law;
  CUPRUM_FN explicit PoissonElement(const LawBits& p) : law(p.real(0)) {}
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    if (law.mean >= 10) return law(r);
    const double u = r.unit();
    double share = law.limit, sum = share;
    int k = 0;
    for (; u >= sum && k < 100; sum += share) share *= law.mean / ++k;
    return k;
  }
};
struct BinomialElement : WideLaw<int64> {
  Binomial law;
  CUPRUM_FN explicit BinomialElement(const LawBits& p) : law(p.integer(0), p.real(1)) {}
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    return law(r);
  }
};
struct NegativeBinomialElement : WideLaw<int64> {
  double n, scale;
  CUPRUM_FN explicit NegativeBinomialElement(const LawBits& p)
      : n(p.real(0)), scale((1 - p.real(1)) / p.real(1)) {}
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    return poisson(r, scale * standard_gamma<Modern, double>(r, n));
  }
};
struct GeometricElement : WideLaw<int64> {
  double p;
  CUPRUM_FN explicit GeometricElement(const LawBits& bits) : p(bits.real(0)) {}
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    return geometric(r, p);
  }
};
struct ZipfElement : WideLaw<int64> {
  double a;
  CUPRUM_FN explicit ZipfElement(const LawBits& p) : a(p.real(0)) {}
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    return zipf(r, a, true);
  }
};
struct LogSeriesElement : WideLaw<int64> {
  double p, log_q;
  CUPRUM_FN explicit LogSeriesElement(const LawBits& bits) : p(bits.real(0)), log_q(math::log1p(-p)) {}
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    return logseries(r, p, log_q, [](double x) { return -math::expm1(x); });
  }
};
struct HypergeometricElement : WideLaw<int64> {
  int64 good, bad, sample;
  CUPRUM_FN explicit HypergeometricElement(const LawBits& p)
      : good(p.integer(0)), bad(p.integer(1)), sample(p.integer(2)) {}
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    return hypergeometric(r, good, bad, sample);
  }
};

/// Counts by the quantile of their unit: edges[k] is the largest unit that gives `least` + k, and the guide says where the search begins, by
/// a unit's first bits. See runtime/quantile_table.h.
struct QuantileElement : WideLaw<int64> {
  static constexpr int kGuideBits = 10, kMost = 1024;  // entries
  const uint64* edges;
  const uint16* guide;
  int64 least;
  int count;

  CUPRUM_FN int64 of(Unit bits, const uint64* e, const uint16* g) const {
    int k = g[bits >> (64 - kGuideBits)];
    while (bits > e[k]) ++k;
    return least + k;
  }
  template <class R>
  CUPRUM_FN int64 operator()(R& r) const {
    return of(r.u64(), edges, guide);
  }
};

// -- Integers: results of T from units of U.

template <class T, class U>
struct IntegerElement {
  using Unit = U;
  using Number = T;
  using Strips = NoStrips;
  Bounded<U> bounded;
  U least_low;  // Lemire: a product whose lower half is smaller is rejected

  CUPRUM_FN IntegerElement(const LawBits& p, bool masked)
      : bounded(p.v[0], p.v[1], masked),
        least_low(bounded.whole ? U{0}
                                : static_cast<U>(static_cast<U>(static_cast<U>(~U{0}) - bounded.range) %
                                                 static_cast<U>(bounded.range + 1))) {}

  CUPRUM_FN bool easy(const Strips&, Unit bits, Number& x) const {
    using Wide = typename twice<U>::type;
    if (bounded.whole) {
      x = static_cast<T>(bounded.least + bits);
      return true;
    }
    if (bounded.masked) {
      const U value = static_cast<U>(bits & bounded.mask);
      x = static_cast<T>(bounded.least + value);
      return value <= bounded.range;
    }
    const Wide product = static_cast<Wide>(static_cast<Wide>(bits) * static_cast<U>(bounded.range + 1));
    x = static_cast<T>(bounded.least + static_cast<U>(product >> (8 * sizeof(U))));
    return static_cast<U>(product) >= least_low;
  }
  template <class R>
  CUPRUM_FN Number operator()(R& r) const {
    return static_cast<T>(bounded(r));
  }
};

}  // namespace random

CUPRUM_KERNELS_END

// clang-format off
/// Laws and their types, by how their numbers come: from the unit alone in most cases, or as it takes.
#define CUPRUM_EASY_ELEMENT_LAWS(X)                                                                       \
  X(random, RandomElement) X(random_f, RandomElementFloat) X(triangular, TriangularElement)               \
  X(standard_normal, NormalElement) X(standard_normal_f, NormalElementFloat)                              \
  X(standard_exponential, ExponentialElement) X(standard_exponential_f, ExponentialElementFloat)
#define CUPRUM_CONTINUOUS_ELEMENT_LAWS(X)                                                                 \
  X(inverse_exponential, InverseExponentialElement) X(inverse_exponential_f, InverseExponentialElementFloat) \
  X(standard_gamma, AnyGammaElement) X(standard_gamma_f, GammaElementFloat)                               \
  X(chisquare, AnyChisquareElement) X(beta, beta_element) X(f, f_element)                                 \
  X(noncentral_chisquare, noncentral_chisquare_element) X(noncentral_f, noncentral_f_element)             \
  X(standard_cauchy, standard_cauchy_element) X(standard_t, standard_t_element) X(wald, wald_element)     \
  X(standard_rayleigh, standard_rayleigh_element) X(vonmises, vonmises_element)                           \
  X(pareto, pareto_element) X(weibull, weibull_element) X(power, power_element)                           \
  X(standard_laplace, standard_laplace_element) X(standard_gumbel, standard_gumbel_element)               \
  X(standard_logistic, standard_logistic_element) X(lognormal, lognormal_element)
#define CUPRUM_DISCRETE_ELEMENT_LAWS(X)                                                                   \
  X(poisson, PoissonElement) X(binomial, BinomialElement) X(negative_binomial, NegativeBinomialElement)   \
  X(geometric, GeometricElement) X(zipf, ZipfElement) X(logseries, LogSeriesElement)                      \
  X(hypergeometric, HypergeometricElement)
// clang-format on
