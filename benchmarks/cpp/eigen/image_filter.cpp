#include <Eigen/Dense>
#include <cstdio>
#include <random>

using Image = Eigen::ArrayXXf;

auto shifted(const Image& image, Eigen::Index dy, Eigen::Index dx) {
  return image.block(1 + dy, 1 + dx, image.rows() - 2, image.cols() - 2);
}

Image blurred(const Image& image) {
  const auto row = [&](Eigen::Index dy) -> Image {
    return shifted(image, dy, -1) + 2.0f * shifted(image, dy, 0) + shifted(image, dy, 1);
  };
  return (row(-1) + 2.0f * row(0) + row(1)) / 16.0f;
}

Image edges(const Image& image) {
  const auto side = [&](Eigen::Index dx) -> Image {
    return shifted(image, -1, dx) + 2.0f * shifted(image, 0, dx) + shifted(image, 1, dx);
  };
  const auto line = [&](Eigen::Index dy) -> Image {
    return shifted(image, dy, -1) + 2.0f * shifted(image, dy, 0) + shifted(image, dy, 1);
  };
  return ((side(1) - side(-1)).square() + (line(1) - line(-1)).square()).sqrt();
}

int main() {
  const Eigen::Index n = 2000;
  std::mt19937_64 engine(5);
  std::uniform_real_distribution<float> uniform;
  const Eigen::ArrayXf at = Eigen::ArrayXf::LinSpaced(n, -1.0f, 1.0f);
  const Image radius = (at.square().replicate(1, n) + at.square().transpose().replicate(n, 1)).sqrt();
  const Image noise = Image::NullaryExpr(n, n, [&] { return uniform(engine); });
  const Image image = (radius < 0.5f).cast<float>() + 0.1f * noise;
  Image smooth = image;
  for (int pass = 0; pass < 4; ++pass) smooth = blurred(smooth);
  const Eigen::Index length = (edges(smooth) > 0.5f).count();
  std::printf("%ld pixels are on the edge of the disc, %.4f of the image is bright\n",
              static_cast<long>(length),
              static_cast<double>((smooth > 0.5f).count()) / static_cast<double>(smooth.size()));
}
