#include "kernels/random/discrete.h"

#include "backend/cuda/primitives/random/draw.h"
#include "backend/cuda/primitives/random/place_walk.cuh"
#include "backend/cuda/primitives/random/try_walk.cuh"
#include "kernels/random/binomial.h"
#include "kernels/random/continuous.h"

namespace cuprum::cuda::primitives {

namespace {

/// Numbers of `Draw`, a function of the reader.
template <class Draw>
struct Counts {
  using Unit = kernels::uint64;
  using Number = kernels::int64;
  Draw draw;

  template <class R>
  __device__ Number operator()(R& r) const {
    return draw(r);
  }
  __device__ random::Tried attempt(Unit first, Unit second, Number& x) const {
    return draw.attempt(random::unit(first), random::unit(second), x) ? random::Tried::accepted
                                                                      : random::Tried::rejected;
  }
};

// What depends on the parameters alone is computed by the host, as on the CPU.

struct LargePoisson {
  random::Poisson law;
  template <class R>
  __device__ kernels::int64 operator()(R& r) const {
    return law(r);
  }
  __device__ bool attempt(double u, double v, kernels::int64& k) const {
    return law.attempt(u - 0.5, v, k, [this](const auto& t, double w) { return law.accepts(t, w); });
  }
};
/// With the ratios of the probabilities near the likeliest number, each of which takes up to twenty
/// divisions.
struct LargeBinomial {
  static constexpr int kNear = 20;
  random::Binomial law;
  double ratios[2 * kNear + 1];

  explicit LargeBinomial(const random::Binomial& b) : law(b) {
    for (int i = 0; i <= 2 * kNear; ++i) ratios[i] = law.ratio(law.m - kNear + i);
  }
  template <class R>
  __device__ kernels::int64 operator()(R& r) const {
    return law(r);
  }
  __device__ bool attempt(double u, double v, kernels::int64& y) const {
    const bool accepted = law.attempt(u * law.p4, v, y, [this](kernels::int64 k) {
      const kernels::int64 i = k - law.m + kNear;
      return i >= 0 && i <= 2 * kNear ? ratios[i] : law.ratio(k);
    });
    if (law.turned) y = law.n - y;
    return accepted;
  }
};
struct Geometric {
  double p;
  template <class R>
  __device__ kernels::int64 operator()(R& r) const {
    return random::geometric(r, p);
  }
};
struct NegativeBinomial {
  double n, scale;
  template <class R>
  __device__ kernels::int64 operator()(R& r) const {
    return random::poisson(r, scale * random::standard_gamma<random::Modern, double>(r, n));
  }
};
struct Zipf {
  double a;
  template <class R>
  __device__ kernels::int64 operator()(R& r) const {
    return random::zipf(r, a, true);
  }
};
struct LogSeries {
  double p, log_q;
  template <class R>
  __device__ kernels::int64 operator()(R& r) const {
    return random::logseries(r, p, log_q, [](double x) { return -kernels::math::expm1(x); });
  }
};

template <class Walker = PlaceWalk, class D>
bool draw_counts(Context& context, const DrawJob& job, const D& draw, double each) {
  draw_stored<Walker>(context, job, Counts<D>{draw}, each);
  return true;
}

// Units of a number, as measured, and a little more.

double poisson_units(double mean) { return mean < 10 ? mean + 1 : 2.25 + 1.35 / std::sqrt(mean); }
double binomial_units(const random::Binomial& b) { return b.inverts ? 1.001 : 2.33 + 17 / b.spread; }

}  // namespace

bool draw_discrete(Context& context, const DrawJob& job) {
  const double a = job.real(0), b = job.real(1);
  switch (job.draw.law) {
    case Law::poisson: {
      const random::Poisson law(a);
      return a < 10 ? draw_counts(context, job, law, poisson_units(a))
                    : draw_counts<TryWalk>(context, job, LargePoisson{law}, poisson_units(a));
    }
    case Law::binomial: {
      const random::Binomial law(job.integer(0), b);
      return law.inverts ? draw_counts(context, job, law, binomial_units(law))
                         : draw_counts<TryWalk>(context, job, LargeBinomial(law), binomial_units(law));
    }
    case Law::negative_binomial: {
      const double scale = (1 - b) / b;
      return draw_counts(context, job, NegativeBinomial{a, scale}, 2.3 + std::min(a * scale + 1, 9.0));
    }
    case Law::geometric: return draw_counts(context, job, Geometric{a}, kExponentialUnits);
    case Law::zipf: return draw_counts(context, job, Zipf{a}, 2.85);
    case Law::logseries: return draw_counts(context, job, LogSeries{a, kernels::math::log1p(-a)}, 1.002 + a);
    default: return false;
  }
}

}  // namespace cuprum::cuda::primitives
