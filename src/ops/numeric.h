// Functions of numbers that are recorded as a few operations: angles, sinc, NaN made numbers, complex numbers made real.
#pragma once

#include <optional>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// In radians, or degrees.
Array angle(const Array& z, bool degrees = false);
/// sin(pi x) / (pi x), which is 1 at 0.
Array sinc(const Array& x);

/// What NaN and infinities are replaced by: real numbers or arrays; infinities by the largest finite numbers where nothing else is
/// said.
struct Replacements {
  Value nan = Value::floating(0.0);
  std::optional<Value> posinf;
  std::optional<Value> neginf;
};
/// A new array, or `x` itself, written, without `copy`.
Array nan_to_num(const Array& x, bool copy = true, const Replacements& by = {});

/// The real parts of a complex array whose imaginary parts are all within `tol` machine epsilons of zero (or `tol` itself, where
/// it is not above 1); nothing for any other array.
std::optional<Array> real_if_close(const Array& a, double tol = 100);

/// Sorted along the last axis by the real part, then by the imaginary part, in a complex dtype.
Array sort_complex(const Array& a);

}  // namespace cuprum::ops
