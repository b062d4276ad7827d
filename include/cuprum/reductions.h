// Reductions. Without axes they reduce all dimensions; the result is a 0-d array. Axes are given by place, or with everything
// else by name: `sum(a, 0)`, `sum(a, {0, 1})`, `sum(a, {.axis = 0, .keepdims = true})`.
#pragma once

#include "cuprum/options.h"

namespace cuprum {

/// Sum of the elements; integers add up in 64 bits.
array sum(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array sum(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Product of the elements; integers multiply in 64 bits.
array prod(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array prod(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Smallest element; NaN if there is one.
array min(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array min(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Largest element; NaN if there is one.
array max(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array max(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Is any element true?
array any(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array any(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Are all elements true?
array all(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array all(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Mean, in float64 for integers.
array mean(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array mean(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Largest less smallest element.
array ptp(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array ptp(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Number of elements that are not zero.
array count_nonzero(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array count_nonzero(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Sum without the NaN.
array nansum(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nansum(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Product without the NaN.
array nanprod(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanprod(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Smallest element that is not NaN.
array nanmin(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanmin(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Largest element that is not NaN.
array nanmax(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanmax(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Mean of the elements that are not NaN.
array nanmean(const array& a, const reduce_options& options = {});
template <by_place Axes = axis_set>
array nanmean(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false);
/// Variance: mean of the squared distances from the mean. The divisor is n - ddof.
array var(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array var(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0);
/// Standard deviation. The divisor is n - ddof.
array std(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array std(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0);
/// Variance of the elements that are not NaN. The divisor is n - ddof.
array nanvar(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array nanvar(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0);
/// Standard deviation of the elements that are not NaN. The divisor is n - ddof.
array nanstd(const array& a, const moment_options& options = {});
template <by_place Axes = axis_set>
array nanstd(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false, double ddof = 0);
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
