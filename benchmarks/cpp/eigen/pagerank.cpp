#include <Eigen/Dense>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

int main() {
  const Eigen::Index n = 2000;
  const double damping = 0.85;
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> uniform;
  const Eigen::ArrayXd fame = Eigen::ArrayXd::LinSpaced(n, 1, static_cast<double>(n)).inverse();
  const Eigen::ArrayXXd drawn = Eigen::ArrayXXd::NullaryExpr(n, n, [&] { return uniform(engine); });
  const Eigen::ArrayXXd links = (drawn < (8.0 * fame).replicate(1, n)).cast<double>();
  const Eigen::ArrayXd out = links.colwise().sum().transpose().max(1.0);
  const Eigen::MatrixXd step = links.rowwise() / out.transpose();
  Eigen::VectorXd rank = Eigen::VectorXd::Constant(n, 1.0 / static_cast<double>(n));
  double moved = 1;
  int rounds = 0;
  for (; moved > 1e-10 && rounds < 100; ++rounds) {
    Eigen::VectorXd next = damping * (step * rank);
    next.array() += (1.0 - next.sum()) / static_cast<double>(n);
    moved = (next - rank).lpNorm<1>();
    rank = next;
  }
  std::vector<int> best(static_cast<std::size_t>(n));
  std::iota(best.begin(), best.end(), 0);
  std::sort(best.begin(), best.end(), [&](int a, int b) { return rank(a) > rank(b); });
  std::cout << "after " << rounds << " rounds the first pages are";
  for (int i = 0; i < 5; ++i) std::cout << ' ' << best[static_cast<std::size_t>(i)];
  std::cout << '\n';
}
