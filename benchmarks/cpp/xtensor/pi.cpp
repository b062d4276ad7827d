#include <cmath>
#include <cstdio>
#include <xtensor/xmath.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xtensor.hpp>

int main() {
  constexpr std::size_t n = 4'000'000;
  xt::random::seed(42);
  const xt::xtensor<double, 1> x = xt::random::rand<double>({n}), y = xt::random::rand<double>({n});
  const double inside = xt::mean(xt::cast<double>(x * x + y * y <= 1.0))();
  std::printf("pi = %.4f\n", 4 * inside);
  const double share = 100, strike = 105, rate = 0.03, volatility = 0.2;
  const xt::xtensor<double, 1> draws = xt::random::randn<double>({n});
  const xt::xtensor<double, 1> end = share * xt::exp(rate - volatility * volatility / 2 + volatility * draws);
  std::printf("price = %.3f\n", std::exp(-rate) * xt::mean(xt::maximum(end - strike, 0.0))());
}
