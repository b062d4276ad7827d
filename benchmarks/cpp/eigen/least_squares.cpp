#include <Eigen/Dense>
#include <cstdio>

int main() {
  const Eigen::Index n = 200'000;
  const Eigen::ArrayXd x = Eigen::ArrayXd::LinSpaced(n, -1.0, 1.0);
  const Eigen::VectorXd y = 2.0 - x + 3.0 * x * x + 0.01 * (1000.0 * x).sin();
  Eigen::MatrixXd powers(n, 3);
  powers << Eigen::VectorXd::Ones(n), x, x * x;
  const Eigen::BDCSVD<Eigen::MatrixXd> svd(powers, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd c = svd.solve(y);
  const auto& s = svd.singularValues();
  std::printf("%.3f %+.3f x %+.3f x^2, residual %.4f, condition %.2f\n", c(0), c(1), c(2),
              (powers * c - y).squaredNorm(), s(0) / s(2));
  const Eigen::FullPivLU<Eigen::Matrix2d> lu(Eigen::Matrix2d::Ones());
  if (!lu.isInvertible()) std::printf("singular matrix\n");
}
