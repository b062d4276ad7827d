#include "kernels/random/discrete.h"

#include "backend/cuda/primitives/random/chain.cuh"
#include "backend/cuda/primitives/random/draw.h"
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

  __device__ static bool easy(Unit, Number&) { return false; }
  template <class R>
  __device__ Number operator()(R& r) const {
    return draw(r);
  }
};

// What depends on the parameters alone is computed by the host, as on the CPU.

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

template <class D>
bool draw_counts(Context& context, const DrawJob& job, const D& draw, double each) {
  draw_chain(context, job, Counts<D>{draw}, each);
  return true;
}

// Units of a number, as measured, and a little more.

double poisson_units(double mean) { return mean < 10 ? mean + 1 : 2.25 + 1.35 / std::sqrt(mean); }
double binomial_units(const random::Binomial& b) { return b.inverts ? 1.001 : 2.33 + 17 / b.spread; }

}  // namespace

bool draw_discrete(Context& context, const DrawJob& job) {
  const double a = job.real(0), b = job.real(1);
  switch (job.draw.law) {
    case Law::poisson: return draw_counts(context, job, random::Poisson(a), poisson_units(a));
    case Law::binomial: {
      const random::Binomial law(job.integer(0), b);
      return draw_counts(context, job, law, binomial_units(law));
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
