// The heat equation on a square plate, in plain array code. Each step is one fused kernel.
//
//   c++ -std=c++20 heat.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cstdio>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 512;
  const cp::array plate = cp::zeros({n, n});
  plate(0) = 100.0;  // the upper edge is held hot

  const cp::slice inner(1, -1), before({}, -2), after(2, {});
  for (int step = 0; step < 2000; ++step) {
    plate(inner, inner) =
        0.25 * (plate(before, inner) + plate(after, inner) + plate(inner, before) + plate(inner, after));
  }
  const double mean = cp::mean(plate).item<double>();
  std::printf("mean temperature %.4f\n", mean);
  return mean > 0 && mean < 100 ? 0 : 1;
}
