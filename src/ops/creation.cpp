#include "ops/creation.h"

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "core/cast.h"
#include "core/layout.h"
#include "core/promotion.h"
#include "expr/engine.h"
#include "expr/now.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

Dims strides_for(const Dims& shape, dtype type, char order) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  return order == 'F' ? fortran_strides(shape, item) : contiguous_strides(shape, item);
}

/// The dense layout of a new array like `a`.
struct Layout {
  dtype type;
  Dims shape;
  Dims strides;
};

Layout layout_like(const char* function, const Array& a, const Like& like) {
  Layout l;
  l.type = like.type.value_or(a.type());
  l.shape = like.shape.value_or(a.shape());
  check_shape(function, l.shape, l.type);
  if (like.order == 'K' && l.shape.size() == a.shape().size()) {
    l.strides = copy_strides(l.shape, a.strides(), static_cast<std::int64_t>(itemsize(l.type)));
  } else {
    const char order = like.order == 'K' ? 'C' : settle_order(like.order, a);
    l.strides = strides_for(l.shape, l.type, order);
  }
  return l;
}

/// A recorded array in this layout: in C order with its axes sorted by stride, then seen with the axes back in place.
Array full_in(const Layout& l, const Scalar& value, Backend& backend) {
  const auto item = static_cast<std::int64_t>(itemsize(l.type));
  if (is_c_contiguous(l.shape, l.strides, item)) return record_full(backend, l.shape, value, 'C');
  if (is_f_contiguous(l.shape, l.strides, item)) return record_full(backend, l.shape, value, 'F');
  Dims axes, sorted;
  for (std::size_t d = 0; d < l.shape.size(); ++d) {
    std::size_t at = axes.size();
    while (at > 0 && l.strides[axes[at - 1]] < l.strides[d]) --at;
    axes.insert(at, static_cast<std::int64_t>(d));
  }
  for (std::int64_t d : axes) sorted.push_back(l.shape[d]);
  Dims back(axes.size());
  for (std::size_t d = 0; d < axes.size(); ++d) back[axes[d]] = static_cast<std::int64_t>(d);
  return transpose(record_full(backend, sorted, value, 'C'), back);
}

/// Row or column numbers of a matrix, as narrow as they fit: comparisons of int32 take half the time of int64.
Array numbers(std::int64_t first, std::int64_t count, dtype type, Backend& backend) {
  return arange(count, Scalar::of(dtype::int64, first), Scalar::of(dtype::int64, std::int64_t{1}), type,
                backend);
}

/// op(row number + k, column number), as bool.
Array compare_diagonal(Op op, std::int64_t rows, std::int64_t columns, std::int64_t k, Backend& backend) {
  check_shape("eye", Dims{rows, columns}, dtype::bool_);
  k = std::max(-rows, std::min(k, columns));  // beyond the corners nothing changes
  const bool narrow = rows + columns < std::numeric_limits<std::int32_t>::max();
  const dtype type = narrow ? dtype::int32 : dtype::int64;
  // Two parts of one range.
  const std::int64_t first = std::min<std::int64_t>(k, 0), end = std::max(k + rows, columns);
  const Array all = numbers(first, end - first, type, backend);
  const auto item = static_cast<std::int64_t>(itemsize(type));
  return apply(op, type, all.view(Dims{rows, 1}, Dims{item, 0}, (k - first) * item),
               all.view(Dims{columns}, Dims{item}, -first * item));
}

Array triangle(const char* function, const Array& a, std::int64_t k, bool lower) {
  if (a.ndim() == 0) {
    throw ValueError(std::string("cuprum.") + function +
                     ": an array of at least one dimension is needed, given shape ()");
  }
  const std::int64_t columns = a.shape().back(), rows = a.ndim() > 1 ? a.shape()[a.ndim() - 2] : columns;
  const Array below =
      compare_diagonal(Op::greater_equal, rows, columns, lower ? k : std::max(k, -rows) - 1, a.backend());
  const Scalar zero = make_scalar(a.type(), std::int64_t{0});
  return lower ? choose_by(below, a, zero, a.type()) : choose_by(below, zero, a, a.type());
}

}  // namespace

Array empty(const Dims& shape, dtype type, char order, Backend& backend) {
  check_shape("empty", shape, type);
  return make_array(place_of_new(backend, bytes_of(shape, type)), type, shape,
                    strides_for(shape, type, order));
}

Array full(const Dims& shape, const Scalar& value, char order, Backend& backend) {
  check_shape("full", shape, value.type);
  return record_full(backend, shape, value, order == 'F' ? 'F' : 'C');
}

Array zeros(const Dims& shape, dtype type, char order, Backend& backend) {
  return full(shape, make_scalar(type, std::int64_t{0}), order, backend);
}

Array ones(const Dims& shape, dtype type, char order, Backend& backend) {
  return full(shape, make_scalar(type, std::int64_t{1}), order, backend);
}

Array empty_like(const Array& a, const Like& like) {
  const Layout l = layout_like("empty_like", a, like);
  return make_array(place_of_new(a.backend(), bytes_of(l.shape, l.type)), l.type, l.shape, l.strides);
}

Dims strides_like(const Array& a) { return layout_like("empty_like", a, {}).strides; }

Array full_like(const Array& a, const Scalar& value, const Like& like) {
  const Layout l = layout_like("full_like", a, like);
  return full_in(l, cast_scalar(value, l.type), a.backend());
}

