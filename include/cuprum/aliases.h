// Other names of functions, as NumPy has them, and the ufuncs with two results.
#pragma once

#include <utility>

#include "cuprum/elementwise.h"
#include "cuprum/manipulation.h"
#include "cuprum/reductions.h"

namespace cuprum {

/// absolute.
inline array abs(const operand& a) { return absolute(a); }
/// arccos.
inline array acos(const operand& a) { return arccos(a); }
/// arccosh.
inline array acosh(const operand& a) { return arccosh(a); }
/// arcsin.
inline array asin(const operand& a) { return arcsin(a); }
/// arcsinh.
inline array asinh(const operand& a) { return arcsinh(a); }
/// arctan.
inline array atan(const operand& a) { return arctan(a); }
/// arctan2.
inline array atan2(const operand& a, const operand& b) { return arctan2(a, b); }
/// arctanh.
inline array atanh(const operand& a) { return arctanh(a); }
/// invert.
inline array bitwise_invert(const operand& a) { return invert(a); }
/// invert.
inline array bitwise_not(const operand& a) { return invert(a); }
/// left_shift.
inline array bitwise_left_shift(const operand& a, const operand& b) { return left_shift(a, b); }
/// right_shift.
inline array bitwise_right_shift(const operand& a, const operand& b) { return right_shift(a, b); }
/// conjugate.
inline array conj(const operand& a) { return conjugate(a); }
/// trunc: towards zero.
inline array fix(const operand& a) { return trunc(a); }
/// remainder.
inline array mod(const operand& a, const operand& b) { return remainder(a, b); }
/// power.
inline array pow(const operand& a, const operand& b) { return power(a, b); }
/// divide.
inline array true_divide(const operand& a, const operand& b) { return divide(a, b); }
/// round.
inline array around(const array& a, std::int64_t decimals = 0) { return round(a, decimals); }

/// max.
inline array amax(const array& a, const reduce_options& options = {}) { return max(a, options); }
template <by_place Axes = axis_set>
array amax(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return max(a, axes, keepdims);
}
/// min.
inline array amin(const array& a, const reduce_options& options = {}) { return min(a, options); }
template <by_place Axes = axis_set>
array amin(const array& a, const std::type_identity_t<Axes>& axes, bool keepdims = false) {
  return min(a, axes, keepdims);
}

/// concatenate.
inline array concat(const std::vector<array>& arrays, std::int64_t axis = 0) {
  return concatenate(arrays, axis);
}
/// transpose.
inline array permute_dims(const array& a, const axes_type& axes) { return transpose(a, axes); }

/// Quotient by floor division, and its remainder.
std::pair<array, array> divmod(const operand& a, const operand& b);
/// The fractional and the integral part, both with the sign of the number.
std::pair<array, array> modf(const operand& a);
/// A mantissa of magnitude [0.5, 1) and the power of two (int32) that it is multiplied by.
std::pair<array, array> frexp(const operand& a);

/// Of a running sum or product.
struct cumulative_options {
  by_name named = by_name();
  std::optional<std::int64_t> axis = {};    // must be given where there are several
  std::optional<cuprum::dtype> dtype = {};  // what it computes in
  bool include_initial = false;             // it starts with 0, or with 1
  std::optional<array> out = {};            // what receives the result
};
/// Running sum along an axis.
array cumulative_sum(const array& a, const cumulative_options& options = {});
/// Running product along an axis.
array cumulative_prod(const array& a, const cumulative_options& options = {});

}  // namespace cuprum
