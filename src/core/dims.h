// Shapes and strides. Strides are in bytes, as in NumPy, and may be negative or zero.
#pragma once

#include <cstdint>
#include <string>

#include "core/small_vector.h"

namespace cuprum {

inline constexpr int kMaxDims = 64;

using Dims = SmallVector<std::int64_t, 4>;

/// Number of elements. Throws ValueError when it does not fit 63 bits.
std::int64_t element_count(const Dims& shape);

/// Strides of a C-contiguous array of this shape.
Dims contiguous_strides(const Dims& shape, std::int64_t itemsize);
Dims fortran_strides(const Dims& shape, std::int64_t itemsize);

/// NumPy's flags: dimensions of size 1 do not matter, an empty array is both.
bool is_c_contiguous(const Dims& shape, const Dims& strides, std::int64_t itemsize);
bool is_f_contiguous(const Dims& shape, const Dims& strides, std::int64_t itemsize);

/// "(2, 3)", "(4,)", "()": as Python prints a tuple.
std::string to_string(const Dims& shape);
/// "(2,3)", "(4,)", "()": without blanks, as NumPy writes shapes in most messages.
std::string shape_text(const Dims& shape);

/// Can an array of shape `from` be repeated along dimensions of size 1, and new leading ones, to have shape `to`?
bool broadcasts_to(const Dims& from, const Dims& to);

/// The common shape; throws ValueError with NumPy's text, prefixed by `function`.
Dims broadcast_shapes(const char* function, const Dims* shapes, int n);

/// `axis` in [-ndim, ndim) made non-negative; throws AxisError otherwise.
int normalize_axis(const char* function, std::int64_t axis, int ndim);

}  // namespace cuprum
