// Comparing arrays as wholes, and asking what their elements are.
#pragma once

#include "cuprum/options.h"

namespace cuprum {

/// How near is near: |a - b| <= atol + rtol * |b|.
struct close_options {
  by_name named = by_name();
  double rtol = 1e-5;      // relative to |b|
  double atol = 1e-8;      // absolute
  bool equal_nan = false;  // NaN are close to each other
};
/// Where elements are close.
array isclose(const operand& a, const operand& b, const close_options& options = {});
/// Whether all elements are close. It waits for the result.
bool allclose(const operand& a, const operand& b, const close_options& options = {});
/// Whether two arrays have one shape and equal elements. It waits for the result.
bool array_equal(const array& a, const array& b, bool equal_nan = false);
/// Whether two arrays broadcast together and are then equal. It waits for the result.
bool array_equiv(const array& a, const array& b);

/// Where elements are positive infinity.
array isposinf(const array& x);
/// Where elements are negative infinity.
array isneginf(const array& x);
/// Where the imaginary part is zero.
array isreal(const array& x);
/// Where the imaginary part is not zero.
array iscomplex(const array& x);

/// Of numbers in place of NaN and infinities.
struct nan_to_num_options {
  by_name named = by_name();
  bool copy = true;                   // else the array is written
  double nan = 0.0;                   // what NaN become
  std::optional<double> posinf = {};  // the largest finite number
  std::optional<double> neginf = {};  // the smallest finite number
};
/// `x` with NaN and infinities replaced by numbers.
array nan_to_num(const array& x, const nan_to_num_options& options = {});
/// The real parts of a complex array whose imaginary parts are all within `tol` machine epsilons of zero; else the array.
array real_if_close(const array& a, double tol = 100);
/// Sorted along the last axis by the real part, then by the imaginary part, in a complex dtype.
array sort_complex(const array& a);

}  // namespace cuprum
