// Piecewise linear interpolation.
#pragma once

#include "expr/array.h"

namespace cuprum::ops {

/// The values at `x` of the lines through the points (xp, fp), 1-d and not empty, `xp` rising; beyond them `left` and
/// `right`, 0-d. `fp` and what comes back are float64 or complex128, the others float64.
Array interpolate(const Array& x, const Array& xp, const Array& fp, const Array& left, const Array& right);

}  // namespace cuprum::ops
