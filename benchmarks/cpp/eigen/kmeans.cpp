#include <Eigen/Dense>
#include <iostream>
#include <random>

int main() {
  const Eigen::Index n = 200'000, k = 4;
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> which(0, k - 1);
  Eigen::ArrayX2d truth(k, 2);
  truth << -4, -4, -4, 4, 4, -4, 4, 4;
  Eigen::ArrayX2d points(n, 2);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int c = which(engine);
    points.row(i) << truth(c, 0) + normal(engine), truth(c, 1) + normal(engine);
  }
  Eigen::ArrayX2d centres(k, 2);
  centres << -1, -1, -1, 1, 1, -1, 1, 1;
  Eigen::ArrayXXd distance(n, k);
  for (int step = 0; step < 20; ++step) {
    for (Eigen::Index c = 0; c < k; ++c)
      distance.col(c) = (points.col(0) - centres(c, 0)).square() + (points.col(1) - centres(c, 1)).square();
    Eigen::ArrayX2d sums = Eigen::ArrayX2d::Zero(k, 2);
    Eigen::ArrayXd counts = Eigen::ArrayXd::Zero(k);
    for (Eigen::Index i = 0; i < n; ++i) {
      Eigen::Index nearest;
      distance.row(i).minCoeff(&nearest);
      sums.row(nearest) += points.row(i);
      counts(nearest) += 1;
    }
    centres = sums.colwise() / counts;
  }
  std::cout << centres << '\n';
}
