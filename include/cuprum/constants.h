// NumPy's constants.
#pragma once

#include <limits>
#include <numbers>

namespace cuprum {

/// The circumference of a circle by its diameter.
inline constexpr double pi = std::numbers::pi;
/// The base of the natural logarithm.
inline constexpr double e = std::numbers::e;
/// Euler's constant.
inline constexpr double euler_gamma = std::numbers::egamma;
/// Positive infinity.
inline constexpr double inf = std::numeric_limits<double>::infinity();
/// Not a number.
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace cuprum