Array zeros_like(const Array& a, const Like& like) {
  return full_like(a, make_scalar(like.type.value_or(a.type()), std::int64_t{0}), like);
}

Array ones_like(const Array& a, const Like& like) {
  return full_like(a, make_scalar(like.type.value_or(a.type()), std::int64_t{1}), like);
}

// -- Evenly spaced --------------------------------------------------------------------------------------

Array arange(std::int64_t count, const Scalar& start, const Scalar& step, dtype type, Backend& backend) {
  count = std::max<std::int64_t>(count, 0);
  if (is_bool(type) && count > 2) {
    throw TypeError(
        "cuprum.arange: arange() is only supported for booleans when the result has at most length 2, here " +
        std::to_string(count));
  }
  check_shape("arange", Dims{count}, type);
  if (count == 0) return make_array(backend, type, Dims{0});
  const Dims shape{count};
  Backend& place = place_of_new(backend, bytes_of(shape, type));
  const Arange numbers{start, step};
  if (std::optional<Array> now = call_now(place, numbers, {}, type, shape)) return *std::move(now);
  return record_call(backend, Primitive(numbers), {}, type, shape,
                     Dims{static_cast<std::int64_t>(itemsize(type))});
}

std::int64_t arange_length(double start, double stop, double step) {
  if (step == 0) throw ValueError("cuprum.arange: the step is zero; give one that is not");
  const double steps = (stop - start) / step;
  if (steps == 0 && stop != start) return std::signbit(steps) ? 0 : 1;  // less than a double can say
  const double length = std::ceil(steps);
  if (std::isnan(length)) throw ValueError("cuprum.arange: cannot compute length");
  if (length >= 9.2e18) throw ValueError("cuprum.arange: Maximum allowed size exceeded");
  return length > 0 ? static_cast<std::int64_t>(length) : 0;
}

Array arange(double start, double stop, double step, Backend& backend) {
  return arange(arange_length(start, stop, step), Scalar::of(dtype::float64, start),
                Scalar::of(dtype::float64, step), dtype::float64, backend);
}

Array arange(std::int64_t start, std::int64_t stop, std::int64_t step, Backend& backend) {
  return arange(
      arange_length(static_cast<double>(start), static_cast<double>(stop), static_cast<double>(step)),
      Scalar::of(dtype::int64, start), Scalar::of(dtype::int64, step), dtype::int64, backend);
}

Linspace linspace(const Value& from, const Value& to, std::int64_t num, bool endpoint,
                  std::optional<dtype> type, std::int64_t axis, Backend& backend) {
  if (num < 0) {
    throw ValueError("cuprum.linspace: Number of samples, " + std::to_string(num) +
                     ", must be non-negative.");
  }
  const dtype given = result_type(std::array{from.operand_type(), to.operand_type()});
  const dtype work = is_bool(given) || is_integer(given) ? dtype::float64 : given;
  const Array start = to_array(from, work, backend), stop = to_array(to, work, backend);
  const std::int64_t parts = endpoint ? num - 1 : num;
  const Scalar divisor = cast_scalar(Scalar::of(dtype::int64, parts), work);
  const Array delta = apply(Op::subtract, work, stop, start);
  Dims tall(static_cast<std::size_t>(delta.ndim()) + 1, 1);
  tall[0] = num;
  const Scalar zero = Scalar::of(dtype::int64, std::int64_t{0}),
               one = Scalar::of(dtype::int64, std::int64_t{1});
  Array y = reshape(arange(num, zero, one, work, backend), tall);
  Linspace result;
  if (parts > 0) {
    result.step = apply(Op::divide, work, delta, divisor);
    const Scalar none = make_scalar(work, std::int64_t{0});
    const bool vanishes =
        to_truth(any(apply(Op::equal, work, result.step, none)));  // underflow, or start == stop
    y = vanishes ? apply(Op::multiply, work, apply(Op::divide, work, y, divisor), delta)
                 : apply(Op::multiply, work, y, result.step);
  } else {
    result.step = record_full(backend, Dims{}, make_scalar(work, std::numeric_limits<double>::quiet_NaN()));
    y = apply(Op::multiply, work, y, delta);
  }
  y = apply(Op::add, work, y, start);
  if (endpoint && num > 1)
    assign(basic_index(y, std::array{IndexItem::at(-1), IndexItem::ellipsis()}), Input(stop));
  if (type && is_integer(*type)) {
    if (is_complex(work))
      throw TypeError(std::string("cuprum.linspace: complex samples cannot be rounded down to ") +
                      name(*type) + "; write dtype=complex");
    y = apply(Op::floor, work, y);
  }
  y = record_cast(y, type.value_or(work));
  result.samples = axis == 0 ? y : moveaxis(y, Dims{0}, Dims{axis});
  return result;
}

// -- Triangles ------------------------------------------------------------------------------------------

Array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype type, char order, Backend& backend) {
  if (order == 'F')
    return transpose(
        eye(columns, rows, k == std::numeric_limits<std::int64_t>::min() ? rows : -k, type, 'C', backend));
  return record_cast(compare_diagonal(Op::equal, rows, columns, k, backend), type);
}

Array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype type, Backend& backend) {
  return record_cast(compare_diagonal(Op::greater_equal, rows, columns, k, backend), type);
}

Array tril(const Array& a, std::int64_t k) { return triangle("tril", a, k, true); }

Array triu(const Array& a, std::int64_t k) { return triangle("triu", a, k, false); }

}  // namespace cuprum::ops
