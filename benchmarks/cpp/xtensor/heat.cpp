#include <cstdio>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

int main() {
  const std::size_t n = 512;
  xt::xtensor<double, 2> plate = xt::zeros<double>({n, n});
  xt::view(plate, 0) = 100.0;
  auto inner = xt::range(1, n - 1), before = xt::range(0, n - 2), after = xt::range(2, n);
  xt::xtensor<double, 2> next = xt::zeros<double>({n - 2, n - 2});
  for (int step = 0; step < 2000; ++step) {
    xt::noalias(next) = 0.25 * (xt::view(plate, before, inner) + xt::view(plate, after, inner) +
                                xt::view(plate, inner, before) + xt::view(plate, inner, after));
    xt::noalias(xt::view(plate, inner, inner)) = next;
  }
  std::printf("mean temperature %.4f\n", xt::mean(plate)());
}
