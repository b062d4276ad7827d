// Rearranging arrays. Everything that NumPy gives as a view is a view of the same storage here; the rest is a
// recorded copy or one gather.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/array.h"

namespace cuprum::ops {

// -- Views ----------------------------------------------------------------------------------------------

/// `shape` may have one -1. `order` is 'C', 'F' or 'A'. `copy` unset: a view where possible, else a copy; false: a
/// view or ValueError; true: always a copy.
Array reshape(const Array& a, const Dims& shape, char order = 'C', std::optional<bool> copy = std::nullopt);
/// 1-d, a view where possible. `order` is 'C', 'F', 'A' or 'K'.
Array ravel(const Array& a, char order = 'C');
/// 1-d, always a copy.
Array flatten(const Array& a, char order = 'C');
Array transpose(const Array& a);  // reversed dimensions
Array transpose(const Array& a, const Dims& axes);
Array matrix_transpose(const Array& a);
Array swapaxes(const Array& a, std::int64_t axis1, std::int64_t axis2);
Array moveaxis(const Array& a, const Dims& source, const Dims& destination);
Array squeeze(const Array& a, const std::optional<Dims>& axes = std::nullopt);
Array expand_dims(const Array& a, const Dims& axes);
/// Read-only.
Array broadcast_to(const Array& a, const Dims& shape);
std::vector<Array> broadcast_arrays(std::span<const Array> arrays);
Array flip(const Array& a, const std::optional<Dims>& axes = std::nullopt);
/// Read-only, as NumPy's.
Array diagonal(const Array& a, std::int64_t offset = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1);
/// The memory of `a` from its first element on, seen with any shape and strides (bytes); elements may overlap.
/// Throws ValueError where a view would leave the memory.
Array as_strided(const Array& a, const Dims& shape, const Dims& strides);
/// The same bytes as another dtype (ndarray.view).
Array view_as(const Array& a, dtype type);
/// Views of a complex array; of a real one, itself and read-only zeros.
Array real(const Array& a);
Array imag(const Array& a);
Array atleast(const Array& a, int ndim);  // np.atleast_1d, 2d, 3d
/// Views at the given positions of the axis.
std::vector<Array> split(const Array& a, const Dims& positions, std::int64_t axis = 0);
/// Views of `sections` parts; they differ in length by at most one (np.array_split).
std::vector<Array> array_split(const Array& a, std::int64_t sections, std::int64_t axis = 0);

// -- Copies ---------------------------------------------------------------------------------------------

Array roll(const Array& a, const Dims& shifts, const std::optional<Dims>& axes = std::nullopt);
/// One count for all elements, or one per element of the axis (of the flattened array without axis).
/// `counts`: how often each element is repeated along the axis, one number for each of them or one for all.
Array repeat_by(const Array& a, const Array& counts, const std::optional<std::int64_t>& axis);
Array repeat(const Array& a, const Dims& repeats, const std::optional<std::int64_t>& axis = std::nullopt);
Array tile(const Array& a, const Dims& reps);
/// np.resize: repeats the elements in C order as often as needed.
Array resize(const Array& a, const Dims& shape);

// -- For other families ---------------------------------------------------------------------------------

/// Resolves one -1 in `shape` for `size` elements; throws ValueError with NumPy's text.
Dims resolve_shape(std::int64_t size, const Dims& shape);
/// Strides of `a` seen with another shape of the same size without a copy; empty when there are none.
std::optional<Dims> reshaped_strides(const Dims& shape, const Dims& strides, const Dims& to,
                                     std::int64_t itemsize, bool fortran);
/// Normalises axes and rejects repeated ones ("repeated axis").
Dims normalize_axes(const char* function, const Dims& axes, int ndim);
/// The view of `count` elements of an axis from `start` on, all of them in bounds.
Array part(const Array& a, int axis, std::int64_t start, std::int64_t count);
/// `axis` moved to the end.
Array move_last(const Array& a, int axis);

}  // namespace cuprum::ops
