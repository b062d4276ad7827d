// Reductions. Without axes they reduce all dimensions; the result is a 0-d array.
#pragma once

#include "cuprum/array.h"

namespace cuprum {

/// Sum of the elements; integers add up in 64 bits.
array sum(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Product of the elements; integers multiply in 64 bits.
array prod(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Smallest element; NaN if there is one.
array min(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Largest element; NaN if there is one.
array max(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Is any element true?
array any(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Are all elements true?
array all(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Mean, in float64 for integers.
array mean(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Variance: mean of the squared distances from the mean, the divisor being n - ddof.
array var(const array& a, const axes_type& axes = {}, bool keepdims = false, double ddof = 0);
/// Standard deviation.
array std(const array& a, const axes_type& axes = {}, bool keepdims = false, double ddof = 0);
/// Number of elements that are not zero.
array count_nonzero(const array& a, const axes_type& axes = {}, bool keepdims = false);
/// Position of the first smallest element of the flattened array, or along an axis.
array argmin(const array& a);
array argmin(const array& a, std::int64_t axis);
/// Position of the first largest element of the flattened array, or along an axis.
array argmax(const array& a);
array argmax(const array& a, std::int64_t axis);

}  // namespace cuprum
