// Fourier transforms by their definition: a sum per point, in long double.
#include <cmath>
#include <complex>
#include <vector>

#include "backend/reference/element.h"
#include "backend/reference/primitives.h"

namespace cuprum::reference {

namespace {

using Point = std::complex<long double>;

/// An array of points in C order.
struct Points {
  Dims shape;
  std::vector<Point> values;

  std::size_t place(const Dims& at) const {
    std::int64_t i = 0;
    for (std::size_t d = 0; d < shape.size(); ++d) i = i * shape[d] + at[d];
    return static_cast<std::size_t>(i);
  }
  /// Zero beyond the end.
  Point operator[](const Dims& at) const {
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (at[d] >= shape[d]) return 0;
    }
    return values[place(at)];
  }
};

Points read(const View& view) {
  Points points{view.shape, {}};
  each(view.shape, [&](const Dims& at) {
    const Scalar z = cast(load(view.type, address(view, at)), dtype::complex128);
    const auto value = z.as<std::complex<double>>();
    points.values.emplace_back(value.real(), value.imag());
  });
  return points;
}

/// Along one axis, `n` points. `half`: the second half of the points read are the conjugates of the first.
Points transformed(const Points& in, std::size_t axis, std::int64_t n, bool backward, bool half) {
  Points out{in.shape, {}};
  out.shape[axis] = n;
  const long double turn = (backward ? 2 : -2) * std::acos(-1.0L) / static_cast<long double>(n);
  std::vector<Point> roots;
  for (std::int64_t k = 0; k < n; ++k) roots.push_back(std::polar(1.0L, turn * static_cast<long double>(k)));
  each(out.shape, [&](Dims at) {
    const std::int64_t k = at[axis];
    Point sum = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const bool second = half && j > n / 2, real = half && (j == 0 || 2 * j == n);
      at[axis] = second ? n - j : j;
      const Point x = in[at];
      sum += (real     ? Point(x.real())
              : second ? std::conj(x)
                       : x) *
             roots[static_cast<std::size_t>(j * k % n)];
    }
    out.values.push_back(sum);
  });
  return out;
}

}  // namespace

void call(const Fft& p, Operands in, const View& out) {
  Points points = read(in[0]);
  const bool to_real = p.kind == Fft::Kind::to_real;
  for (std::size_t i = 0; i < p.axes.size(); ++i) {  // in any order, but reals come last
    const bool half = to_real && i + 1 == p.axes.size();
    points = transformed(points, static_cast<std::size_t>(p.axes[i]), p.lengths[i], p.backward, half);
  }
  each(out.shape, [&](const Dims& at) {
    const Point z = points[at] * static_cast<long double>(p.scale);
    const std::complex<double> value{static_cast<double>(z.real()), static_cast<double>(z.imag())};
    const Scalar whole = is_complex(out.type) ? Scalar::of(dtype::complex128, value)
                                              : Scalar::of(dtype::float64, value.real());
    store(cast(whole, out.type), address(out, at));
  });
}

}  // namespace cuprum::reference
