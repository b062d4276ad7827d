// The Mandelbrot set as a picture: mandelbrot.ppm, or the file that is named. Eight steps of the iteration are one kernel.
//
//   c++ -std=c++20 mandelbrot.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cstdio>
#include <fstream>

namespace cp = cuprum;

// How many of `steps` the points survive.
cp::array survived(std::int64_t width, std::int64_t height, int steps) {
  const cp::array re = cp::linspace(-2.2, 0.8, width),
                  im = cp::linspace(-1.2, 1.2, height)(cp::slice(), cp::newaxis);
  cp::array x = cp::zeros({height, width}), y = x, count = cp::zeros({height, width}, cp::dtype::int32);
  for (int i = 0; i < steps; ++i) {
    const cp::array xx = x * x, yy = y * y, inside = xx + yy < 4.0;
    y = cp::where(inside, 2.0 * x * y + im, y);
    x = cp::where(inside, xx - yy + re, x);
    count += inside;
    if (i % 8 == 7) cp::evaluate({x, y, count});
  }
  return count;
}

int main(int argc, char** argv) {
  const std::int64_t width = 900, height = 720;
  const int steps = 64;
  const cp::array count = survived(width, height, steps);
  const cp::array red = count * 4, green = count * count / 16, blue = cp::minimum(count * 12, 255);
  const cp::array pixels = cp::clip(cp::stack({red, green, blue}, -1), 0, 255).astype(cp::dtype::uint8);

  std::ofstream file(argc > 1 ? argv[1] : "mandelbrot.ppm", std::ios::binary);
  file << "P6 " << width << ' ' << height << " 255\n";
  const auto bytes = pixels.to_host<std::uint8_t>();
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));

  const double area = 3.0 * 2.4 * cp::mean(count == steps).item<double>();
  std::printf("area about %.3f\n", area);
  return file && area > 1.5 && area < 1.7 ? 0 : 1;
}
