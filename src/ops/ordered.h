// What medians and quantiles know of sorted slices.
#pragma once

#include "ops/formula.h"
#include "ops/reduce.h"
#include "ops/sort.h"

namespace cuprum::ops {

/// Elements along the axis from which on a GPU finds a few of them faster than it sorts.
inline constexpr std::int64_t kRowOfSelection = 512;
/// Elements along the axis from which on a few of them are found faster than all are sorted.
inline constexpr std::int64_t kLongRow = 1 << 15;

/// Sorted along the last axis, with NaN last.
inline Array sorted_last(const Array& a, bool overwrite) {
  if (!overwrite) return sort(a, -1);
  sort_inplace(a, -1);
  return a;
}

/// How many elements along the last axis are not NaN.
inline Array count_numbers(const Array& a, bool keepdims) {
  ReduceArgs args;
  args.axes = Dims{-1};
  args.keepdims = keepdims;
  return sum(formula::logical_not(formula::isnan(a)), args);
}

/// How many numbers one long vector has: the host looks among them as if there were nothing else, for NaN come last. 0 where
/// there are several slices, or no number.
inline std::int64_t one_count(const Array& count, const Array& a) {
  return a.ndim() == 1 && a.size() >= kLongRow ? to_integer(count) : 0;
}

}  // namespace cuprum::ops
