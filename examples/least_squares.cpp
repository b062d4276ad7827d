// A parabola through noisy points, by least squares, and how well it is determined.
//
//   c++ -std=c++20 least_squares.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cmath>
#include <cstdio>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 200'000;
  const cp::array x = cp::linspace(-1.0, 1.0, n);
  const cp::array y = 2.0 - x + 3.0 * x * x + 0.01 * cp::sin(1000.0 * x);
  const cp::array powers = cp::stack({cp::ones({n}), x, x * x}, 1);

  const auto [fit, residuals, rank, singular] = cp::linalg::lstsq(powers, y);
  const std::vector<double> c = fit.to_host<double>();
  std::printf("%.3f %+.3f x %+.3f x^2, residual %.4f, condition %.2f\n", c[0], c[1], c[2],
              residuals.item<double>(), cp::linalg::cond(powers).item<double>());

  try {
    cp::linalg::inv(cp::ones({2, 2})).to_host<double>();  // told where it is waited for
  } catch (const cp::LinAlgError& error) {
    std::printf("%s\n", error.what());
    return std::fabs(c[2] - 3) < 0.01 ? 0 : 1;
  }
  return 1;
}
