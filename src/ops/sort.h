// Sorting: always stable, NaN last, so every `kind` is satisfied; a full argsort stands for an argpartition.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "expr/array.h"

namespace cuprum::ops {

/// `axis` unset: of the flattened array. Descending: stable too, and NaN last as well.
Array sort(const Array& a, std::optional<std::int64_t> axis = -1, bool descending = false);
Array argsort(const Array& a, std::optional<std::int64_t> axis = -1, bool descending = false);
/// In place (ndarray.sort).
void sort_inplace(const Array& a, std::int64_t axis = -1, bool descending = false);

/// `kth` is checked against the length of the axis.
Array partition(const Array& a, const Dims& kth, std::optional<std::int64_t> axis = -1);
Array argpartition(const Array& a, const Dims& kth, std::optional<std::int64_t> axis = -1);
void partition_inplace(const Array& a, const Dims& kth, std::int64_t axis = -1);

/// The elements along the last axis that sorting would put at `kth` (ascending, in bounds), or nothing where the device
/// finds them no faster than by a partition.
std::optional<Array> order_statistics(const Array& a, const Dims& kth);

/// Indices that sort by the last key, then by the one before it, and so on.
Array lexsort(std::span<const Array> keys, std::int64_t axis = -1);

/// Positions at which `values` would be inserted into sorted 1-d `a`; `sorter` sorts `a`. int64.
Array searchsorted(const Array& a, const Array& values, bool right = false, const Array* sorter = nullptr);

/// Whether each of `values` equals an element of sorted 1-d `row`, which has the same dtype. bool.
Array is_among(const Array& row, const Array& values);
/// How many of `values` lie between neighbours of sorted 1-d `edges`; the last interval is closed. int64.
Array count_between(const Array& edges, const Array& values);

/// Sorted distinct elements of the flattened array, with what np.unique can return beside them.
struct Unique {
  Array values;
  Array index;    // of the first occurrence
  Array inverse;  // 1-d
  Array counts;
};
struct UniqueArgs {
  bool index = false;
  bool inverse = false;
  bool counts = false;
  bool equal_nan = true;
};
Unique unique(const Array& a, const UniqueArgs& args = {});

}  // namespace cuprum::ops
