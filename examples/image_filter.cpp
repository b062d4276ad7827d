// An image is blurred, and its edges are found: filters are sums of shifted views, each a kernel without a temporary array.
//
//   c++ -std=c++20 image_filter.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cstdio>

namespace cp = cuprum;

// Pixels with their neighbours at (dy, dx) in [-1, 1]; the border of one pixel is left out.
cp::array shifted(const cp::array& image, std::int64_t dy, std::int64_t dx) {
  const std::int64_t height = image.shape()[0], width = image.shape()[1];
  return image(cp::slice(1 + dy, height - 1 + dy), cp::slice(1 + dx, width - 1 + dx));
}

cp::array blurred(const cp::array& image) {
  const auto row = [&](std::int64_t dy) {
    return shifted(image, dy, -1) + 2.0f * shifted(image, dy, 0) + shifted(image, dy, 1);
  };
  return (row(-1) + 2.0f * row(0) + row(1)) / 16.0f;
}

cp::array edges(const cp::array& image) {
  const auto side = [&](std::int64_t dx) {
    return shifted(image, -1, dx) + 2.0f * shifted(image, 0, dx) + shifted(image, 1, dx);
  };
  const auto line = [&](std::int64_t dy) {
    return shifted(image, dy, -1) + 2.0f * shifted(image, dy, 0) + shifted(image, dy, 1);
  };
  return cp::hypot(side(1) - side(-1), line(1) - line(-1));
}

int main() {
  const std::int64_t n = 2000;  // a bright disc with noise
  const cp::array at = cp::linspace(-1.0, 1.0, n).astype(cp::dtype::float32);
  const cp::array radius = cp::hypot(at, at(cp::slice(), cp::newaxis));
  const cp::array noise = cp::random::generator(5).random({n, n}, cp::dtype::float32);
  const cp::array image = cp::where(radius < 0.5f, 1.0f, 0.0f) + 0.1f * noise;

  cp::array smooth = image;
  for (int pass = 0; pass < 4; ++pass) smooth = blurred(smooth);
  const cp::array outline = edges(smooth) > 0.5f;
  const double length = cp::count_nonzero(outline).item<double>();
  std::printf("%.0f pixels are on the edge of the disc, %.4f of the image is bright\n", length,
              cp::mean(smooth > 0.5f).item<double>());
  return length > 3000 && length < 30000 ? 0 : 1;
}
