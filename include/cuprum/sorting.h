// Sorting, searching, cumulative operations.
#pragma once

#include "cuprum/array.h"

namespace cuprum {

/// Sorted along an axis: stable, NaN last.
array sort(const array& a, std::int64_t axis = -1);
/// Indices (int64) that sort along an axis.
array argsort(const array& a, std::int64_t axis = -1);
/// Positions (int64) at which `values` would be inserted into sorted 1-d `a`.
array searchsorted(const array& a, const array& values, bool right = false);
/// Coordinates of the elements that are not zero, one array per dimension.
std::vector<array> nonzero(const array& a);
/// Elements at the given positions of an axis.
array take(const array& a, const array& indices, std::int64_t axis);
/// Cumulative sum along an axis.
array cumsum(const array& a, std::int64_t axis);
/// Cumulative product along an axis.
array cumprod(const array& a, std::int64_t axis);

}  // namespace cuprum
