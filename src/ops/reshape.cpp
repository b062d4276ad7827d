// Seeing the elements of an array in another shape: as a view wherever strides can say it, else as a copy.
#include "core/layout.h"
#include "expr/engine.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// NumPy writes the unknown dimension as `newaxis`, and leaves it out in front.
std::string wanted_text(const Dims& shape) {
  std::string text = "(";
  std::size_t first = 0;
  while (first < shape.size() && shape[first] < 0) ++first;
  for (std::size_t i = first; i < shape.size(); ++i) {
    if (i != first) text += ',';
    text += shape[i] < 0 ? "newaxis" : std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 && first == 0 ? ",)" : ")");
}

[[noreturn]] void throw_cannot_reshape(std::int64_t size, const Dims& shape) {
  throw ValueError("cuprum.reshape: cannot reshape array of size " + std::to_string(size) + " into shape " +
                   wanted_text(shape) + "; the sizes must multiply to " + std::to_string(size) +
                   ", or let one of them be -1");
}

Dims reversed(const Dims& dims) {
  Dims r(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i) r[i] = dims[dims.size() - 1 - i];
  return r;
}

/// The C order case of reshaped_strides: old and new dimensions are matched in groups of equal product, from the
/// first; the old ones of a group must lie in memory as one dimension, which the new ones divide.
std::optional<Dims> split_and_merge(const Dims& shape, const Dims& strides, const Dims& to,
                                    std::int64_t itemsize) {
  Dims old_shape, old_strides;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    old_shape.push_back(shape[d]);
    old_strides.push_back(strides[d]);
  }
  Dims result(to.size(), itemsize);
  std::size_t i = 0, j = 0;
  while (i < old_shape.size() && j < to.size()) {
    std::size_t i_end = i + 1, j_end = j + 1;
    std::int64_t old_count = old_shape[i], new_count = to[j];
    while (old_count != new_count) {
      if (new_count < old_count) {
        new_count *= to[j_end++];
      } else {
        old_count *= old_shape[i_end++];
      }
    }
    for (std::size_t k = i; k + 1 < i_end; ++k) {
      if (old_strides[k] != old_strides[k + 1] * old_shape[k + 1]) return std::nullopt;
    }
    result[j_end - 1] = old_strides[i_end - 1];
    for (std::size_t k = j_end - 1; k > j; --k) result[k - 1] = result[k] * to[k];
    i = i_end;
    j = j_end;
  }
  if (j > 0) {  // what is left has size 1
    for (; j < to.size(); ++j) result[j] = result[j - 1];
  }
  return result;
}

/// Axes from the slowest in memory, as NumPy's K order sorts them; those of stride 0 stay in C order.
Dims axes_in_memory(const Array& a) {
  const Dims* strides[] = {&a.strides()};
  const auto order = axis_order(a.shape(), strides);
  return Dims(order.begin(), order.end());
}

/// 'A' and 'K' made 'C' or 'F' for reshape and ravel.
bool wants_fortran(const char* function, const Array& a, char order) {
  if (order == 'F') return true;
  if (order == 'C') return false;
  if (order == 'A') return a.f_contiguous() && !a.c_contiguous();
  throw ValueError(std::string("cuprum.") + function + ": order must be one of 'C', 'F' or 'A' (got '" +
                   order + "')");
}

}  // namespace

Dims resolve_shape(std::int64_t size, const Dims& shape) {
  Dims result = shape;
  std::int64_t known = 1;
  int unknown = -1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] >= 0) {
      if (__builtin_mul_overflow(known, shape[d], &known)) throw_cannot_reshape(size, shape);
    } else if (unknown >= 0) {
      throw ValueError("cuprum.reshape: can only specify one unknown dimension, given shape " +
                       to_string(shape));
    } else {
      unknown = static_cast<int>(d);
    }
  }
  if (unknown >= 0) {
    if (known == 0 || size % known != 0) throw_cannot_reshape(size, shape);
    result[unknown] = size / known;
  } else if (known != size) {
    throw_cannot_reshape(size, shape);
  }
  if (shape.size() > kMaxDims) check_shape("reshape", result, dtype::bool_);
  return result;
}

