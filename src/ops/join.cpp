#include "ops/join.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/layout.h"
#include "core/promotion.h"
#include "expr/engine.h"
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
  static_cast<void>(OnePlace(arrays, bytes_of(shape, type)));
  std::vector<const Dims*> strides;
  for (const Array& a : arrays) strides.push_back(&a.strides());
  const Dims layout = result_strides(shape, strides, static_cast<std::int64_t>(itemsize(type)), 'K');
  return make_array(arrays[0].backend(), type, shape, layout);
}

// -- Writing. Parts that lie side by side in pieces shorter than a line of the cache (64 bytes) are written by one kernel,
// so that every line is written once and whole: stack of two vectors of 2^26 float32 along axis 1 on an H200 took
// 1.08 ms by one kernel per vector.

constexpr std::int64_t kLine = 64;
constexpr std::size_t kParts = 16;  // that one kernel writes

struct Parts {
  std::vector<Array> targets, values;
};

Array without_axis(const Array& a, int axis, std::int64_t at) {
  Dims shape = a.shape(), strides = a.strides();
  const std::int64_t offset = a.offset() + at * strides[axis];
  shape.erase(static_cast<std::size_t>(axis));
  strides.erase(static_cast<std::size_t>(axis));
  return a.view(shape, strides, offset);
}

// The places of the sources in the result: as they are (without the axis where they have none), or slice by slice.
Parts parts_of(const Array& result, std::span<const Array> sources, int axis, bool slices) {
  Parts parts;
  std::int64_t at = 0;
  for (const Array& source : sources) {
    const bool stacked = source.ndim() < result.ndim();
    const std::int64_t length = stacked ? 1 : source.shape()[axis];
    if (source.size() != 0) {
      for (std::int64_t i = 0; slices && i < length; ++i) {
        parts.targets.push_back(without_axis(result, axis, at + i));
        parts.values.push_back(stacked ? source : without_axis(source, axis, i));
      }
      if (!slices) {
        parts.targets.push_back(stacked ? without_axis(result, axis, at)
                                        : result.view(source.shape(), result.strides(),
                                                      result.offset() + at * result.strides()[axis]));
        parts.values.push_back(source);
      }
    }
    at += length;
  }
  return parts;
}

void write_joined(const Array& result, std::span<const Array> sources, int axis, bool is_new) {
  const std::int64_t step = std::abs(result.strides()[axis]);
  bool equal = true, short_pieces = false;
  for (const Array& source : sources) {
    equal = equal && source.shape() == sources[0].shape();
    short_pieces |= step * (source.ndim() < result.ndim() ? 1 : source.shape()[axis]) < kLine;
  }
  const bool together = is_new && short_pieces && result.shape()[axis] > 1;
  const bool slices = together && step == static_cast<std::int64_t>(result.itemsize()) &&
                      result.shape()[axis] <= static_cast<std::int64_t>(kParts);
  const Parts parts = parts_of(result, sources, axis, slices);
  const std::size_t count = parts.targets.size();
  for (std::size_t k = 0; k < count; k += kParts) {
    const std::size_t n = std::min(kParts, count - k);
    if (slices || (together && equal)) {
      assign_parts({&parts.targets[k], n}, {&parts.values[k], n});
      continue;
    }
    for (std::size_t i = k; i < k + n; ++i) assign(parts.targets[i], Input(parts.values[i]));
  }
}

/// Joins `arrays`; those `given` are the same, or the same without the axis.
Array join(std::span<const Array> arrays, std::span<const Array> given, int axis, const Array* out,
           std::optional<dtype> type, const char* casting) {
  const Dims shape = joined_shape(arrays, axis);
  const dtype to = joined_type(arrays, out, type, casting);
  check_shape("concatenate", shape, to);
  if (out && !(out->shape() == shape)) {
    throw ValueError("cuprum.concatenate: Output array is the wrong shape: given " + to_string(out->shape()) +
                     ", the result has " + to_string(shape));
  }
  const Array result = out ? *out : new_result(arrays, to, shape);
  std::vector<Array> sources(given.begin(), given.end());
  if (out) {
    for (Array& a : sources) a = detached(a, *out);
  }
  write_joined(result, sources, axis, out == nullptr);
  return result;
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
  return join(arrays, arrays, d, out, type, casting);
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
  return join(expanded, arrays, d, out, type, casting);
}

namespace {

std::vector<Array> at_least(std::span<const Array> arrays, int ndim) {
  std::vector<Array> result;
  for (const Array& a : arrays) result.push_back(atleast(a, ndim));
  return result;
}

}  // namespace

Array vstack(std::span<const Array> arrays, const JoinArgs& args) {
  return concatenate(at_least(arrays, 2), 0, nullptr, args.type, args.casting);
}

Array hstack(std::span<const Array> arrays, const JoinArgs& args) {
  const std::vector<Array> parts = at_least(arrays, 1);
  const std::int64_t axis = !parts.empty() && parts[0].ndim() == 1 ? 0 : 1;
  return concatenate(parts, axis, nullptr, args.type, args.casting);
}

Array dstack(std::span<const Array> arrays) { return concatenate(at_least(arrays, 3), 2); }

Array column_stack(std::span<const Array> arrays) {
  std::vector<Array> columns;
  for (const Array& a : arrays) columns.push_back(a.ndim() < 2 ? reshape(a, Dims{-1, 1}) : a);
  return concatenate(columns, 1);
}

}  // namespace cuprum::ops
