// Views with other axes, and the copies that rearrange. Nothing here touches an element itself: views are
// arithmetic on shapes and strides, copies are recorded from such views.
#include "ops/manipulate.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/layout.h"
#include "core/texts.h"
#include "expr/engine.h"
#include "expr/overlap.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// NumPy names the parameter in front of the text of some axis errors.
int named_axis(const char* function, const char* parameter, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) {
    throw AxisError(prefix(function) + parameter + ": axis " + std::to_string(axis) +
                    " is out of bounds for array of dimension " + std::to_string(ndim));
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

}  // namespace

Array part(const Array& a, int axis, std::int64_t start, std::int64_t count) {
  Dims shape = a.shape();
  shape[axis] = count;
  const std::int64_t offset = count == 0 ? a.offset() : a.offset() + start * a.strides()[axis];
  return a.view(std::move(shape), a.strides(), offset);
}

// -- Views ----------------------------------------------------------------------------------------------

Dims normalize_axes(const char* function, const Dims& axes, int ndim) {
  Dims result;
  for (std::int64_t axis : axes) result.push_back(normalize_axis(function, axis, ndim));
  std::uint64_t seen = 0;
  for (std::int64_t d : result) {
    if (seen >> d & 1) throw ValueError(prefix(function) + "repeated axis, given " + to_string(axes));
    seen |= std::uint64_t{1} << d;
  }
  return result;
}

Array transpose(const Array& a) {
  const std::size_t n = a.shape().size();
  Dims shape(n), strides(n);
  for (std::size_t d = 0; d < n; ++d) {
    shape[d] = a.shape()[n - 1 - d];
    strides[d] = a.strides()[n - 1 - d];
  }
  return a.view(std::move(shape), std::move(strides));
}

Array transpose(const Array& a, const Dims& axes) {
  if (axes.size() != a.shape().size()) {
    throw ValueError("cuprum.transpose: axes don't match array: given " + to_string(axes) + " for " +
                     std::to_string(a.ndim()) + " dimension(s)");
  }
  Dims shape, strides;
  std::uint64_t seen = 0;
  for (std::int64_t axis : axes) {
    const int d = normalize_axis("transpose", axis, a.ndim());
    if (seen >> d & 1)
      throw ValueError("cuprum.transpose: repeated axis in transpose, given " + to_string(axes));
    seen |= std::uint64_t{1} << d;
    shape.push_back(a.shape()[d]);
    strides.push_back(a.strides()[d]);
  }
  return a.view(std::move(shape), std::move(strides));
}

Array matrix_transpose(const Array& a) {
  if (a.ndim() < 2) {
    throw ValueError("cuprum.matrix_transpose: Input array must be at least 2-dimensional, but it is " +
                     std::to_string(a.ndim()));
  }
  return swapaxes(a, -2, -1);
}

Array swapaxes(const Array& a, std::int64_t axis1, std::int64_t axis2) {
  const int i = named_axis("swapaxes", "axis1", axis1, a.ndim());
  const int j = named_axis("swapaxes", "axis2", axis2, a.ndim());
  Dims shape = a.shape(), strides = a.strides();
  std::swap(shape[i], shape[j]);
  std::swap(strides[i], strides[j]);
  return a.view(std::move(shape), std::move(strides));
}

Array moveaxis(const Array& a, const Dims& source, const Dims& destination) {
  const int n = a.ndim();
  if (source.size() != destination.size()) {
    throw ValueError(
        "cuprum.moveaxis: `source` and `destination` arguments must have the same number of elements, "
        "given " +
        to_string(source) + " and " + to_string(destination));
  }
  Dims from;
  for (std::int64_t axis : source) from.push_back(named_axis("moveaxis", "source", axis, n));
  std::uint64_t moved = 0;
  for (std::int64_t d : from) {
    if (moved >> d & 1) throw ValueError("cuprum.moveaxis: repeated axis in `source` argument");
    moved |= std::uint64_t{1} << d;
  }
  Dims to;
  for (std::int64_t axis : destination) to.push_back(named_axis("moveaxis", "destination", axis, n));
  Dims axes(static_cast<std::size_t>(n), -1);  // axes[new position] = old one
  for (std::size_t k = 0; k < to.size(); ++k) {
    if (axes[to[k]] >= 0) throw ValueError("cuprum.moveaxis: repeated axis in `destination` argument");
    axes[to[k]] = from[k];
  }
  int next = 0;
  for (std::int64_t& axis : axes) {
    if (axis >= 0) continue;
    while (moved >> next & 1) ++next;
    axis = next++;
  }
  return transpose(a, axes);
}

