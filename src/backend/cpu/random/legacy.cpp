#include "kernels/random/legacy.h"

#include "backend/cpu/random/job.h"
#include "kernels/random/binomial.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;
namespace legacy = kernels::random::legacy;
namespace math = kernels::math;
using legacy::Source;

}  // namespace

#define CUPRUM_LAW(name, expression)                                             \
  case Law::name:                                                                \
    draw_scaled<Reads::mixed>(job, [](const Parameters& p) {                     \
      [[maybe_unused]] const double a = p.real(0), b = p.real(1), c = p.real(2); \
      return [=]([[maybe_unused]] Reader& r) { return expression; };             \
    });                                                                          \
    return true;
#define CUPRUM_COUNTING_LAW(name, make)                                                         \
  case Law::name:                                                                               \
    draw_numbers<std::int64_t, Reads::mixed, 1>(job, [](const Parameters& p) { return make; }); \
    return true;

bool draw_legacy(Job& job) {
  switch (job.draw.law) {
    CUPRUM_LAW(legacy_normal, legacy::normal(r))
    CUPRUM_LAW(legacy_exponential, legacy::exponential(r))
    CUPRUM_LAW(legacy_gamma, (random::standard_gamma<Source, double>(r, a)))
    CUPRUM_LAW(legacy_beta, legacy::beta(r, a, b))
    CUPRUM_LAW(legacy_chisquare, random::chisquare<Source>(r, a))
    CUPRUM_LAW(legacy_f, random::f<Source>(r, a, b))
    CUPRUM_LAW(legacy_noncentral_chisquare, (b != b ? b * random::noncentral_chisquare<Source>(r, a, b)
                                                    : random::noncentral_chisquare<Source>(r, a, b)))
    CUPRUM_LAW(legacy_noncentral_f, random::noncentral_f<Source>(r, a, b, c))
    CUPRUM_LAW(legacy_cauchy, random::standard_cauchy<Source>(r))
    CUPRUM_LAW(legacy_t, random::standard_t<Source>(r, a))
    CUPRUM_LAW(legacy_vonmises, random::vonmises(r, a, b, false))
    CUPRUM_LAW(legacy_pareto, math::exp(legacy::exponential(r) / a) - 1)
    CUPRUM_LAW(legacy_weibull, (a == 0.0 ? 0.0 : math::pow(legacy::exponential(r), 1. / a)))
    CUPRUM_LAW(legacy_power, math::pow(1 - math::exp(-legacy::exponential(r)), 1. / a))
    CUPRUM_LAW(legacy_lognormal, math::exp(a + b * legacy::normal(r)))
    CUPRUM_LAW(legacy_rayleigh, math::sqrt(-2.0 * math::log1p(-r.unit())))
    CUPRUM_LAW(legacy_wald, legacy::wald(r, a, b))
    CUPRUM_COUNTING_LAW(legacy_negative_binomial, ([=](Reader& r) {
                          const double scale = (1 - p.real(1)) / p.real(1);
                          return random::poisson(
                              r, scale * random::standard_gamma<Source, double>(r, p.real(0)));
                        }))
    CUPRUM_COUNTING_LAW(legacy_binomial, random::Binomial(p.integer(0), p.real(1), true))
    CUPRUM_COUNTING_LAW(legacy_geometric, ([=](Reader& r) { return legacy::geometric(r, p.real(0)); }))
    CUPRUM_COUNTING_LAW(legacy_zipf, ([=](Reader& r) { return random::zipf(r, p.real(0), false); }))
    CUPRUM_COUNTING_LAW(legacy_logseries, ([=](Reader& r) {
                          const double q = math::log(1.0 - p.real(0));
                          return random::logseries(r, p.real(0), q,
                                                   [](double x) { return 1.0 - math::exp(x); });
                        }))
    CUPRUM_COUNTING_LAW(legacy_hypergeometric, ([=](Reader& r) {
                          return legacy::hypergeometric(r, p.integer(0), p.integer(1), p.integer(2));
                        }))
    default: return false;
  }
}

#undef CUPRUM_LAW
#undef CUPRUM_COUNTING_LAW

}  // namespace cuprum::cpu
