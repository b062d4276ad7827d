// k-means: points in a plane, drawn around four centres, are told apart again. The distances of all points to all centres are one
// fused kernel with the choice of the nearest.
//
//   c++ -std=c++20 kmeans.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <iostream>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 200'000, k = 4;
  const cp::random::generator rng(1);
  const cp::array truth{{-4.0, -4.0}, {-4.0, 4.0}, {4.0, -4.0}, {4.0, 4.0}};
  const cp::array points = truth(rng.integers(0, k, {n})) + rng.standard_normal({n, 2});
  const cp::array x = points(cp::slice(), 0), y = points(cp::slice(), 1);

  cp::array centres{{-1.0, -1.0}, {-1.0, 1.0}, {1.0, -1.0}, {1.0, 1.0}};
  for (int step = 0; step < 20; ++step) {
    const cp::array dx = x(cp::slice(), cp::newaxis) - centres(cp::slice(), 0);
    const cp::array dy = y(cp::slice(), cp::newaxis) - centres(cp::slice(), 1);
    const cp::array nearest = cp::argmin(dx * dx + dy * dy, 1);
    const cp::array sums = cp::stack({cp::bincount(nearest, x, k), cp::bincount(nearest, y, k)}, 1);
    centres = sums / cp::bincount(nearest, k)(cp::slice(), cp::newaxis);
  }
  std::cout << cp::round(centres, 2) << '\n';
  return cp::max(cp::absolute(centres - truth)).item<double>() < 0.05 ? 0 : 1;
}
