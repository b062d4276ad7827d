#include <cstdint>
#include <cstdio>
#include <fstream>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

xt::xtensor<int, 2> survived(std::size_t width, std::size_t height, int steps) {
  const xt::xtensor<double, 1> re = xt::linspace<double>(-2.2, 0.8, width);
  const xt::xtensor<double, 1> column = xt::linspace<double>(-1.2, 1.2, height);
  const xt::xtensor<double, 2> im = xt::view(column, xt::all(), xt::newaxis());
  xt::xtensor<double, 2> x = xt::zeros<double>({height, width}), y = x;
  xt::xtensor<int, 2> count = xt::zeros<int>({height, width});
  for (int i = 0; i < steps; ++i) {
    const xt::xtensor<double, 2> xx = x * x, yy = y * y;
    const xt::xtensor<bool, 2> inside = xx + yy < 4.0;
    y = xt::where(inside, 2.0 * x * y + im, y);
    x = xt::where(inside, xx - yy + re, x);
    count += xt::where(inside, 1, 0);
  }
  return count;
}

int main(int argc, char** argv) {
  const std::size_t width = 900, height = 720;
  const int steps = 64;
  const xt::xtensor<int, 2> count = survived(width, height, steps);
  xt::xtensor<std::uint8_t, 3> pixels = xt::zeros<std::uint8_t>({height, width, std::size_t{3}});
  xt::view(pixels, xt::all(), xt::all(), 0) = xt::minimum(count * 4, 255);
  xt::view(pixels, xt::all(), xt::all(), 1) = xt::minimum(count * count / 16, 255);
  xt::view(pixels, xt::all(), xt::all(), 2) = xt::minimum(count * 12, 255);
  std::ofstream file(argc > 1 ? argv[1] : "mandelbrot.ppm", std::ios::binary);
  file << "P6 " << width << ' ' << height << " 255\n";
  file.write(reinterpret_cast<const char*>(pixels.data()), static_cast<std::streamsize>(pixels.size()));
  std::printf("area about %.3f\n", 3.0 * 2.4 * xt::mean(xt::cast<double>(xt::equal(count, steps)))());
}
