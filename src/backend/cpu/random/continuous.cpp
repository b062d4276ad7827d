#include "backend/cpu/random/job.h"
#include "backend/cpu/random/runs.h"
#include "backend/cpu/simd/random_runs.h"
#include "kernels/random/laws.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;
namespace math = kernels::math;

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
      CUPRUM_ALGEBRAIC_LAWS(CUPRUM_LAW)
      CUPRUM_TRANSCENDENTAL_LAWS(CUPRUM_LAW)
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
