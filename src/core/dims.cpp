#include "core/dims.h"

#include "cuprum/error.h"

namespace cuprum {

std::int64_t element_count(const Dims& shape) {
  std::int64_t n = 1;
  bool overflow = false;
  for (std::int64_t d : shape) {
    if (d == 0) return 0;
    overflow |= __builtin_mul_overflow(n, d, &n);
  }
  if (overflow) {
    throw ValueError("array is too big; the number of elements of shape " + to_string(shape) +
                     " does not fit 63 bits");
  }
  return n;
}

Dims contiguous_strides(const Dims& shape, std::int64_t itemsize) {
  Dims strides(shape.size());
  std::int64_t step = itemsize;
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    if (shape[i] > 1) step *= shape[i];
  }
  return strides;
}

Dims fortran_strides(const Dims& shape, std::int64_t itemsize) {
  Dims strides(shape.size());
  std::int64_t step = itemsize;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    strides[i] = step;
    if (shape[i] > 1) step *= shape[i];
  }
  return strides;
}

bool is_c_contiguous(const Dims& shape, const Dims& strides, std::int64_t itemsize) {
  std::int64_t step = itemsize;
  bool contiguous = true;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return true;
    if (shape[i] == 1) continue;
    contiguous &= strides[i] == step;
    step *= shape[i];
  }
  return contiguous;
}

bool is_f_contiguous(const Dims& shape, const Dims& strides, std::int64_t itemsize) {
  std::int64_t step = itemsize;
  bool contiguous = true;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return true;
    if (shape[i] == 1) continue;
    contiguous &= strides[i] == step;
    step *= shape[i];
  }
  return contiguous;
}

std::string to_string(const Dims& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

std::string shape_text(const Dims& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (i != 0) text += ',';
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool broadcasts_to(const Dims& from, const Dims& to) {
  if (from.size() > to.size()) return false;
  const std::size_t lead = to.size() - from.size();
  for (std::size_t d = 0; d < from.size(); ++d) {
    if (from[d] != 1 && from[d] != to[lead + d]) return false;
  }
  return true;
}

Dims broadcast_shapes(const char* function, const Dims* shapes, int n) {
  std::size_t ndim = 0;
  for (int k = 0; k < n; ++k) ndim = shapes[k].size() > ndim ? shapes[k].size() : ndim;
  Dims result(ndim, 1);
  for (int k = 0; k < n; ++k) {
    const std::size_t lead = ndim - shapes[k].size();
    for (std::size_t i = 0; i < shapes[k].size(); ++i) {
      const std::int64_t d = shapes[k][i];
      if (d == 1 || d == result[lead + i]) continue;
      if (result[lead + i] != 1) {
        std::string text =
            std::string("cuprum.") + function + ": operands could not be broadcast together with shapes";
        for (int j = 0; j < n; ++j) text += " " + shape_text(shapes[j]);
        throw ValueError(text);
      }
      result[lead + i] = d;
    }
  }
  return result;
}

int normalize_axis(const char* function, std::int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) {
    throw AxisError(std::string("cuprum.") + function + ": axis " + std::to_string(axis) +
                    " is out of bounds for array of dimension " + std::to_string(ndim));
  }
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

}  // namespace cuprum
