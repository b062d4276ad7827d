#include <complex>

#include "core/texts.h"
#include "ops/calculus.h"
#include "ops/creation.h"
#include "ops/formula.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"

namespace cuprum::ops {

namespace {

using namespace formula;

/// The distance between neighbours: a plain number, which does not widen the result, an array without dimensions, or a vector
/// with one distance for every pair.
class Spacing {
 public:
  explicit Spacing(const Value& number)
      : number_(number.real(), number.imag()), complex_(number.kind() == Value::Kind::weak_complex) {}
  explicit Spacing(Array distances) : array_(std::move(distances)) {}

  bool is_uniform() const { return !array_ || array_->ndim() == 0; }
  const Array& distances() const { return *array_; }

  /// `a` / (factor * dx).
  Array divide(const Array& a, double factor) const {
    return array_ ? a / (factor * *array_) : a / plain(factor * number_);
  }
  /// (factor / dx) * `a`.
  Array scale(double factor, const Array& a) const {
    if (array_) return (factor / *array_) * a;
    if (number_ == 0.0) throw ZeroDivisionError("cuprum.gradient: float division by zero");
    return plain(factor / number_) * a;
  }

 private:
  Value plain(std::complex<double> x) const {
    return complex_ ? Value::complex(x.real(), x.imag()) : Value::floating(x.real());
  }

  std::complex<double> number_ = 1.0;
  bool complex_ = false;
  std::optional<Array> array_;
};

/// From a number, or coordinates along an axis of `length`.
Spacing spacing_of(const Value& given, std::int64_t length, Backend& backend) {
  if (given.is_weak()) return Spacing(given);
  if (given.shape().empty()) return Spacing(to_array(given, given.type(), backend));
  const Array& x = given.array();
  if (x.ndim() != 1) {
    throw ValueError("cuprum.gradient: distances must be either scalars or 1d, given shape " +
                     to_string(x.shape()));
  }
  if (x.size() != length) {
    throw ValueError(
        "cuprum.gradient: when 1d, distances must match the length of the corresponding dimension: given " +
        std::to_string(x.size()) + " for " + std::to_string(length));
  }
  const Array distances = diff(is_integer(x.type()) ? record_cast(x, dtype::float64) : x);
  const Array first = at(distances, 0, 0);
  return Spacing(to_truth(all(distances == first)) ? first : distances);
}

std::vector<Spacing> spacings_of(const Array& f, const Dims& axes, std::span<const Value> given) {
  std::vector<Spacing> spacings;
  const bool one_for_all = given.size() == 1 && given[0].shape().empty();
  if (!given.empty() && !one_for_all && given.size() != axes.size()) {
    throw TypeError("cuprum.gradient: invalid number of arguments: " + std::to_string(given.size()) +
                    " spacings for " + std::to_string(axes.size()) + " axes");
  }
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Value one = Value::floating(1.0);
    spacings.push_back(given.empty()
                           ? Spacing(one)
                           : spacing_of(given[one_for_all ? 0 : i], f.shape()[axes[i]], f.backend()));
  }
  return spacings;
}

/// The values along one axis, and what is made of them.
struct Axis {
  const Array& f;
  int axis;
  const Spacing& dx;

  Array value(std::int64_t i) const { return at(f, axis, i); }

  Array inner() const {
    const Array before = between(f, axis, 0, -2), after = between(f, axis, 2);
    if (dx.is_uniform()) return dx.divide(after - before, 2.0);
    const Array d1 = between(dx.distances(), 0, 0, -1), d2 = between(dx.distances(), 0, 1);
    const Dims along = with_length(Dims(static_cast<std::size_t>(f.ndim()), 1), axis, -1);
    const Array a = reshape(-d2 / (d1 * (d1 + d2)), along), b = reshape((d2 - d1) / (d1 * d2), along),
                c = reshape(d1 / (d2 * (d1 + d2)), along);
    return a * before + b * between(f, axis, 1, -1) + c * after;
  }

  /// The difference of two neighbours at an end, of distance dx[i].
  Array first_order(std::int64_t from, std::int64_t to, std::int64_t i) const {
    const Array step = value(to) - value(from);
    return dx.is_uniform() ? dx.divide(step, 1.0) : step / at(dx.distances(), 0, i);
  }

  /// Three values from the left end, or from the right one, whence the axis runs backwards: the same weights with the other
  /// sign, in the order of the axis.
  Array second_order(bool right) const {
    const Array near = value(right ? -1 : 0), next = value(right ? -2 : 1), far = value(right ? -3 : 2);
    const double sign = right ? -1 : 1;
    Array terms[3];
    if (dx.is_uniform()) {
      terms[0] = dx.scale(sign * -1.5, near);
      terms[1] = dx.scale(sign * 2.0, next);
      terms[2] = dx.scale(sign * -0.5, far);
    } else {
      const Array d1 = at(dx.distances(), 0, right ? -1 : 0), d2 = at(dx.distances(), 0, right ? -2 : 1);
      const Array a = -(2.0 * d1 + d2) / (d1 * (d1 + d2)), b = (d1 + d2) / (d1 * d2),
                  c = -d1 / (d2 * (d1 + d2));
      terms[0] = (right ? -a : a) * near;
      terms[1] = (right ? -b : b) * next;
      terms[2] = (right ? -c : c) * far;
    }
    return right ? terms[2] + terms[1] + terms[0] : terms[0] + terms[1] + terms[2];
  }

  Array derivative(std::int64_t edge_order, dtype type) const {
    Like like;
    like.type = type;
    const Array out = empty_like(f, like);
    set_view(between(out, axis, 1, -1), inner());
    set_view(at(out, axis, 0), edge_order == 1 ? first_order(0, 1, 0) : second_order(false));
    set_view(at(out, axis, -1), edge_order == 1 ? first_order(-2, -1, -1) : second_order(true));
    return out;
  }
};

}  // namespace

std::vector<Array> gradient(const Array& given, std::span<const Value> steps,
                            const std::optional<Dims>& given_axes, std::int64_t edge_order) {
  Dims axes;
  if (given_axes) {
    axes = normalize_axes("gradient", *given_axes, given.ndim());
  } else {
    for (int d = 0; d < given.ndim(); ++d) axes.push_back(d);
  }
  const std::vector<Spacing> spacings = spacings_of(given, axes, steps);
  if (edge_order > 2) {
    throw ValueError("cuprum.gradient: 'edge_order' greater than 2 not supported, given " +
                     std::to_string(edge_order));
  }
  const bool inexact = is_floating(given.type()) || is_complex(given.type());
  // Differences of integers would wrap.
  const Array f = is_integer(given.type()) ? record_cast(given, dtype::float64) : given;
  for (const std::int64_t axis : axes) {
    if (f.shape()[axis] > edge_order) continue;
    throw ValueError(
        "cuprum.gradient: Shape of array too small to calculate a numerical gradient, at least (edge_order + "
        "1) elements are required: given shape " +
        to_string(f.shape()));
  }
  std::vector<Array> results;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const Axis along{f, static_cast<int>(axes[i]), spacings[i]};
    results.push_back(along.derivative(edge_order, inexact ? f.type() : dtype::float64));
  }
  return results;
}

}  // namespace cuprum::ops
