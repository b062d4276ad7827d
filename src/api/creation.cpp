#include "cuprum/creation.h"

#include <cmath>

#include "api/handle.h"
#include "core/cast.h"
#include "cuprum/elementwise.h"
#include "ops/creation.h"
#include "ops/manipulate.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

ops::Like like(const like_options& o) {
  return {o.dtype, o.order, o.shape ? std::optional<Dims>(to_dims(*o.shape)) : std::nullopt};
}
/// A number as any dtype holds it: 7.5 is 7 among integers, as with NumPy's `full`.
Scalar scalar_of(const Value& v, dtype type) { return cast_scalar(v.to_scalar(v.type()), type); }

}  // namespace

array empty(const shape_type& shape, dtype type) {
  return array(ops::empty(to_dims(shape), type, 'C', default_backend()));
}
array zeros(const shape_type& shape, dtype type) {
  return array(ops::zeros(to_dims(shape), type, 'C', default_backend()));
}
array ones(const shape_type& shape, dtype type) {
  return array(ops::ones(to_dims(shape), type, 'C', default_backend()));
}
array full(const shape_type& shape, const operand& value, std::optional<dtype> type) {
  const Value v = operand_access::value(value);
  const dtype t = type.value_or(v.type());
  if (!v.is_array()) return array(ops::full(to_dims(shape), scalar_of(v, t), 'C', default_backend()));
  array filled(ops::empty(to_dims(shape), t, 'C', v.array().backend()));
  filled(ellipsis) = value;
  return filled;
}
array integer_range(std::int64_t start, std::int64_t stop, std::int64_t step) {
  return array(ops::arange(start, stop, step, default_backend()));
}
array arange(double stop) { return arange(0.0, stop); }
array arange(double start, double stop, double step) {
  return array(ops::arange(start, stop, step, default_backend()));
}
array linspace(double start, double stop, std::int64_t num, bool endpoint) {
  const Value from = Value::floating(start), to = Value::floating(stop);
  return array(ops::linspace(from, to, num, endpoint, dtype::float64, 0, default_backend()).samples);
}
array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype type) {
  return array(ops::eye(rows, columns < 0 ? rows : columns, k, type, 'C', default_backend()));
}

array empty_like(const array& a, const like_options& o) { return array(ops::empty_like(of(a), like(o))); }
array zeros_like(const array& a, const like_options& o) { return array(ops::zeros_like(of(a), like(o))); }
array ones_like(const array& a, const like_options& o) { return array(ops::ones_like(of(a), like(o))); }
array full_like(const array& a, const operand& value, const like_options& o) {
  const Value v = operand_access::value(value);
  if (!v.is_array()) return array(ops::full_like(of(a), scalar_of(v, o.dtype.value_or(a.type())), like(o)));
  array filled = empty_like(a, o);
  filled(ellipsis) = value;
  return filled;
}
array logspace(double start, double stop, std::int64_t num, bool endpoint, double base) {
  return power(base, linspace(start, stop, num, endpoint));
}
array geomspace(double start, double stop, std::int64_t num, bool endpoint) {
  if (start == 0 || stop == 0) throw ValueError("cuprum.geomspace: Geometric sequence cannot include zero");
  if ((start < 0) != (stop < 0))
    throw ValueError(
        "cuprum.geomspace: start and stop have different signs; their sequence would be complex");
  const double sign = start < 0 ? -1.0 : 1.0;
  const array result =
      sign * logspace(std::log10(sign * start), std::log10(sign * stop), num, endpoint, 10.0);
  if (num > 0) result(0) = start;  // exact ends
  if (num > 1 && endpoint) result(-1) = stop;
  return result;
}
array identity(std::int64_t n, dtype type) { return eye(n, n, 0, type); }
array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype type) {
  return array(ops::tri(rows, columns < 0 ? rows : columns, k, type, default_backend()));
}
std::vector<array> meshgrid(const std::vector<array>& vectors, const std::string& indexing) {
  if (indexing != "xy" && indexing != "ij")
    throw ValueError("cuprum.meshgrid: indexing must be \"xy\" or \"ij\", not \"" + indexing + "\"");
  const std::size_t n = vectors.size();
  std::vector<Array> open;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t axis = indexing == "xy" && n > 1 && i < 2 ? 1 - i : i;
    Dims shape(n, 1);
    shape[axis] = vectors[i].size();
    open.push_back(ops::reshape(of(vectors[i]), shape));
  }
  std::vector<array> grids;
  for (Array& grid : ops::broadcast_arrays(open)) grids.push_back(array(std::move(grid)).copy());
  return grids;
}

}  // namespace cuprum
