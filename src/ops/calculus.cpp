#include "ops/calculus.h"

#include <algorithm>
#include <cmath>

#include "core/texts.h"
#include "ops/creation.h"
#include "ops/formula.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/scan.h"

namespace cuprum::ops {

namespace {

using namespace formula;

/// An end of the array: a number becomes one slice.
Array edge_of(const Array& end, const Array& a, int axis) {
  return end.ndim() ? end : broadcast_to(end, with_length(a.shape(), axis, 1));
}

Array end_of_differences(const Array& values, const char* name_of_end, dtype type) {
  if (!can_cast(values.type(), type, Casting::same_kind)) {
    throw TypeError(std::string("cuprum.ediff1d: dtype of `") + name_of_end +
                    "` must be compatible with input `ary` under the `same_kind` rule: given " +
                    name(values.type()) + " for " + name(type));
  }
  return record_cast(ravel(values), type);
}

}  // namespace

Array diff(const Array& given, std::int64_t n, std::int64_t axis_given, const Array* prepend,
           const Array* append) {
  if (n == 0) return given;
  if (n < 0) throw ValueError("cuprum.diff: order must be non-negative but got " + std::to_string(n));
  if (given.ndim() == 0)
    throw ValueError("cuprum.diff: diff requires input that is at least one dimensional");
  const int axis = normalize_axis("diff", axis_given, given.ndim());
  std::vector<Array> parts = {given};
  if (prepend) parts.insert(parts.begin(), edge_of(*prepend, given, axis));
  if (append) parts.push_back(edge_of(*append, given, axis));
  Array a = parts.size() > 1 ? concatenate(parts, axis) : given;
  // Nothing is left then; of nothing, too, the result is an array of its own.
  for (std::int64_t left = std::min(n, std::max<std::int64_t>(1, a.shape()[axis])); left > 0; --left) {
    const Array later = between(a, axis, 1), earlier = between(a, axis, 0, -1);
    a = is_bool(a.type()) ? later != earlier : later - earlier;
  }
  return a;
}

Array ediff1d(const Array& given, const Array* to_end, const Array* to_begin) {
  const Array a = ravel(given);
  std::vector<Array> parts = {between(a, 0, 1) - between(a, 0, 0, -1)};
  if (to_begin) parts.insert(parts.begin(), end_of_differences(*to_begin, "to_begin", a.type()));
  if (to_end) parts.push_back(end_of_differences(*to_end, "to_end", a.type()));
  return parts.size() == 1 ? parts[0] : concatenate(parts);
}

Array trapezoid(const Array& y, const Array* x, const Value& dx, std::int64_t axis) {
  const int along = normalize_axis("trapezoid", axis, y.ndim());
  ReduceArgs args;
  args.axes = Dims{axis};
  const auto integral = [&](const Value& steps) {
    const Array pairs = between(y, along, 1) + between(y, along, 0, -1);
    return sum(steps * pairs / 2.0, args);
  };
  if (!x) return integral(dx);
  const Array steps = diff(*x, 1, x->ndim() == 1 ? -1 : axis);
  if (x->ndim() != 1) return integral(steps);
  return integral(reshape(steps, with_length(Dims(static_cast<std::size_t>(y.ndim()), 1), along, -1)));
}

namespace {

/// Half a period as a number like it, and whether there is a step of just that size: of integers, where the period is even.
struct Half {
  Value high, low;  // low is -high
  bool exact;
};
Half half_of(const Value& period, bool whole) {
  const double real = period.to_scalar(dtype::float64).as<double>();
  if (whole && period.is_weak()) {
    const int128 n = period.integer(), half = n >= 0 || n % 2 == 0 ? n / 2 : n / 2 - 1;
    return {Value::integer(half), Value::integer(-half), n % 2 == 0};
  }
  if (period.is_weak()) return {Value::floating(real / 2), Value::floating(-(real / 2)), true};
  const double half = whole ? std::floor(real / 2) : real / 2;
  const dtype type = whole || is_floating(period.type()) ? period.type() : dtype::float64;
  return {make_scalar(type, half), make_scalar(type, -half), !whole || std::fmod(real, 2) == 0};
}

}  // namespace

Array unwrap(const Array& p, const std::optional<Value>& discont, std::int64_t axis_given,
             const Value& period) {
  const Array steps = diff(p, 1, axis_given);
  const int axis = normalize_axis("unwrap", axis_given, p.ndim());
  const OperandType operands[] = {{steps.type()}, period.operand_type()};
  const dtype type = result_type(operands);
  const auto [high, low, exact] = half_of(period, is_integer(type));
  Array wrapped = (steps - low) % period + low;
  // A step of half a period keeps its direction.
  if (exact) wrapped = where((wrapped == low) & (steps > 0), high, wrapped);
  const Value limit = discont ? *discont : half_of(period, false).high;
  const Array correction = where(absolute(steps) < limit, Value::integer(0), wrapped - steps);
  const Array result = record_copy(p, type);
  set_view(between(result, axis, 1), between(p, axis, 1) + cumsum(correction, {axis, {}, nullptr}));
  return result;
}

}  // namespace cuprum::ops
