#include "kernels/random/continuous.h"

#include "backend/cpu/random/job.h"
#include "backend/cpu/random/runs.h"
#include "backend/cpu/simd/random_runs.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;
namespace math = kernels::math;
using random::Modern;

/// A ziggurat whose easy numbers are made many at a time.
#define CUPRUM_ZIGGURAT(name, U, T, number, many)                        \
  struct name {                                                          \
    using Unit = std::U;                                                 \
    T operator()(Reader& r) const { return random::number(r); }          \
    Run run(const Unit* units, std::int64_t n, T* out) const {           \
      const std::int64_t count = CUPRUM_CALL_LEVEL(many(units, n, out)); \
      return {count, count, count < n};                                  \
    }                                                                    \
  };
CUPRUM_ZIGGURAT(Normal, uint64_t, double, standard_normal, normal_run)
CUPRUM_ZIGGURAT(NormalFloat, uint32_t, float, standard_normal_f, normal_run_f)
CUPRUM_ZIGGURAT(Exponential, uint64_t, double, standard_exponential, exponential_run)
CUPRUM_ZIGGURAT(ExponentialFloat, uint32_t, float, standard_exponential_f, exponential_run_f)
#undef CUPRUM_ZIGGURAT

}  // namespace

// `expression` is a number of the law, from the reader r and the parameters a, b and c.
#define CUPRUM_LAW(name, expression)                                             \
  case Law::name:                                                                \
    draw_scaled<Reads::wide>(job, [](const Parameters& p) {                      \
      [[maybe_unused]] const double a = p.real(0), b = p.real(1), c = p.real(2); \
      return [=]([[maybe_unused]] Reader& r) { return expression; };             \
    });                                                                          \
    return true;

bool draw_continuous(Job& job) {
  switch (job.draw.law) {
    case Law::standard_normal:
      draw_scaled<Reads::wide>(job, [](const Parameters&) { return Normal(); });
      return true;
    case Law::standard_exponential:
      draw_scaled<Reads::wide>(job, [](const Parameters&) { return Exponential(); });
      return true;
      CUPRUM_LAW(beta, random::beta(r, a, b))
      CUPRUM_LAW(chisquare, random::chisquare<Modern>(r, a))
      CUPRUM_LAW(f, random::f<Modern>(r, a, b))
      CUPRUM_LAW(noncentral_chisquare, (b != b ? b : random::noncentral_chisquare<Modern>(r, a, b)))
      CUPRUM_LAW(noncentral_f, random::noncentral_f<Modern>(r, a, b, c))
      CUPRUM_LAW(standard_cauchy, random::standard_cauchy<Modern>(r))
      CUPRUM_LAW(standard_t, random::standard_t<Modern>(r, a))
      CUPRUM_LAW(vonmises, random::vonmises(r, a, b, true))
      CUPRUM_LAW(pareto, math::expm1(random::standard_exponential(r) / a))
      CUPRUM_LAW(weibull, (a == 0.0 ? 0.0 : math::pow(random::standard_exponential(r), 1. / a)))
      CUPRUM_LAW(power, math::pow(-math::expm1(-random::standard_exponential(r)), 1. / a))
      CUPRUM_LAW(standard_laplace, random::standard_laplace(r))
      CUPRUM_LAW(standard_gumbel, random::standard_gumbel(r))
      CUPRUM_LAW(standard_logistic, random::standard_logistic(r))
      CUPRUM_LAW(lognormal, math::exp(a + b * random::standard_normal(r)))
      CUPRUM_LAW(standard_rayleigh, math::sqrt(2.0 * random::standard_exponential(r)))
      CUPRUM_LAW(wald, random::wald(r, a, b))
    case Law::standard_gamma:
      draw_scaled<Reads::wide>(job, [](const Parameters& p) { return GammaRun{p.real(0)}; });
      return true;
    case Law::standard_normal_f:
      draw_numbers<float, Reads::narrow, 2>(job, [](const Parameters&) { return NormalFloat(); });
      return true;
    case Law::standard_exponential_f:
      draw_numbers<float, Reads::narrow, 2>(job, [](const Parameters&) { return ExponentialFloat(); });
      return true;
    case Law::standard_gamma_f:
      draw_numbers<float, Reads::narrow, 2>(job, [](const Parameters& p) {
        return [shape = static_cast<float>(p.real(0))](Reader& r) {
          return random::standard_gamma<random::ModernFloat, float>(r, shape);
        };
      });
      return true;
    default: return false;
  }
}

#undef CUPRUM_LAW

}  // namespace cuprum::cpu
