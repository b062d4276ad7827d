#include <Eigen/Dense>
#include <cstdint>
#include <cstdio>
#include <fstream>

using Image = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Counts = Eigen::Array<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Counts survived(Eigen::Index width, Eigen::Index height, int steps) {
  const Image re = Eigen::ArrayXd::LinSpaced(width, -2.2, 0.8).transpose().replicate(height, 1);
  const Image im = Eigen::ArrayXd::LinSpaced(height, -1.2, 1.2).replicate(1, width);
  Image x = Image::Zero(height, width), y = x;
  Counts count = Counts::Zero(height, width);
  for (int i = 0; i < steps; ++i) {
    const Image xx = x * x, yy = y * y;
    const auto inside = (xx + yy < 4.0).eval();
    y = inside.select(2.0 * x * y + im, y);
    x = inside.select(xx - yy + re, x);
    count += inside.cast<int>();
  }
  return count;
}

int main(int argc, char** argv) {
  const Eigen::Index width = 900, height = 720;
  const int steps = 64;
  const Counts count = survived(width, height, steps);
  Eigen::Array<std::uint8_t, Eigen::Dynamic, 3, Eigen::RowMajor> pixels(width * height, 3);
  const Eigen::Map<const Eigen::ArrayXi> flat(count.data(), count.size());
  pixels.col(0) = (flat * 4).min(255).cast<std::uint8_t>();
  pixels.col(1) = (flat * flat / 16).min(255).cast<std::uint8_t>();
  pixels.col(2) = (flat * 12).min(255).cast<std::uint8_t>();
  std::ofstream file(argc > 1 ? argv[1] : "mandelbrot.ppm", std::ios::binary);
  file << "P6 " << width << ' ' << height << " 255\n";
  file.write(reinterpret_cast<const char*>(pixels.data()), pixels.size());
  std::printf("area about %.3f\n", 3.0 * 2.4 * (count == steps).cast<double>().mean());
}
