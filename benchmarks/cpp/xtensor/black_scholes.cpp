#include <cmath>
#include <cstdio>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xtensor.hpp>

using Array = xt::xtensor<double, 1>;

Array normal_cdf(const Array& x) {
  const Array t = 1.0 / (1.0 + 0.2316419 * xt::abs(x));
  const Array series =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const Array tail = 0.3989422804014327 * xt::exp(-0.5 * x * x) * series;
  return xt::where(x > 0.0, 1.0 - tail, tail);
}

int main() {
  const std::size_t n = 1'000'000;
  const double rate = 0.03, volatility = 0.2;
  const Array share = xt::linspace<double>(80.0, 120.0, n), strike = 105.0 * xt::ones<double>({n});
  for (const double years : {0.25, 0.5, 1.0, 2.0}) {
    const Array spread = volatility * std::sqrt(years) * xt::ones<double>({n});
    const Array d1 = (xt::log(share / strike) + (rate + 0.5 * volatility * volatility) * years) / spread;
    const Array call = share * normal_cdf(d1) - strike * std::exp(-rate * years) * normal_cdf(d1 - spread);
    std::printf("%.2f years: mean price %.4f, at 100 %.4f\n", years, xt::mean(call)(), call(n / 2));
  }
}
