// The heat equation on a square plate, in plain array code. Each step is one fused kernel.
//
//   c++ -std=c++20 heat.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cstdio>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 512;
  const cp::array plate = cp::zeros({n, n});
  plate.at(0) = 100.0;  // the upper edge is held hot

  const cp::slice inner(1, -1), before({}, -2), after(2, {});
  for (int step = 0; step < 2000; ++step) {
    const cp::array up = plate.at(before, inner), down = plate.at(after, inner);
    const cp::array left = plate.at(inner, before), right = plate.at(inner, after);
    plate.at(inner, inner) = 0.25 * (up + down + left + right);
  }
  std::printf("mean temperature %.4f\n", cp::mean(plate).item<double>());
}
