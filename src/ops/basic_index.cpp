#include "ops/basic_index.h"

#include <string>
#include <utility>

#include "expr/record.h"
#include "ops/assign.h"

namespace cuprum::ops {

namespace {

using Kind = IndexItem::Kind;

[[noreturn]] void throw_out_of_bounds(std::int64_t i, std::int64_t n, int axis) {
  throw IndexError("index " + std::to_string(i) + " is out of bounds for axis " + std::to_string(axis) +
                   " with size " + std::to_string(n));
}

int dimensions_used(const IndexItem& item) {
  switch (item.kind) {
    case Kind::integer:
    case Kind::slice: return 1;
    case Kind::array: return is_bool(item.array->type()) ? item.array->ndim() : 1;
    default: return 0;
  }
}

void check_index_dtype(const Array& a) {
  if (!is_bool(a.type()) && !is_integer(a.type())) {
    throw IndexError("arrays used as indices must be of integer (or boolean) type");
  }
}

}  // namespace

void throw_too_many_indices(int ndim, std::int64_t given) {
  throw IndexError("too many indices for array: array is " + std::to_string(ndim) + "-dimensional, but " +
                   std::to_string(given) + " were indexed");
}

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

void check_result_ndim(std::size_t ndim) {
  if (ndim <= kMaxDims) return;
  throw IndexError("number of dimensions must be within [0, " + std::to_string(kMaxDims) +
                   "], indexing result would have " + std::to_string(ndim));
}

int dimensions_left(const Array& a, Index index) {
  int used = 0, ellipses = 0;
  for (const IndexItem& item : index) {
    if (item.kind == Kind::array) check_index_dtype(*item.array);
    used += dimensions_used(item);
    ellipses += item.kind == Kind::ellipsis;
  }
  if (ellipses > 1) throw IndexError("an index can only have a single ellipsis ('...')");
  if (used > a.ndim()) throw_too_many_indices(a.ndim(), used);
  return a.ndim() - used;
}

void IndexReader::apply(const IndexItem& item, int left) {
  switch (item.kind) {
    case Kind::integer:
      offset += check_index(item.start, a.shape()[axis], axis) * a.strides()[axis];
      ++axis;
      return;
    case Kind::slice: {
      const Range r = clip_slice(item.start, item.stop, item.step, a.shape()[axis]);
      if (r.count > 0) offset += r.start * a.strides()[axis];
      shape.push_back(r.count);
      // A step that no second element takes must not overflow.
      strides.push_back(r.count > 1 ? a.strides()[axis] * item.step : a.strides()[axis]);
      ++axis;
      return;
    }
    case Kind::newaxis:
      shape.push_back(1);
      strides.push_back(0);
      return;
    case Kind::ellipsis: return keep(left);
    case Kind::array: return;
  }
}

void IndexReader::keep(int count) {
  for (; count > 0; --count, ++axis) {
    shape.push_back(a.shape()[axis]);
    strides.push_back(a.strides()[axis]);
  }
}

namespace {

Array view_of(IndexReader&& reader) {
  check_result_ndim(reader.shape.size());
  return reader.a.view(std::move(reader.shape), std::move(reader.strides), reader.offset);
}

}  // namespace

Array basic_index(const Array& a, Index index) {
  IndexReader reader(a);
  reader.read(index, [](const IndexItem&) {});
  return view_of(std::move(reader));
}

bool names_element(const Array& a, Index index) {
  if (index.size() != a.shape().size()) return false;
  for (const IndexItem& item : index) {
    if (item.kind != IndexItem::Kind::integer) return false;
  }
  return true;
}

std::int64_t element_offset(const Array& a, Index index) {
  SmallVector<std::int64_t, 8> integers;
  for (const IndexItem& item : index) integers.push_back(item.start);
  return element_offset(a, {integers.data(), integers.size()});
}

std::int64_t element_offset(const Array& a, std::span<const std::int64_t> index) {
  std::int64_t offset = a.offset();
  for (std::size_t d = 0; d < index.size(); ++d) {
    offset += check_index(index[d], a.shape()[d], static_cast<int>(d)) * a.strides()[d];
  }
  return offset;
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

void set_view(const Array& view, const Value& value) {
  if (!view.writeable()) throw_read_only();
  assign_value(nullptr, view, value);
}

void set_view(const Array& view, Array&& expression) { set_view(view, passing(expression)); }

Value passing(const Array& a) {
  Value value(a);
  value.set_temporary(!a.is_number() && a.storage()->use_count() == 1);
  return value;
}

namespace {

/// `a[index] op= x` stores the view that it has just written: nothing is left to do.
bool names_view(const IndexReader& reader, const Value& value) {
  if (!value.is_array() || value.array().is_number()) return false;
  const Array &a = reader.a, &view = value.array();
  return view.storage() == a.storage() && view.offset() == reader.offset && view.type() == a.type() &&
         view.shape() == reader.shape && view.strides() == reader.strides && a.writeable();
}

}  // namespace

void set_basic(const Array& a, Index index, const Value& value) {
  if (names_element(a, index)) return set_element(a, element_offset(a, index), value);
  IndexReader reader(a);
  reader.read(index, [](const IndexItem&) {});
  if (names_view(reader, value)) return;
  const Array view = view_of(std::move(reader));
  check_element(value, a.type());
  set_view(view, value);
}

void set_element(const Array& a, std::int64_t offset, const Value& value) {
  if (value.shape().size() > 0 && !(is_bool(a.type()) && value.array().size() == 1)) {
    if (is_complex(a.type())) throw TypeError("only 0-dimensional arrays can be converted to Python scalars");
    throw ValueError("setting an array element with a sequence.");
  }
  check_element(value, a.type());
  if (!a.writeable()) throw_read_only();
  const Input input = value.is_array() ? Input(value.array()) : Input(value.to_scalar(a.type()));
  if (!store_element(a, offset, input)) set_view(a.view(Dims(), Dims(), offset), value);
}

}  // namespace cuprum::ops