Array move_last(const Array& a, int axis) {
  if (axis == a.ndim() - 1) return a;
  Dims shape = a.shape(), strides = a.strides();
  shape.erase(axis);
  strides.erase(axis);
  shape.push_back(a.shape()[axis]);
  strides.push_back(a.strides()[axis]);
  return a.view(std::move(shape), std::move(strides));
}

Array squeeze(const Array& a, const std::optional<Dims>& axes) {
  std::uint64_t chosen = 0;
  if (axes) {
    for (std::int64_t axis : *axes) {
      if (a.ndim() == 0 && (axis == 0 || axis == -1))
        continue;  // NumPy lets a scalar pass for a vector of one here
      const int d = normalize_axis("squeeze", axis, a.ndim());
      if (chosen >> d & 1)
        throw ValueError("cuprum.squeeze: duplicate value in 'axis', given " + to_string(*axes));
      chosen |= std::uint64_t{1} << d;
    }
    for (int d = 0; d < a.ndim(); ++d) {
      if ((chosen >> d & 1) && a.shape()[d] != 1) {
        throw ValueError(
            "cuprum.squeeze: cannot select an axis to squeeze out which has size not equal to one: axis " +
            std::to_string(d) + " of shape " + to_string(a.shape()));
      }
    }
  } else {
    for (int d = 0; d < a.ndim(); ++d) {
      if (a.shape()[d] == 1) chosen |= std::uint64_t{1} << d;
    }
  }
  Dims shape, strides;
  for (int d = 0; d < a.ndim(); ++d) {
    if (chosen >> d & 1) continue;
    shape.push_back(a.shape()[d]);
    strides.push_back(a.strides()[d]);
  }
  return a.view(std::move(shape), std::move(strides));
}

Array expand_dims(const Array& a, const Dims& axes) {
  const int ndim = a.ndim() + static_cast<int>(axes.size());
  if (ndim > kMaxDims) check_shape("expand_dims", Dims(static_cast<std::size_t>(ndim), 1), a.type());
  std::uint64_t fresh = 0;
  for (std::int64_t d : normalize_axes("expand_dims", axes, ndim)) fresh |= std::uint64_t{1} << d;
  Dims shape, strides;
  for (int d = 0, from = 0; d < ndim; ++d) {
    const bool is_new = fresh >> d & 1;
    shape.push_back(is_new ? 1 : a.shape()[from]);
    strides.push_back(is_new ? 0 : a.strides()[from]);
    from += !is_new;
  }
  return a.view(std::move(shape), std::move(strides));
}

Array broadcast_to(const Array& a, const Dims& shape) {
  for (std::int64_t d : shape) {
    if (d < 0) {
      throw ValueError("cuprum.broadcast_to: all elements of broadcast shape must be non-negative, given " +
                       to_string(shape));
    }
  }
  check_shape("broadcast_to", shape, a.type());
  if (a.shape().size() > shape.size()) {
    throw ValueError(
        "cuprum.broadcast_to: input operand has more dimensions than allowed by the axis remapping: " +
        shape_text(a.shape()) + " cannot become " + shape_text(shape));
  }
  if (!broadcasts_to(a.shape(), shape)) {
    throw ValueError(
        "cuprum.broadcast_to: operands could not be broadcast together with remapped shapes "
        "[original->remapped]: " +
        shape_text(a.shape()) + "  and requested shape " + shape_text(shape));
  }
  return read_only(a.view(shape, broadcast_strides(a.shape(), a.strides(), shape)));
}

std::vector<Array> broadcast_arrays(std::span<const Array> arrays) {
  std::vector<Dims> shapes;
  for (const Array& a : arrays) shapes.push_back(a.shape());
  const Dims common = broadcast_shapes("broadcast_arrays", shapes.data(), static_cast<int>(shapes.size()));
  std::vector<Array> result;
  for (const Array& a : arrays) result.push_back(a.shape() == common ? a : broadcast_to(a, common));
  return result;
}

