#include "ops/positions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/texts.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// A vector as axis `axis` of an array of `ndim` dimensions.
Array along(const Array& row, std::size_t axis, std::size_t ndim) {
  Dims shape(ndim, 1);
  shape[axis] = row.size();
  return reshape(row, shape);
}

Array counting(std::int64_t n, dtype type, Backend& backend) {
  return arange(n, Scalar::of(dtype::int64, std::int64_t{0}), Scalar::of(dtype::int64, std::int64_t{1}), type,
                backend);
}

void check_matrix(const char* function, const Dims& shape) {
  if (shape.size() != 2) throw ValueError(prefix(function) + "input array must be 2-d");
}

Array triangle_mask(std::int64_t rows, std::int64_t k, std::int64_t columns, Backend& backend) {
  const Dims shape{std::max<std::int64_t>(rows, 0), std::max<std::int64_t>(columns, 0)};
  // The positions are wanted at once: where there is no room for the mask, that is said before its coordinates fill the memory.
  const Array room = empty(shape, dtype::bool_, 'C', backend);
  return tri(shape[0], shape[1], k, dtype::bool_, backend);
}

// -- Coordinates and numbers ----------------------------------------------------------------------------

/// The number of elements; nothing where 63 bits do not count them.
std::optional<std::int64_t> size_of(const Dims& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t size = 1;
  for (std::int64_t n : shape) {
    if (__builtin_mul_overflow(size, n, &size)) return std::nullopt;
  }
  return size;
}

/// How far apart in number the neighbours along each axis are. In an empty shape they may be too far: then none is.
Dims steps_of(const Dims& shape, char order) {
  Dims steps(shape.size(), 1);
  const auto next = [&](std::size_t to, std::size_t from) {
    if (__builtin_mul_overflow(steps[from], shape[from], &steps[to])) steps[to] = 0;
  };
  for (std::size_t d = 1; order == 'F' && d < shape.size(); ++d) next(d, d - 1);
  for (std::size_t d = shape.size(); order != 'F' && d-- > 1;) next(d - 1, d);
  return steps;
}

Array as_places(const char* function, const Array& x) {
  if (is_integer(x.type()) || is_bool(x.type())) return record_cast(x, dtype::int64);
  throw TypeError(prefix(function) + "only int indices permitted, not " + name(x.type()));
}

Array outside_of(const Array& places, std::int64_t n) {
  return binary(Op::bitwise_or, binary(Op::less, places, Value::integer(0)),
                binary(Op::greater_equal, places, Value::integer(n)));
}

/// All coordinates are looked at in one go: asking for the answer computes what is pending.
void check_coordinates(std::span<const Array> places, const Dims& dims, std::span<const Bounds> modes) {
  Array wrong;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (modes[d] != Bounds::raise) continue;
    const Array here = any(outside_of(places[d], dims[d]));
    wrong = wrong ? binary(Op::logical_or, wrong, here) : here;
  }
  if (wrong && to_truth(wrong))
    throw ValueError("cuprum.ravel_multi_index: invalid entry in coordinates array");
}

Array bounded(const Array& places, std::int64_t n, Bounds mode) {
  if (mode == Bounds::wrap)
    return binary(Op::remainder, places, Value::integer(std::max<std::int64_t>(n, 1)));
  if (mode == Bounds::raise) return places;
  return binary(Op::minimum, binary(Op::maximum, places, Value::integer(0)),
                Value::integer(std::max<std::int64_t>(n - 1, 0)));
}

}  // namespace

std::vector<Array> diag_indices_from(const Dims& shape, Backend& backend) {
  if (shape.size() < 2) throw ValueError("cuprum.diag_indices_from: input array must be at least 2-d");
  for (std::int64_t n : shape) {
    if (n != shape[0])
      throw ValueError("cuprum.diag_indices_from: All dimensions of input must be of equal length");
  }
  return std::vector<Array>(shape.size(), counting(shape[0], dtype::int64, backend));
}

std::vector<Array> tril_indices(std::int64_t rows, std::int64_t k, std::int64_t columns, Backend& backend) {
  return nonzero(triangle_mask(rows, k, columns, backend));
}

std::vector<Array> triu_indices(std::int64_t rows, std::int64_t k, std::int64_t columns, Backend& backend) {
  const std::int64_t below = k == std::numeric_limits<std::int64_t>::min() ? k : k - 1;
  return nonzero(apply(Op::logical_not, dtype::bool_, triangle_mask(rows, below, columns, backend)));
}

