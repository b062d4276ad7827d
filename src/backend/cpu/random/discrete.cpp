#include "kernels/random/discrete.h"

#include "backend/cpu/random/job.h"
#include "backend/cpu/random/runs.h"
#include "kernels/random/continuous.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;
namespace math = kernels::math;

/// A law with something that is computed once for its parameters.
template <Reads kReads, class Make>
bool draw_counts(Job& job, Make&& make) {
  draw_numbers<std::int64_t, kReads, 1>(job, make);
  return true;
}

}  // namespace

bool draw_discrete(Job& job) {
  const std::int64_t alike = job.arrays.empty() ? job.n : 1;  // numbers of one law
  switch (job.draw.law) {
    case Law::poisson:
      return draw_counts<Reads::wide>(job, [=](const Parameters& p) { return PoissonRun(p.real(0), alike); });
    case Law::negative_binomial:
      return draw_counts<Reads::wide>(job, [](const Parameters& p) {
        return [n = p.real(0), scale = (1 - p.real(1)) / p.real(1)](Reader& r) {
          return random::poisson(r, scale * random::standard_gamma<random::Modern, double>(r, n));
        };
      });
    case Law::binomial:
      return draw_counts<Reads::wide>(
          job, [=](const Parameters& p) { return BinomialRun(p.integer(0), p.real(1), alike); });
    case Law::geometric:
      return draw_counts<Reads::wide>(job, [](const Parameters& p) {
        return [a = p.real(0)](Reader& r) { return random::geometric(r, a); };
      });
    case Law::zipf:
      return draw_counts<Reads::wide>(job, [](const Parameters& p) {
        return [a = p.real(0)](Reader& r) { return random::zipf(r, a, true); };
      });
    case Law::logseries:
      return draw_counts<Reads::wide>(job, [](const Parameters& p) {
        return [a = p.real(0), log_q = math::log1p(-p.real(0))](Reader& r) {
          return random::logseries(r, a, log_q, [](double x) { return -math::expm1(x); });
        };
      });
    case Law::hypergeometric:
      return draw_counts<Reads::mixed>(job, [](const Parameters& p) {
        return [=](Reader& r) { return random::hypergeometric(r, p.integer(0), p.integer(1), p.integer(2)); };
      });
    default: return false;
  }
}

}  // namespace cuprum::cpu