Array flip(const Array& a, const std::optional<Dims>& axes) {
  Dims strides = a.strides();
  std::int64_t offset = a.offset();
  auto reverse = [&](int d) {
    if (a.shape()[d] > 0) offset += (a.shape()[d] - 1) * strides[d];
    strides[d] = -strides[d];
  };
  if (axes) {
    for (std::int64_t d : normalize_axes("flip", *axes, a.ndim())) reverse(static_cast<int>(d));
  } else {
    for (int d = 0; d < a.ndim(); ++d) reverse(d);
  }
  if (a.ndim() == 0) return value_if_0d(record_copy(a, a.type()));  // as a[()], which is how NumPy flips
  return a.view(a.shape(), std::move(strides), a.size() == 0 ? a.offset() : offset);
}

Array diagonal(const Array& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2) {
  if (a.ndim() < 2) {
    throw ValueError("cuprum.diagonal: diag requires an array of at least two dimensions, given shape " +
                     to_string(a.shape()));
  }
  const int i = named_axis("diagonal", "axis1", axis1, a.ndim());
  const int j = named_axis("diagonal", "axis2", axis2, a.ndim());
  if (i == j)
    throw ValueError("cuprum.diagonal: axis1 and axis2 cannot be the same, given " + std::to_string(axis1));
  const std::int64_t row = offset < 0 ? -offset : 0, column = offset > 0 ? offset : 0;
  const std::int64_t count = std::max<std::int64_t>(0, std::min(a.shape()[i] - row, a.shape()[j] - column));
  Dims shape, strides;
  for (int d = 0; d < a.ndim(); ++d) {
    if (d == i || d == j) continue;
    shape.push_back(a.shape()[d]);
    strides.push_back(a.strides()[d]);
  }
  shape.push_back(count);
  strides.push_back(a.strides()[i] + a.strides()[j]);
  const std::int64_t start = count == 0 ? 0 : row * a.strides()[i] + column * a.strides()[j];
  return read_only(a.view(std::move(shape), std::move(strides), a.offset() + start));
}

Array as_strided(const Array& a, const Dims& shape, const Dims& strides) {
  if (shape.size() != strides.size()) {
    throw ValueError("cuprum.as_strided: strides must have one number per dimension, given shape " +
                     to_string(shape) + " and strides " + to_string(strides));
  }
  check_shape("as_strided", shape, a.type());
  bool empty = false;
  __int128 first = a.offset(), last = a.offset();  // bytes from the start of the memory
  for (std::size_t d = 0; d < shape.size(); ++d) {
    empty |= shape[d] == 0;
    (strides[d] < 0 ? first : last) += static_cast<__int128>(shape[d] - 1) * strides[d];
  }
  last += static_cast<__int128>(a.itemsize());
  if (!empty && (first < 0 || last > static_cast<__int128>(a.storage()->nbytes))) {
    throw ValueError("cuprum.as_strided: shape " + to_string(shape) + " with strides " + to_string(strides) +
                     " leaves the memory of the array, which has " + std::to_string(a.storage()->nbytes) +
                     " bytes, " + std::to_string(a.offset()) + " of them before its first element");
  }
  return a.view(shape, strides);
}

Array real(const Array& a) {
  if (!is_complex(a.type())) return a.view(a.shape(), a.strides());
  return a.view(real_type(a.type()), a.shape(), a.strides(), a.offset());
}

Array imag(const Array& a) {
  if (!is_complex(a.type())) {
    Array zeros = zeros_like(a);
    zeros.set_value(a.is_value());  // nobody can write to a value
    return a.is_value() ? zeros : read_only(zeros);
  }
  return a.view(real_type(a.type()), a.shape(), a.strides(),
                a.offset() + static_cast<std::int64_t>(itemsize(real_type(a.type()))));
}

Array atleast(const Array& a, int ndim) {
  if (a.ndim() >= ndim) return a;
  if (a.ndim() == 0) return reshape(a, Dims(static_cast<std::size_t>(ndim), 1));
  if (ndim == 2) return expand_dims(a, Dims{0});
  return a.ndim() == 1 ? expand_dims(a, Dims{0, 2}) : expand_dims(a, Dims{2});
}