std::vector<Array> tril_indices_from(const Dims& shape, std::int64_t k, Backend& backend) {
  check_matrix("tril_indices_from", shape);
  return tril_indices(shape[0], k, shape[1], backend);
}

std::vector<Array> triu_indices_from(const Dims& shape, std::int64_t k, Backend& backend) {
  check_matrix("triu_indices_from", shape);
  return triu_indices(shape[0], k, shape[1], backend);
}

std::vector<Array> sparse_indices(const Dims& dimensions, dtype type, Backend& backend) {
  std::vector<Array> grids;
  for (std::int64_t n : dimensions) {
    if (n < 0)
      throw ValueError("cuprum.indices: negative dimensions are not allowed, given " + to_string(dimensions));
  }
  for (std::size_t d = 0; d < dimensions.size(); ++d)
    grids.push_back(along(counting(dimensions[d], type, backend), d, dimensions.size()));
  return grids;
}

Array indices(const Dims& dimensions, dtype type, Backend& backend) {
  std::vector<Array> grids = sparse_indices(dimensions, type, backend);
  if (grids.empty()) return empty(Dims{0}, type, 'C', backend);
  for (Array& grid : grids) grid = broadcast_to(grid, dimensions);
  return stack(grids);
}

std::vector<Array> ix_(std::span<const Array> vectors) {
  std::vector<Array> grids;
  for (const Array& x : vectors) {
    if (x.ndim() != 1) throw ValueError("cuprum.ix_: Cross index must be 1 dimensional");
    grids.push_back(along(is_bool(x.type()) ? flatnonzero(x) : x, grids.size(), vectors.size()));
  }
  return grids;
}

Array ravel_multi_index(std::span<const Array> multi_index, const Dims& dims, std::span<const Bounds> modes,
                        char order, Backend& backend) {
  if (!size_of(dims)) {
    throw ValueError(
        "cuprum.ravel_multi_index: invalid dims: array size defined by dims is larger than the maximum "
        "possible size.");
  }
  if (multi_index.size() != dims.size()) {
    throw ValueError("cuprum.ravel_multi_index: parameter multi_index must be a sequence of length " +
                     std::to_string(dims.size()) + ", not " + std::to_string(multi_index.size()));
  }
  std::vector<Array> places;
  bool any_given = false;
  for (const Array& x : multi_index) {
    places.push_back(as_places("ravel_multi_index", x));
    any_given = any_given || x.size() != 0;
  }
  if (any_given && size_of(dims) == 0)
    throw ValueError("cuprum.ravel_multi_index: cannot unravel if shape has zero entries (is empty).");
  check_coordinates(places, dims, modes);
  const Dims steps = steps_of(dims, order);
  Array result = zeros(Dims{}, dtype::int64, 'C', backend);
  for (std::size_t d = 0; d < dims.size(); ++d)
    result = binary(Op::add, result,
                    binary(Op::multiply, bounded(places[d], dims[d], modes[d]), Value::integer(steps[d])));
  return result;
}

std::vector<Array> unravel_index(const Array& given, const Dims& shape, char order) {
  const std::optional<std::int64_t> size = size_of(shape);
  if (!size || std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; })) {
    throw ValueError(
        "cuprum.unravel_index: dimensions are too large; arrays and shapes with a total size greater than "
        "'intp' are not supported.");
  }
  const Array places = as_places("unravel_index", given), outside = outside_of(places, *size);
  if (to_truth(any(outside))) {
    const std::int64_t first = to_integers(get_item(places, std::array{IndexItem::by(outside)}))[0];
    throw ValueError("cuprum.unravel_index: index " + std::to_string(first) +
                     " is out of bounds for array with size " + std::to_string(*size));
  }
  if (shape.empty() && places.ndim() != 0)
    throw ValueError("cuprum.unravel_index: multiple indices are not supported for 0d arrays");
  const Dims steps = steps_of(shape, order);
  std::vector<Array> coordinates;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    // No element is in an empty shape: its lengths only must not divide.
    const Value step = Value::integer(std::max<std::int64_t>(steps[d], 1)),
                length = Value::integer(std::max<std::int64_t>(shape[d], 1));
    coordinates.push_back(binary(Op::remainder, binary(Op::floor_divide, places, step), length));
  }
  return coordinates;
}

}  // namespace cuprum::ops
