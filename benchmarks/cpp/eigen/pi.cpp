#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <random>

int main() {
  constexpr Eigen::Index n = 4'000'000;
  std::mt19937_64 engine(42);
  std::uniform_real_distribution<double> uniform;
  std::normal_distribution<double> normal;
  const Eigen::ArrayXd x = Eigen::ArrayXd::NullaryExpr(n, [&] { return uniform(engine); });
  const Eigen::ArrayXd y = Eigen::ArrayXd::NullaryExpr(n, [&] { return uniform(engine); });
  const double inside = (x * x + y * y <= 1.0).cast<double>().mean();
  std::printf("pi = %.4f\n", 4 * inside);
  const double share = 100, strike = 105, rate = 0.03, volatility = 0.2;
  const Eigen::ArrayXd draws = Eigen::ArrayXd::NullaryExpr(n, [&] { return normal(engine); });
  const Eigen::ArrayXd end = share * (rate - volatility * volatility / 2 + volatility * draws).exp();
  std::printf("price = %.3f\n", std::exp(-rate) * (end - strike).max(0.0).mean());
}
