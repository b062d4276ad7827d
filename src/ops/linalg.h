// Products of vectors and matrices. One dtype for both operands, NumPy's promotion; bools multiply with `and`
// and add with `or`.
#pragma once

#include <cstdint>

#include "expr/array.h"

namespace cuprum::ops {

Array matmul(const Array& a, const Array& b, const Array* out = nullptr);
Array dot(const Array& a, const Array& b, const Array* out = nullptr);
/// Flattened, the first one conjugated.
Array vdot(const Array& a, const Array& b);
/// Sum over the last axes.
Array inner(const Array& a, const Array& b);
/// Flattened; recorded.
Array outer(const Array& a, const Array& b, const Array* out = nullptr);
/// Sum over pairs of axes.
Array tensordot(const Array& a, const Array& b, const Dims& axes_a, const Dims& axes_b);
/// Sum over the last `axes` of a and the first of b.
Array tensordot(const Array& a, const Array& b, std::int64_t axes = 2);
/// Sums of products of `v` with what lies under it while it moves along `a`, which is taken to have `left` and `right`
/// elements more at its ends that do not count; 1-d, `v` not empty and not longer than that.
Array sliding_dot(const Array& a, const Array& v, std::int64_t left, std::int64_t right);
Array kron(const Array& a, const Array& b);

}  // namespace cuprum::ops
