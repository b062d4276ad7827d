// Sorting, searching, choosing elements.
#pragma once

#include "cuprum/options.h"

namespace cuprum {

/// Sorted along an axis: stable, NaN last.
array sort(const array& a, std::int64_t axis = -1);
/// Indices (int64) that sort along an axis.
array argsort(const array& a, std::int64_t axis = -1);
/// With the kth element of the axis where sorting would put it, smaller ones before it.
array partition(const array& a, const std::vector<std::int64_t>& kth, std::int64_t axis = -1);
/// Indices (int64) that partition along an axis.
array argpartition(const array& a, const std::vector<std::int64_t>& kth, std::int64_t axis = -1);
/// Indices that sort by several keys, the last one first.
array lexsort(const std::vector<array>& keys, std::int64_t axis = -1);
/// The distinct elements, sorted, with what was asked for beside them.
struct unique_result {
  array values;
  std::optional<array> index, inverse, counts;
};
/// Of unique: what is asked for beside the values.
struct unique_options {
  by_name named = by_name();
  bool return_index = false;              // the position of the first of each
  bool return_inverse = false;            // for every element the position of its value
  bool return_counts = false;             // how often each occurs
  bool equal_nan = true;                  // all NaN are one value
  std::optional<std::int64_t> axis = {};  // distinct slices along it, not elements
};
unique_result unique(const array& a, const unique_options& options);
/// The distinct elements, sorted.
array unique(const array& a);
/// Positions (int64) at which `values` would be inserted into sorted 1-d `a`: before equal elements, or behind them (`right`).
array searchsorted(const array& a, const operand& values, bool right = false);
/// How often each of 0, 1, 2, ... occurs in a 1-d array of integers; of at least `minlength` of them.
array bincount(const array& x, std::int64_t minlength = 0);
/// The sum of the weights of each.
array bincount(const array& x, const array& weights, std::int64_t minlength = 0);
/// The values at `x` of the lines through the points (xp, fp), 1-d, `xp` rising; beyond them the first and the last of `fp`.
array interp(const operand& x, const array& xp, const array& fp);
struct interp_options {
  by_name named = by_name();
  std::optional<double> left = {};    // before the first point
  std::optional<double> right = {};   // after the last one
  std::optional<double> period = {};  // x and xp count modulo it, in any order
};
array interp(const operand& x, const array& xp, const array& fp, const interp_options& options);
/// Coordinates of the elements that are not zero, one array per dimension.
std::vector<array> nonzero(const array& a);
/// Positions of the elements of the flattened array that are not zero.
array flatnonzero(const array& a);
/// Coordinates of the elements that are not zero, one row each.
array argwhere(const array& a);
/// Elements at the given positions of an axis, or of the flattened array.
array take(const array& a, const array& indices, std::optional<std::int64_t> axis = std::nullopt);
/// Elements at positions that are given for every row of the axis.
array take_along_axis(const array& a, const array& indices, std::int64_t axis = -1);
/// Writes values at positions that are given for every row of the axis.
void put_along_axis(const array& a, const array& indices, const operand& values, std::int64_t axis = -1);
/// Writes values at positions of the flattened array.
void put(const array& a, const array& indices, const operand& values);
/// The element of the choice that the index names, place by place.
array choose(const array& index, const std::vector<array>& choices);
/// Slices of the axis, or elements of the flattened array, where the condition is true.
array compress(const array& condition, const array& a, std::optional<std::int64_t> axis = std::nullopt);
/// Elements where the condition is true.
array extract(const array& condition, const array& a);
/// Writes the values, one after the other, where the mask is true.
void place(const array& a, const array& mask, const operand& values);
/// Writes values where the mask is true, each at its own place.
void putmask(const array& a, const array& mask, const operand& values);
/// `to[...] = from`, where `where` is true if it is given.
void copyto(const array& to, const operand& from, const std::optional<array>& where = std::nullopt);

}  // namespace cuprum
