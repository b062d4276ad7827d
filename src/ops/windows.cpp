#include "ops/windows.h"

#include <cmath>
#include <numbers>
#include <span>

#include "ops/creation.h"
#include "ops/formula.h"

namespace cuprum::ops {

namespace {

using namespace formula;

constexpr double kPi = std::numbers::pi;

Array cosine(const Array& x) { return unary(Op::cos, x); }

/// `shape` at 1 - m, 3 - m, ..., m - 1: twice the distances from the middle. A window of one point is 1.
template <class Shape>
Array window(double m, Backend& backend, Shape shape) {
  if (m < 1) return zeros(Dims{0}, dtype::float64, 'C', backend);
  if (m == 1) return ones(Dims{1}, dtype::float64, 'C', backend);
  return shape(arange(1 - m, m, 2.0, backend), m - 1);
}

// Coefficients of exp(-x) I0(x) on [0, 8] and of exp(-x) sqrt(x) I0(x) beyond, from the Cephes library.
constexpr double kNear[] = {
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14,  -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11,  9.675809035373237e-11,  -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08,  6.046995022541919e-08,  -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824,  0.0016394756169413357,  -0.004324309995050576,  0.010546460394594998,
    -0.02373741480589947,    0.04930528423967071,    -0.09490109704804764,   0.17162090152220877,
    -0.3046826723431984,     0.6767952744094761};
constexpr double kFar[] = {
    -7.233180487874754e-18,  -4.830504485944182e-18,  4.46562142029676e-17,    3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16,  1.7725601330565263e-15,  3.8116806693526224e-15,
    -9.554846698828307e-15,  -4.150569347287222e-14,  1.54008621752141e-14,    3.8527783827421426e-13,
    7.180124451383666e-13,   -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
    1.1889147107846439e-11,  4.94060238822497e-10,    3.3962320257083865e-09,  2.266668990498178e-08,
    2.0489185894690638e-07,  2.8913705208347567e-06,  6.889758346916825e-05,   0.0033691164782556943,
    0.8044904110141088};

/// Clenshaw's recurrence; recorded, so that the whole series is one pass.
Array chebyshev(const Array& x, std::span<const double> c) {
  Array b2 = x * c[0] - 0.0 + c[1];
  Array b1 = x * b2 - c[0] + c[2];
  Array b0 = x * b1 - b2 + c[3];
  for (const double next : c.subspan(4)) {
    b2 = b1;
    b1 = b0;
    b0 = x * b1 - b2 + next;
  }
  return 0.5 * (b0 - b2);
}

}  // namespace

Array bartlett(double m, Backend& backend) {
  return window(m, backend,
                [](const Array& n, double end) { return where(n <= 0, 1 + n / end, 1 - n / end); });
}

Array blackman(double m, Backend& backend) {
  return window(m, backend, [](const Array& n, double end) {
    return 0.42 + 0.5 * cosine(kPi * n / end) + 0.08 * cosine(2.0 * kPi * n / end);
  });
}

Array hamming(double m, Backend& backend) {
  return window(m, backend, [](const Array& n, double end) { return 0.54 + 0.46 * cosine(kPi * n / end); });
}

Array hanning(double m, Backend& backend) {
  return window(m, backend, [](const Array& n, double end) { return 0.5 + 0.5 * cosine(kPi * n / end); });
}

Array kaiser(double m, double beta, Backend& backend) {
  if (m == 1) return ones(Dims{1}, dtype::float64, 'C', backend);
  const double middle = (m - 1) / 2.0;
  const Array n = arange(0.0, m, 1.0, backend);
  const Array inside = 1 - unary(Op::square, (n - middle) / middle);
  return i0(beta * unary(Op::sqrt, inside)) / i0(to_array(Value::floating(beta), dtype::float64, backend));
}

Array i0(const Array& given) {
  if (is_complex(given.type())) throw TypeError("cuprum.i0: i0 not supported for complex values");
  const bool native = is_floating(given.type()) && given.type() != dtype::bfloat16;
  const Array x = absolute(native ? given : record_cast(given, dtype::float64));
  // Without this the series that is not chosen would divide by zero.
  const Array far = binary(Op::maximum, x, Value::floating(8.0));
  const Array growth = unary(Op::exp, x);
  const Array small = growth * chebyshev(x / 2.0 - 2, kNear);
  const Array large = growth * chebyshev(32.0 / far - 2.0, kFar) / unary(Op::sqrt, far);
  return where(x <= 8.0, small, large);
}

}  // namespace cuprum::ops
