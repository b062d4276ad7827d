// Exact memory overlap of strided views.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/array.h"

namespace cuprum {

/// Bytes [low, high) that a view can touch, relative to its storage; low == high when it is empty.
struct Extent {
  std::int64_t low, high;
};
Extent extent(dtype type, const Dims& shape, const Dims& strides, std::int64_t offset);
/// The same, from offset 0, for a shape and strides that nobody has checked: nullopt where a size is negative, or where the number of
/// elements, their bytes or a bound do not fit 63 bits, or the bytes no address space.
std::optional<Extent> checked_extent(dtype type, const Dims& shape, const Dims& strides);
/// The same, for memory that somebody has given to `function`, which throws ValueError for what cannot be.
Extent foreign_extent(dtype type, const Dims& shape, const Dims& strides, const char* function);

enum class Overlap { no, yes, too_hard };

/// Can a write to one change what the other names? Storages that somebody outside has lent us are told apart by address.
bool share_memory(const Array& a, const Array& b);

/// Do two views have a byte in common? Exact up to `max_work` steps of search (-1: unbounded);
/// 0 compares extents only.
Overlap memory_overlap(const Array& a, const Array& b, std::int64_t max_work);

/// Can two different indices of the view name the same byte (broadcast views, as_strided)?
Overlap internal_overlap(const Array& a, std::int64_t max_work);

}  // namespace cuprum
