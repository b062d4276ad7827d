#include "ops/support.h"

#include <limits>

#include "expr/overlap.h"

namespace cuprum::ops {

void check_shape(const char* function, const Dims& shape, dtype type) {
  std::int64_t bytes = static_cast<std::int64_t>(itemsize(type));
  bool overflow = false, negative = false;
  for (std::int64_t d : shape) {
    negative |= d < 0;
    if (d != 0)
      overflow |= __builtin_mul_overflow(bytes, d, &bytes);  // zeros do not excuse the others, as in NumPy
  }
  if (!negative && !overflow && shape.size() <= kMaxDims) return;
  const std::string prefix = std::string("cuprum.") + function + ": ";
  if (shape.size() > kMaxDims) {
    throw ValueError(prefix + "maximum supported dimension for an ndarray is currently " +
                     std::to_string(kMaxDims) + ", found " + std::to_string(shape.size()));
  }
  if (negative) {
    throw ValueError(prefix + "negative dimensions are not allowed, given shape " + to_string(shape));
  }
  throw ValueError(
      prefix +
      "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size, given "
      "shape " +
      to_string(shape) + " of " + name(type));
}

char settle_order(char order, const Array& a) {
  if (order == 'C' || order == 'F') return order;
  return a.f_contiguous() && !a.c_contiguous() ? 'F' : 'C';
}

Array from_integers(std::span<const std::int64_t> values, Backend& backend, std::size_t keep) {
  Array a = make_array(place_of_new(backend, values.size_bytes()), dtype::int64,
                       Dims{static_cast<std::int64_t>(values.size())});
  upload(a, values.data(), keep);
  return a;
}

std::vector<std::int64_t> to_integers(const Array& a) {
  if (std::vector<std::int64_t> known = known_integers(a); !known.empty()) return known;
  std::vector<std::int64_t> values(static_cast<std::size_t>(a.size()));
  if (!values.empty()) copy_to_host(record_cast(a, dtype::int64), values.data());
  return values;
}

std::int64_t to_integer(const Array& a) {
  if (const std::vector<std::int64_t> known = known_integers(a); !known.empty()) return known[0];
  std::int64_t value = 0;
  copy_to_host(record_cast(a, dtype::int64), &value);
  return value;
}

bool to_truth(const Array& a) {
  unsigned char value = 0;
  copy_to_host(record_cast(a, dtype::bool_), &value);
  return value != 0;
}

Array detached(const Array& value, const Array& target) {
  return share_memory(value, target) ? record_copy(value, value.type()) : value;
}

namespace {

Dims with_last(const Dims& dims, int axis) {
  Dims moved;
  for (int d = 0; d < static_cast<int>(dims.size()); ++d) {
    if (d != axis) moved.push_back(dims[d]);
  }
  moved.push_back(dims[axis]);
  return moved;
}

}  // namespace

Array record_along(Primitive&& primitive, const Array& a, int axis, dtype type, const Dims& shape,
                   const Dims& strides, const Array* more) {
  const std::size_t count = more ? 2 : 1;
  if (axis == a.ndim() - 1) {
    const Array* const in[] = {&a, more};
    return record_call(a.backend(), std::move(primitive), {in, count}, type, shape, strides);
  }
  const Array along = a.view(with_last(a.shape(), axis), with_last(a.strides(), axis));
  const Array* const in[] = {&along, more};
  const Array moved = record_call(a.backend(), std::move(primitive), {in, count}, type,
                                  with_last(shape, axis), with_last(strides, axis));
  return moved.view(shape, strides);
}

void settle_on_host(std::span<const Array> results) {
  if (!results[0].backend().asynchronous || debugging()) evaluate(results, Reason::not_fusable);
}

Array record_dense(Primitive&& primitive, std::initializer_list<const Array*> in, dtype type,
                   const Dims& shape) {
  return record_call((*in.begin())->backend(), std::move(primitive), in, type, shape,
                     contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type))));
}

namespace {

const Dims& shape_of(const Input& input) {
  static const Dims scalar = {};
  return input.array ? input.array->shape() : scalar;
}

}  // namespace

Array apply(Op op, dtype key, const Input& a) {
  return record(op, *find_signature(op, key), {&a, 1}, shape_of(a));
}

Array apply(Op op, dtype key, const Input& a, const Input& b) {
  const Dims shapes[] = {shape_of(a), shape_of(b)};
  const Input inputs[] = {a, b};
  return record(op, *find_signature(op, key), inputs, broadcast_shapes(info(op).name, shapes, 2));
}

Array choose_by(const Array& condition, const Input& x, const Input& y, dtype type) {
  const Dims shapes[] = {condition.shape(), shape_of(x), shape_of(y)};
  const Input inputs[] = {condition, x, y};
  return record(Op::where, *find_signature(Op::where, type), inputs, broadcast_shapes("where", shapes, 3));
}

}  // namespace cuprum::ops
