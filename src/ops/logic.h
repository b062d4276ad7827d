// Comparing arrays as wholes, and asking what their elements are.
#pragma once

#include <optional>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// How near is near: |a - b| <= atol + rtol * |b|.
struct Closeness {
  Value rtol = Value::floating(1e-5);
  Value atol = Value::floating(1e-8);
  bool equal_nan = false;
};
/// Where elements are close; recorded, one kernel. One of `a` and `b` is an array.
Array isclose(const Value& a, const Value& b, const Closeness& closeness = {});
/// Whether all are. Waits for the result.
bool allclose(const Value& a, const Value& b, const Closeness& closeness = {});

/// Whether two arrays have one shape and equal elements; whether they broadcast together and are then equal. Both wait.
bool array_equal(const Array& a, const Array& b, bool equal_nan = false);
bool array_equiv(const Array& a, const Array& b);

/// Where elements are positive, or negative, infinity.
Array isposinf(const Array& x, const Array* out = nullptr);
Array isneginf(const Array& x, const Array* out = nullptr);
/// Where the imaginary part is zero; where it is not.
Array isreal(const Array& x);
Array iscomplex(const Array& x);

}  // namespace cuprum::ops
