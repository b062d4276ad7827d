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
/// How often each of 0, 1, 2, ... occurs in a 1-d array of integers; of at least `minlength` of them.
array bincount(const array& x, std::int64_t minlength = 0);
/// The sum of the weights of each.
array bincount(const array& x, const array& weights, std::int64_t minlength = 0);
/// The values at `x` of the lines through the points (xp, fp), 1-d, `xp` rising; beyond them the first and the last of `fp`.
array interp(const array& x, const array& xp, const array& fp);
/// Coordinates of the elements that are not zero, one array per dimension.
std::vector<array> nonzero(const array& a);
/// Elements at the given positions of an axis.
array take(const array& a, const array& indices, std::int64_t axis);
/// Cumulative sum along an axis.
array cumsum(const array& a, std::int64_t axis);
/// Cumulative product along an axis.
array cumprod(const array& a, std::int64_t axis);

}  // namespace cuprum
