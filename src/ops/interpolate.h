// Piecewise linear interpolation.
#pragma once

#include <optional>

#include "expr/array.h"

namespace cuprum::ops {

/// The values at `x` of the lines through the points (xp, fp), 1-d, `xp` rising; beyond them `left` and `right`, 0-d, or the
/// first and the last of `fp`. With a period, `x` and `xp` count modulo it, in any order. float64, or complex128 where `fp` is.
Array interp(const Array& x, const Array& xp, const Array& fp, const Array* left = nullptr,
             const Array* right = nullptr, std::optional<double> period = std::nullopt);

}  // namespace cuprum::ops
