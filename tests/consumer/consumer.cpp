// A small program outside the library: the payoff of many options, fused into one kernel.
#include <cuprum/cuprum.h>

#include <cmath>
#include <cstdio>

namespace cp = cuprum;

int main() {
  const cp::array spot = cp::linspace(50.0, 150.0, 100001);
  const cp::array payoff = cp::maximum(spot - 100.0, 0.0) * std::exp(-0.05);
  const double mean = cp::mean(payoff).item<double>();
  const double expected = 12.5 * std::exp(-0.05);
  std::printf("mean discounted payoff %.6f, expected about %.6f\n", mean, expected);
  return std::abs(mean - expected) < 1e-3 ? 0 : 1;
}
