// Differences, derivatives and integrals over sampled values.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// Differences between neighbours along an axis, taken n times; `prepend` and `append` stand before and after.
Array diff(const Array& a, std::int64_t n = 1, std::int64_t axis = -1, const Array* prepend = nullptr,
           const Array* append = nullptr);
/// Differences of neighbours in the flattened array, with values before and after them.
Array ediff1d(const Array& a, const Array* to_end = nullptr, const Array* to_begin = nullptr);

/// The derivative along every axis of `axes` (unset: all): central differences, one-sided ones at the ends. A spacing is a
/// number, or the vector of coordinates along its axis; one number stands for all, none for 1.
std::vector<Array> gradient(const Array& f, std::span<const Value> spacings = {},
                            const std::optional<Dims>& axes = std::nullopt, std::int64_t edge_order = 1);

/// The integral by the trapezoidal rule, over coordinates `x`, if they are given, or steps of `dx`.
Array trapezoid(const Array& y, const Array* x, const Value& dx, std::int64_t axis = -1);

/// Phases in which jumps of more than half a period are replaced by their complement; `discont` unset: half a period. Both are
/// numbers.
Array unwrap(const Array& p, const std::optional<Value>& discont, std::int64_t axis, const Value& period);

}  // namespace cuprum::ops
