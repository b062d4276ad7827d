#include "ops/join.h"

#include <string>
#include <vector>

#include "core/promotion.h"
#include "expr/engine.h"
#include "expr/layout.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// The common shape, with the lengths along `axis` added up. All messages are NumPy's.
Dims joined_shape(std::span<const Array> arrays, int axis) {
  Dims shape = arrays[0].shape();
  for (std::size_t k = 1; k < arrays.size(); ++k) {
    const Dims& other = arrays[k].shape();
    if (other.size() != shape.size()) {
      throw ValueError(
          "cuprum.concatenate: all the input arrays must have same number of dimensions, but the array at "
          "index 0 has " +
          std::to_string(shape.size()) + " dimension(s) and the array at index " + std::to_string(k) +
          " has " + std::to_string(other.size()) + " dimension(s)");
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (static_cast<int>(d) == axis || other[d] == shape[d]) continue;
      throw ValueError(
          "cuprum.concatenate: all the input array dimensions except for the concatenation axis must match "
          "exactly, but along dimension " +
          std::to_string(d) + ", the array at index 0 has size " + std::to_string(shape[d]) +
          " and the array at index " + std::to_string(k) + " has size " + std::to_string(other[d]));
    }
    if (__builtin_add_overflow(shape[axis], other[axis], &shape[axis])) shape[axis] = -1;
  }
  return shape;
}

dtype joined_type(std::span<const Array> arrays, const Array* out, std::optional<dtype> type,
                  const char* casting) {
  const Casting rule = parse_casting(casting);
  if (out && type) {
    throw TypeError(
        "cuprum.concatenate: concatenate() only takes `out` or `dtype` as an argument, but both were "
        "provided.");
  }
  std::vector<OperandType>
      operands;  // all at once: in pairs, int8 and uint8 before float16 would give float32
  for (const Array& a : arrays) operands.push_back({a.type()});
  const dtype common = result_type(operands);
  const dtype to = out ? out->type() : type.value_or(common);
  for (const Array& a : arrays) {
    if (can_cast(a.type(), to, rule)) continue;
    throw TypeError(std::string("cuprum.concatenate: Cannot cast array data from dtype('") + name(a.type()) +
                    "') to dtype('" + name(to) + "') according to the rule '" + name(rule) + "'");
  }
  return to;
}

Array new_result(std::span<const Array> arrays, dtype type, const Dims& shape) {
  std::vector<const Dims*> strides;
  for (const Array& a : arrays) strides.push_back(&a.strides());
  const Dims layout = result_strides(shape, strides, static_cast<std::int64_t>(itemsize(type)), 'K');
  return make_array(arrays[0].backend(), type, shape, layout);
}

}  // namespace

Array concatenate(std::span<const Array> arrays, std::optional<std::int64_t> axis, const Array* out,
                  std::optional<dtype> type, const char* casting) {
  if (arrays.empty()) throw ValueError("cuprum.concatenate: need at least one array to concatenate");
  if (!axis) {
    std::vector<Array> flat;
    for (const Array& a : arrays) flat.push_back(ravel(a));
    return concatenate(flat, 0, out, type, casting);
  }
  if (arrays[0].ndim() == 0) {
    throw ValueError(
        "cuprum.concatenate: zero-dimensional arrays cannot be concatenated; write axis=None or stack()");
  }
  const int d = normalize_axis("concatenate", *axis, arrays[0].ndim());
  const Dims shape = joined_shape(arrays, d);
  const dtype to = joined_type(arrays, out, type, casting);
  check_shape("concatenate", shape, to);
  if (out && !(out->shape() == shape)) {
    throw ValueError("cuprum.concatenate: Output array is the wrong shape: given " + to_string(out->shape()) +
                     ", the result has " + to_string(shape));
  }
  const Array result = out ? *out : new_result(arrays, to, shape);
  std::vector<Array> sources(arrays.begin(), arrays.end());
  if (out) {
    for (Array& a : sources) a = detached(a, *out);
  }
  std::int64_t offset = result.offset();
  for (const Array& a : sources) {
    if (a.size() != 0) assign(result.view(a.shape(), result.strides(), offset), Input(a));
    offset += a.shape()[d] * result.strides()[d];
  }
  return result;
}

Array stack(std::span<const Array> arrays, std::int64_t axis, const Array* out, std::optional<dtype> type,
            const char* casting) {
  if (arrays.empty()) throw ValueError("cuprum.stack: need at least one array to stack");
  for (const Array& a : arrays) {
    if (!(a.shape() == arrays[0].shape())) {
      throw ValueError("cuprum.stack: all input arrays must have the same shape, given " +
                       to_string(arrays[0].shape()) + " and " + to_string(a.shape()));
    }
  }
  const int d = normalize_axis("stack", axis, arrays[0].ndim() + 1);
  std::vector<Array> expanded;
  for (const Array& a : arrays) expanded.push_back(expand_dims(a, Dims{d}));
  return concatenate(expanded, d, out, type, casting);
}

}  // namespace cuprum::ops