std::vector<Array> split(const Array& a, const Dims& positions, std::int64_t axis) {
  const int d = normalize_axis("split", axis, a.ndim());
  std::vector<Array> parts;
  for (std::size_t k = 0; k <= positions.size(); ++k) {
    const std::int64_t from = k == 0 ? 0 : positions[k - 1];
    const std::int64_t to = k == positions.size() ? a.shape()[d] : positions[k];
    const Range r = clip_slice(from, to, 1, a.shape()[d]);
    parts.push_back(part(a, d, r.start, r.count));
  }
  return parts;
}

std::vector<Array> array_split(const Array& a, std::int64_t sections, std::int64_t axis) {
  if (sections <= 0) {
    throw ValueError("cuprum.array_split: number sections must be larger than 0, given " +
                     std::to_string(sections));
  }
  const int d = normalize_axis("array_split", axis, a.ndim());
  const std::int64_t each = a.shape()[d] / sections, extra = a.shape()[d] % sections;
  std::vector<Array> parts;
  for (std::int64_t k = 0, start = 0; k < sections; ++k) {
    const std::int64_t count = each + (k < extra);
    parts.push_back(part(a, d, start, count));
    start += count;
  }
  return parts;
}

// -- Copies ---------------------------------------------------------------------------------------------

Array roll(const Array& a, const Dims& shifts, const std::optional<Dims>& axes) {
  if (!axes) {
    std::int64_t total = 0;
    for (std::int64_t s : shifts) total += s;
    return reshape(roll(ravel(a), Dims{total}, Dims{0}), a.shape());
  }
  for (std::int64_t axis : *axes) normalize_axis("roll", axis, a.ndim());
  const std::size_t n = shifts.size() == 1 ? axes->size() : shifts.size();
  const bool fits = axes->size() == 1 || axes->size() == n;
  if (!fits) {
    throw ValueError(
        "cuprum.roll: shape mismatch: objects cannot be broadcast to a single shape: 'shift' has " +
        std::to_string(shifts.size()) + " element(s) and 'axis' has " + std::to_string(axes->size()));
  }
  Dims total(a.shape().size(), 0);
  for (std::size_t k = 0; k < n; ++k) {
    const int d = normalize_axis("roll", (*axes)[axes->size() == 1 ? 0 : k], a.ndim());
    if (const std::int64_t size = a.shape()[d]) {
      const std::int64_t shift = shifts[shifts.size() == 1 ? 0 : k] % size;
      total[d] = ((total[d] + shift) % size + size) % size;
    }
  }
  const bool moves = std::any_of(total.begin(), total.end(), [](std::int64_t shift) { return shift != 0; });
  return moves ? record_roll(a, total) : record_copy(a, a.type());
}

Array repeat(const Array& a, const Dims& repeats, const std::optional<std::int64_t>& axis) {
  if (!axis) return repeat(ravel(a), repeats, 0);
  if (a.ndim() == 0) return repeat(reshape(a, Dims{1}), repeats, axis);
  const int d = normalize_axis("repeat", *axis, a.ndim());
  const std::int64_t n = a.shape()[d];
  if (repeats.size() != 1) return repeat_by(a, from_integers(repeats, a.backend()), axis);
  if (n == 0) return record_copy(a, a.type(), 'C');  // of no elements any count is none
  for (std::int64_t r : repeats) {
    if (r < 0)
      throw ValueError("cuprum.repeat: repeats may not contain negative values, given " + std::to_string(r));
  }
  // Every element becomes a short broadcast row.
  Dims shape = a.shape();
  if (a.ndim() == kMaxDims) {  // no room for the rows: as an array of fewer dimensions
    shape[d] *= repeats[0];
    const Dims flat{element_count(Dims(shape.begin(), shape.begin() + d)), n, -1};
    return reshape(repeat(reshape(a, flat), repeats, 1), shape);
  }
  Dims rows = shape;
  rows.insert(d + 1, repeats[0]);
  if (__builtin_mul_overflow(n, repeats[0], &shape[d])) check_shape("repeat", rows, a.type());
  check_shape("repeat", shape, a.type());
  return reshape(record_copy(broadcast_to(expand_dims(a, Dims{d + 1}), rows), a.type(), 'C'), shape);
}

