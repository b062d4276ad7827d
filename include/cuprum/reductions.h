// Reductions. Without axes they reduce all dimensions; the result is a 0-d array. Axes are given by place, or with everything
// else by name: `sum(a, 0)`, `sum(a, {0, 1})`, `sum(a, {.axis = 0, .keepdims = true})`.
#pragma once

#include "cuprum/options.h"

namespace cuprum {

/// Sum of the elements; integers add up in 64 bits.
array sum(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array sum(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return sum(a, {.axis = axes, .keepdims = keepdims});
}
/// Product of the elements; integers multiply in 64 bits.
array prod(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array prod(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return prod(a, {.axis = axes, .keepdims = keepdims});
}
/// Smallest element; NaN if there is one.
array min(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array min(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return min(a, {.axis = axes, .keepdims = keepdims});
}
/// Largest element; NaN if there is one.
array max(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array max(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return max(a, {.axis = axes, .keepdims = keepdims});
}
/// Is any element true?
array any(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array any(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return any(a, {.axis = axes, .keepdims = keepdims});
}
/// Are all elements true?
array all(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array all(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return all(a, {.axis = axes, .keepdims = keepdims});
}
/// Mean, in float64 for integers.
array mean(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array mean(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return mean(a, {.axis = axes, .keepdims = keepdims});
}
/// Largest less smallest element.
array ptp(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array ptp(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return ptp(a, {.axis = axes, .keepdims = keepdims});
}
/// Number of elements that are not zero.
array count_nonzero(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array count_nonzero(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return count_nonzero(a, {.axis = axes, .keepdims = keepdims});
}
/// Sum without the NaN.
array nansum(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nansum(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return nansum(a, {.axis = axes, .keepdims = keepdims});
}
/// Product without the NaN.
array nanprod(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanprod(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return nanprod(a, {.axis = axes, .keepdims = keepdims});
}
/// Smallest element that is not NaN.
array nanmin(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanmin(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return nanmin(a, {.axis = axes, .keepdims = keepdims});
}
/// Largest element that is not NaN.
array nanmax(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanmax(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return nanmax(a, {.axis = axes, .keepdims = keepdims});
}
/// Mean of the elements that are not NaN.
array nanmean(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanmean(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return nanmean(a, {.axis = axes, .keepdims = keepdims});
}
/// Variance: mean of the squared distances from the mean. The divisor is n - ddof.
array var(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array var(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0) {
  return var(a, {.axis = axes, .keepdims = keepdims, .ddof = ddof});
}
/// Standard deviation. The divisor is n - ddof.
array std(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array std(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0) {
  return std(a, {.axis = axes, .keepdims = keepdims, .ddof = ddof});
}
/// Variance of the elements that are not NaN. The divisor is n - ddof.
array nanvar(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array nanvar(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0) {
  return nanvar(a, {.axis = axes, .keepdims = keepdims, .ddof = ddof});
}
/// Standard deviation of the elements that are not NaN. The divisor is n - ddof.
array nanstd(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array nanstd(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0) {
  return nanstd(a, {.axis = axes, .keepdims = keepdims, .ddof = ddof});
}
/// Position of the first smallest element. Of the flattened array, or along an axis.
array argmin(const array& a, const axis_options& options = {});
array argmin(const array& a, std::int64_t axis);
/// Position of the first largest element. Of the flattened array, or along an axis.
array argmax(const array& a, const axis_options& options = {});
array argmax(const array& a, std::int64_t axis);
/// Position of the first smallest element that is not NaN; ValueError for NaN alone. Of the flattened array, or along an axis.
array nanargmin(const array& a, const axis_options& options = {});
array nanargmin(const array& a, std::int64_t axis);
/// Position of the first largest element that is not NaN; ValueError for NaN alone. Of the flattened array, or along an axis.
array nanargmax(const array& a, const axis_options& options = {});
array nanargmax(const array& a, std::int64_t axis);
/// Sum along a diagonal.
array trace(const array& a, std::int64_t offset = 0, std::int64_t axis1 = 0, std::int64_t axis2 = 1);
/// Cumulative sum of the flattened array, or along an axis.
array cumsum(const array& a, const axis_options& options = {});
array cumsum(const array& a, std::int64_t axis);
/// Cumulative product of the flattened array, or along an axis.
array cumprod(const array& a, const axis_options& options = {});
array cumprod(const array& a, std::int64_t axis);
/// Cumulative sum, NaN counting as zero.
array nancumsum(const array& a, const axis_options& options = {});
array nancumsum(const array& a, std::int64_t axis);
/// Cumulative product, NaN counting as one.
array nancumprod(const array& a, const axis_options& options = {});
array nancumprod(const array& a, std::int64_t axis);

}  // namespace cuprum
