#include <Eigen/Dense>
#include <cmath>
#include <cstdio>

using Array = Eigen::ArrayXd;

Array normal_cdf(const Array& x) {
  const Array t = 1.0 / (1.0 + 0.2316419 * x.abs());
  const Array series =
      t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const Array tail = 0.3989422804014327 * (-0.5 * x * x).exp() * series;
  return (x > 0.0).select(1.0 - tail, tail);
}

int main() {
  const Eigen::Index n = 1'000'000;
  const double rate = 0.03, volatility = 0.2;
  const Array share = Array::LinSpaced(n, 80.0, 120.0), strike = Array::Constant(n, 105.0);
  for (const double years : {0.25, 0.5, 1.0, 2.0}) {
    const Array spread = Array::Constant(n, volatility * std::sqrt(years));
    const Array d1 = ((share / strike).log() + (rate + 0.5 * volatility * volatility) * years) / spread;
    const Array call = share * normal_cdf(d1) - strike * std::exp(-rate * years) * normal_cdf(d1 - spread);
    std::printf("%.2f years: mean price %.4f, at 100 %.4f\n", years, call.mean(), call(n / 2));
  }
}
