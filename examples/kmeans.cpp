// k-means: points in a plane, drawn around four centres, are told apart again. The distances of all points to all centres are one
// fused kernel with the choice of the nearest, the sums of each centre's points another.
//
//   c++ -std=c++20 kmeans.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <iostream>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 200'000, k = 4;
  const cp::random::generator rng(1);
  const cp::array truth{{-4.0, -4.0, 4.0, 4.0}, {-4.0, 4.0, -4.0, 4.0}};
  const cp::array points = truth(cp::slice(), rng.integers(0, k, {n})) + rng.standard_normal({2, n});
  const cp::array x = points(0), y = points(1), number = cp::arange(k)(cp::slice(), cp::newaxis);

  cp::array cx{{-1.0}, {-1.0}, {1.0}, {1.0}}, cy{{-1.0}, {1.0}, {-1.0}, {1.0}};
  for (int step = 0; step < 20; ++step) {
    // A row for each centre: which points are its own.
    const cp::array own = cp::argmin(cp::square(x - cx) + cp::square(y - cy), 0) == number;
    const cp::array count = cp::sum(own, 1, true);
    cx = cp::sum(cp::where(own, x, 0.0), 1, true) / count;
    cy = cp::sum(cp::where(own, y, 0.0), 1, true) / count;
  }
  const cp::array centres = cp::stack({cx, cy})(cp::ellipsis, 0);
  std::cout << cp::round(centres, 2) << '\n';
  return cp::max(cp::absolute(centres - truth)).item<double>() < 0.05 ? 0 : 1;
}
