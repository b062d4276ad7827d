// Prices of a million options by the formula of Black and Scholes: some sixty operations for each, one pass over memory.
//
//   c++ -std=c++20 black_scholes.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cmath>
#include <cstdio>

namespace cp = cuprum;

// The normal distribution, to seven digits (Abramowitz and Stegun 26.2.17).
cp::array normal_cdf(const cp::array& x) {
  const cp::array t = 1.0 / (1.0 + 0.2316419 * cp::absolute(x));
  const cp::array series =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const cp::array tail = 0.3989422804014327 * cp::exp(-0.5 * x * x) * series;
  return cp::where(x > 0.0, 1.0 - tail, tail);
}

int main() {
  const std::int64_t n = 1'000'000;
  const double rate = 0.03, volatility = 0.2;
  const cp::array share = cp::linspace(80.0, 120.0, n), strike = 105.0 + cp::zeros({n});
  double mean = 0;
  for (const double years : {0.25, 0.5, 1.0, 2.0}) {
    const cp::array spread = volatility * std::sqrt(years) + cp::zeros({n});
    const cp::array d1 = (cp::log(share / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    const cp::array call =
        share * normal_cdf(d1) - strike * std::exp(-rate * years) * normal_cdf(d1 - spread);
    mean = cp::mean(call).item<double>();
    std::printf("%.2f years: mean price %.4f, at 100 %.4f\n", years, mean,
                cp::interp(cp::array(100.0), share, call).item<double>());
  }
  return std::fabs(mean - 12.4) < 0.5 ? 0 : 1;
}
