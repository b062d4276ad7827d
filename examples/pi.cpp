// Monte Carlo in C++: pi from points in a square, and the price of an option from paths of its end. The numbers are those that
// numpy.random.default_rng(42) gives.
#include <cuprum/cuprum.h>

#include <cmath>
#include <cstdio>

namespace cp = cuprum;

int main() {
  constexpr std::int64_t n = 4'000'000;
  const cp::random::generator rng(42);

  const cp::array x = rng.random({n}), y = rng.random({n});
  const double inside = cp::mean(cp::less_equal(x * x + y * y, 1.0)).item<double>();
  std::printf("pi = %.4f\n", 4 * inside);

  // Black and Scholes: a call at 105 on a share of 100, a year, 3 % interest, 20 % volatility; the formula gives 7.1281.
  const double share = 100, strike = 105, rate = 0.03, volatility = 0.2;
  const cp::array end =
      share * cp::exp(rate - volatility * volatility / 2 + volatility * rng.standard_normal({n}));
  const double price = std::exp(-rate) * cp::mean(cp::maximum(end - strike, 0.0)).item<double>();
  std::printf("price = %.3f\n", price);
  return std::fabs(4 * inside - 3.14159265) < 0.005 && std::fabs(price - 7.1281) < 0.05 ? 0 : 1;
}
