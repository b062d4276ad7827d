#include <Eigen/Dense>
#include <cstdio>

int main() {
  const Eigen::Index n = 512, m = n - 2;
  Eigen::ArrayXXd plate = Eigen::ArrayXXd::Zero(n, n);
  plate.row(0) = 100.0;
  Eigen::ArrayXXd next(m, m);
  for (int step = 0; step < 2000; ++step) {
    next = 0.25 * (plate.block(0, 1, m, m) + plate.block(2, 1, m, m) + plate.block(1, 0, m, m) +
                   plate.block(1, 2, m, m));
    plate.block(1, 1, m, m) = next;
  }
  std::printf("mean temperature %.4f\n", plate.mean());
}
