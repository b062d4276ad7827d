// Basic indexing: integers, slices, ellipsis and newaxis, as arithmetic on shape, strides and offset.
#include "ops/index.h"

#include <string>

#include "expr/engine.h"
#include "ops/elementwise.h"
#include "ops/index_advanced.h"
#include "ops/index_plan.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

[[noreturn]] void throw_out_of_bounds(std::int64_t i, std::int64_t n, int axis) {
  throw IndexError("index " + std::to_string(i) + " is out of bounds for axis " + std::to_string(axis) +
                   " with size " + std::to_string(n));
}

/// The number of dimensions that the ellipsis, or the end of a short index, stands for.
int dimensions_left(const Array& a, Index index) {
  int used = 0, ellipses = 0;
  for (const IndexItem& item : index) {
    used += item.kind == IndexItem::Kind::integer || item.kind == IndexItem::Kind::slice;
    ellipses += item.kind == IndexItem::Kind::ellipsis;
  }
  if (ellipses > 1) throw IndexError("an index can only have a single ellipsis ('...')");
  if (used > a.ndim()) throw_too_many_indices(a.ndim(), used);
  return a.ndim() - used;
}

}  // namespace

void throw_too_many_indices(int ndim, std::int64_t given) {
  throw IndexError("too many indices for array: array is " + std::to_string(ndim) + "-dimensional, but " +
                   std::to_string(given) + " were indexed");
}

void throw_read_only() { throw ValueError("assignment destination is read-only"); }

std::int64_t check_index(std::int64_t i, std::int64_t n, int axis) {
  if (i < -n || i >= n) throw_out_of_bounds(i, n, axis);
  return i < 0 ? i + n : i;
}

Range clip_slice(std::int64_t start, std::int64_t stop, std::int64_t step, std::int64_t n) {
  if (step == 0) throw ValueError("slice step cannot be zero");
  const std::int64_t low = step < 0 ? -1 : 0, high = step < 0 ? n - 1 : n;
  auto clip = [&](std::int64_t i) {
    if (i < 0) i = i < -n ? low : i + n;
    return i < low ? low : i > high ? high : i;
  };
  start = clip(start);
  stop = clip(stop);
  if (step < 0) return {start, stop < start ? (start - stop - 1) / -step + 1 : 0};
  return {start, start < stop ? (stop - start - 1) / step + 1 : 0};
}

Array basic_index(const Array& a, Index index) {
  const int left = dimensions_left(a, index);
  Dims shape, strides;
  std::int64_t offset = a.offset();
  int axis = 0;
  bool expanded = false;
  auto keep = [&](int count) {
    for (; count > 0; --count, ++axis) {
      shape.push_back(a.shape()[axis]);
      strides.push_back(a.strides()[axis]);
    }
  };
  for (const IndexItem& item : index) {
    switch (item.kind) {
      case IndexItem::Kind::integer:
        offset += check_index(item.start, a.shape()[axis], axis) * a.strides()[axis];
        ++axis;
        break;
      case IndexItem::Kind::slice: {
        const Range r = clip_slice(item.start, item.stop, item.step, a.shape()[axis]);
        if (r.count > 0) offset += r.start * a.strides()[axis];
        shape.push_back(r.count);
        // A step that no second element takes must not overflow.
        strides.push_back(r.count > 1 ? a.strides()[axis] * item.step : a.strides()[axis]);
        ++axis;
        break;
      }
      case IndexItem::Kind::newaxis:
        shape.push_back(1);
        strides.push_back(0);
        break;
      default: keep(left); expanded = true;
    }
  }
  if (!expanded) keep(left);
  if (shape.size() > kMaxDims) {
    throw IndexError("number of dimensions must be within [0, " + std::to_string(kMaxDims) +
                     "], indexing result would have " + std::to_string(shape.size()));
  }
  return a.view(std::move(shape), std::move(strides), offset);
}

bool names_element(const Array& a, Index index) {
  if (index.size() != a.shape().size()) return false;
  for (const IndexItem& item : index) {
    if (item.kind != IndexItem::Kind::integer) return false;
  }
  return true;
}

Array slice_first(const Array& a, std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (a.ndim() == 0) throw_too_many_indices(0, 1);
  const Range r = clip_slice(start, stop, step, a.shape()[0]);
  Dims shape = a.shape(), strides = a.strides();
  const std::int64_t offset = r.count > 0 ? a.offset() + r.start * strides[0] : a.offset();
  shape[0] = r.count;
  if (r.count > 1) strides[0] *= step;
  return a.view(std::move(shape), std::move(strides), offset);
}

Array item_first(const Array& a, std::int64_t i) {
  if (a.ndim() == 0) throw_too_many_indices(0, 1);
  const std::int64_t offset = a.offset() + check_index(i, a.shape()[0], 0) * a.strides()[0];
  if (a.ndim() == 1) return as_value(a.view(Dims{}, Dims{}, offset));
  return a.view(Dims(a.shape().begin() + 1, a.shape().end()),
                Dims(a.strides().begin() + 1, a.strides().end()), offset);
}

Array as_value(const Array& view) {
  Array value = record_copy(view, view.type());
  value.set_value(true);
  return value;
}

Array get_item(const Array& a, Index index) {
  if (is_advanced(index)) return get_advanced(a, index);
  Array view = basic_index(a, index);
  return names_element(a, index) ? as_value(view) : view;
}

void set_view(const Array& view, const Value& value) {
  if (!view.writeable()) throw_read_only();
  const Dims &from = value.shape(), &to = view.shape();
  std::size_t extra = 0;  // leading dimensions of size 1 that the target does not have
  while (from.size() - extra > to.size() && from[extra] == 1) ++extra;
  const std::size_t n = from.size() - extra;
  bool fits = n <= to.size();
  for (std::size_t d = 0; fits && d < n; ++d)
    fits = from[extra + d] == 1 || from[extra + d] == to[to.size() - n + d];
  if (!fits) {
    throw ValueError("could not broadcast input array from shape " + shape_text(from) + " into shape " +
                     shape_text(to));
  }
  assign_value("ndarray.__setitem__", view, value);
}

void check_target(const Array& a, Index index) {
  if (!a.writeable()) throw_read_only();
  const ScalarsRead read(index);
  if (is_advanced(read))
    check_items(a, read);
  else
    basic_index(a, read);
}

void set_item(const Array& a, Index index, const Value& value) {
  if (is_advanced(index)) return set_advanced(a, index, value);
  const Array view = basic_index(a, index);
  if (names_element(a, index) && value.shape().size() > 0 &&
      !(is_bool(a.type()) && value.array().size() == 1)) {
    if (is_complex(a.type())) throw TypeError("only 0-dimensional arrays can be converted to Python scalars");
    throw ValueError("setting an array element with a sequence.");
  }
  check_element(value, a.type());
  set_view(view, value);
}

}  // namespace cuprum::ops