Array repeat_by(const Array& a, const Array& counts, const std::optional<std::int64_t>& axis) {
  if (!axis || a.ndim() == 0) return repeat_by(ravel(a), counts, 0);
  const int d = normalize_axis("repeat", *axis, a.ndim());
  const std::int64_t n = a.shape()[d];
  if (counts.size() == 1) return repeat(a, Dims{to_integers(counts)[0]}, axis);
  if (counts.size() != n) {
    throw ValueError("cuprum.repeat: operands could not be broadcast together with shape " +
                     shape_text(Dims{n}) + " " + shape_text(counts.shape()) +
                     "; give one count, or counts of the same length as the axis, " + std::to_string(n));
  }
  Dims shape = a.shape();
  shape[d] = 0;
  if (n == 0) return empty(shape, a.type(), 'C', a.backend());
  const Array each = record_cast(counts, dtype::int64), ends = cumsum(each), least = min(each);
  const Array total = basic_index(ends, std::array{IndexItem::at(n - 1)});
  if (const std::int64_t r = to_integer(least); r < 0)
    throw ValueError("cuprum.repeat: repeats may not contain negative values, given " + std::to_string(r));
  shape[d] = to_integer(total);
  check_shape("repeat", shape, a.type());
  if (element_count(shape) == 0) return empty(shape, a.type(), 'C', a.backend());
  return record_along(Repeat{}, a, d, a.type(), shape,
                      contiguous_strides(shape, static_cast<std::int64_t>(a.itemsize())), &ends);
}

Array tile(const Array& a, const Dims& reps) {
  const std::size_t n = std::max(reps.size(), a.shape().size());
  Dims base(n, 1), counts(n, 1), rows, result(n);
  for (std::size_t d = 0; d < a.shape().size(); ++d) base[n - a.shape().size() + d] = a.shape()[d];
  for (std::size_t d = 0; d < reps.size(); ++d) counts[n - reps.size() + d] = reps[d];
  Dims split_base;
  for (std::size_t d = 0; d < n; ++d) {
    if (base[d] == 0) counts[d] = std::max<std::int64_t>(counts[d], 0);  // of no elements any count is none
    if (counts[d] < 0) check_shape("tile", reps, a.type());
    rows.push_back(counts[d]);
    rows.push_back(base[d]);
    split_base.push_back(1);
    split_base.push_back(base[d]);
    if (__builtin_mul_overflow(counts[d], base[d], &result[d])) check_shape("tile", rows, a.type());
  }
  check_shape("tile", result, a.type());
  if (2 * n > kMaxDims) {  // too many axes to double: one after the other
    Array r = reshape(a, base);
    for (std::size_t d = 0; d < n; ++d) {
      if (counts[d] != 1) {
        Dims shape = r.shape();
        shape[d] *= counts[d];
        const Array joined = empty(shape, r.type(), 'C', a.backend());
        for (std::int64_t k = 0; k < counts[d]; ++k) {
          assign(part(joined, static_cast<int>(d), k * r.shape()[d], r.shape()[d]), Input(r));
        }
        r = joined;
      }
    }
    return share_memory(r, a) ? record_copy(r, r.type(), 'C') : r;
  }
  const Array spread = broadcast_to(reshape(a, split_base), rows);
  return reshape(record_copy(spread, a.type(), 'C'), result);
}

Array resize(const Array& a, const Dims& shape) {
  for (std::int64_t d : shape) {
    if (d < 0) {
      throw ValueError("cuprum.resize: all elements of `new_shape` must be non-negative, given " +
                       to_string(shape));
    }
  }
  check_shape("resize", shape, a.type());
  const std::int64_t size = element_count(shape);
  if (size == 0 || a.size() == 0) return zeros(shape, a.type(), 'C', a.backend());
  const Array flat = ravel(a);
  const std::int64_t times = (size + a.size() - 1) / a.size();
  return reshape(part(tile(flat, Dims{times}), 0, 0, size), shape);
}

}  // namespace cuprum::ops