std::optional<Dims> reshaped_strides(const Dims& shape, const Dims& strides, const Dims& to,
                                     std::int64_t itemsize, bool fortran) {
  for (std::int64_t d : to) {
    if (d == 0) return fortran ? fortran_strides(to, itemsize) : contiguous_strides(to, itemsize);
  }
  if (!fortran) return split_and_merge(shape, strides, to, itemsize);
  std::optional<Dims> r = split_and_merge(reversed(shape), reversed(strides), reversed(to), itemsize);
  if (r) *r = reversed(*r);
  return r;
}

Array reshape(const Array& a, const Dims& shape, char order, std::optional<bool> copy) {
  if (order == 'K')
    throw ValueError("cuprum.reshape: order 'K' is not permitted for reshaping; use 'C', 'F' or 'A'");
  const bool fortran = wants_fortran("reshape", a, order);
  const auto item = static_cast<std::int64_t>(a.itemsize());
  Dims to = resolve_shape(a.size(), shape);
  if (!copy.value_or(false)) {
    if (std::optional<Dims> strides = reshaped_strides(a.shape(), a.strides(), to, item, fortran)) {
      return a.view(std::move(to), std::move(*strides));
    }
    if (copy.has_value()) {
      throw ValueError("cuprum.reshape: Unable to avoid creating a copy while reshaping an array of shape " +
                       to_string(a.shape()) + " and strides " + to_string(a.strides()) + " to " +
                       to_string(to) + "; leave out copy=False");
    }
  }
  const Array fresh = record_copy(a, a.type(), fortran ? 'F' : 'C');
  Dims strides = fortran ? fortran_strides(to, item) : contiguous_strides(to, item);
  return fresh.view(std::move(to), std::move(strides));
}

Array ravel(const Array& a, char order) {
  if (order == 'K') {
    return ravel(transpose(a, axes_in_memory(a)));
  }
  const bool fortran = wants_fortran("ravel", a, order);
  // Only a contiguous array has a flat view; a strided vector is copied too, as NumPy does.
  if (!(fortran ? a.f_contiguous() : a.c_contiguous())) return flatten(a, fortran ? 'F' : 'C');
  return a.view(Dims{a.size()}, Dims{static_cast<std::int64_t>(a.itemsize())});
}

Array flatten(const Array& a, char order) {
  if (order == 'K') return flatten(transpose(a, axes_in_memory(a)));
  const char settled = wants_fortran("flatten", a, order) ? 'F' : 'C';
  const Array fresh = record_copy(a, a.type(), settled);
  if (fresh.ndim() == 1) return fresh;
  return fresh.view(Dims{a.size()}, Dims{static_cast<std::int64_t>(a.itemsize())});
}

Array view_as(const Array& a, dtype type) {
  const auto from = static_cast<std::int64_t>(a.itemsize()), to = static_cast<std::int64_t>(itemsize(type));
  Dims shape = a.shape(), strides = a.strides();
  if (from != to) {
    if (a.ndim() == 0) {
      throw ValueError(
          "cuprum.ndarray.view: Changing the dtype of a 0d array is only supported if the itemsize is "
          "unchanged; reshape it to (1,) first");
    }
    if (shape.back() != 1 && a.size() != 0 && strides.back() != from) {
      throw ValueError(
          "cuprum.ndarray.view: To change to a dtype of a different size, the last axis must be "
          "contiguous; write a.copy().view(...)");
    }
    const std::int64_t bytes = shape.back() * from;
    if (bytes % to != 0) {
      throw ValueError(
          "cuprum.ndarray.view: When changing to a larger dtype, its size must be a divisor of the total "
          "size in bytes of the last axis of the array: " +
          std::to_string(bytes) + " bytes, " + name(type) + " has " + std::to_string(to));
    }
    shape.back() = bytes / to;
    strides.back() = to;
  }
  // Kernels load whole elements: what is not aligned to them cannot be a view.
  const auto alignment = static_cast<std::int64_t>(itemsize(real_type(type)));
  bool aligned = a.offset() % alignment == 0;
  for (std::size_t d = 0; d < shape.size(); ++d) aligned &= shape[d] <= 1 || strides[d] % alignment == 0;
  if (!aligned && a.size() != 0) {
    throw ValueError(std::string("cuprum.ndarray.view: the bytes of this view are not aligned for ") +
                     name(type) + "; write a.copy().view(...)");
  }
  return a.view(type, std::move(shape), std::move(strides), a.offset());
}

}  // namespace cuprum::ops
