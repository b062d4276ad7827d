// The order of axes in memory: NumPy's K order for results, and the order in which kernels loop.
#pragma once

#include <span>

#include "core/dims.h"

namespace cuprum {

/// Axes from slowest to fastest, as NumPy's iterator would order them for these operands: by descending stride,
/// ambiguous pairs and conflicts between operands in C order. Axes of size 1 and broadcast axes do not vote.
SmallVector<std::uint8_t, 8> axis_order(const Dims& shape, std::span<const Dims* const> operand_strides);

/// Strides of a dense array of this shape whose axes lie in memory in the given order.
Dims dense_strides(const Dims& shape, const SmallVector<std::uint8_t, 8>& order, std::int64_t itemsize);

/// The layout of a new result ('K', 'C', 'F', 'A').
Dims result_strides(const Dims& shape, std::span<const Dims* const> operand_strides, std::int64_t itemsize,
                    char order);

/// The layout of a copy that keeps the order of `strides` (copy, astype, empty_like): axes by descending stride, the
/// broadcast ones innermost, as NumPy orders them.
Dims copy_strides(const Dims& shape, const Dims& strides, std::int64_t itemsize);

/// Strides of a view of shape `from` seen with the broadcast shape `to`.
Dims broadcast_strides(const Dims& from, const Dims& strides, const Dims& to);

}  // namespace cuprum
