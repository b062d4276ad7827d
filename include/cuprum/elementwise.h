// Elementwise functions and operators: NumPy's ufuncs. All are recorded; shapes broadcast, dtypes promote as in NumPy.
#pragma once

#include "cuprum/array.h"

namespace cuprum {

/// Add arguments element-wise.
array add(const operand& a, const operand& b);
/// Subtract the second argument from the first, element-wise.
array subtract(const operand& a, const operand& b);
/// Multiply arguments element-wise.
array multiply(const operand& a, const operand& b);
/// Divide the first argument by the second, element-wise; integers give floating-point quotients.
array divide(const operand& a, const operand& b);
/// Largest integer not greater than the quotient, element-wise.
array floor_divide(const operand& a, const operand& b);
/// Remainder of floor division, with the sign of the divisor, element-wise.
array remainder(const operand& a, const operand& b);
/// Remainder of truncated division, with the sign of the dividend, element-wise.
array fmod(const operand& a, const operand& b);
/// First argument raised to the power of the second, element-wise.
array power(const operand& a, const operand& b);
/// First argument raised to the power of the second in at least double precision, element-wise.
array float_power(const operand& a, const operand& b);
/// Numerical negative, element-wise.
array negative(const operand& a);
/// Numerical positive, element-wise: a copy.
array positive(const operand& a);
/// Absolute value, or magnitude of a complex number, element-wise.
array absolute(const operand& a);
/// Minus one, zero or one by the sign of each number; z / abs(z) of a complex number.
array sign(const operand& a);
/// Square of each element.
array square(const operand& a);
/// One divided by each element, in the dtype of the element.
array reciprocal(const operand& a);
/// Larger of two elements, element-wise; a NaN in either is the result.
array maximum(const operand& a, const operand& b);
/// Smaller of two elements, element-wise; a NaN in either is the result.
array minimum(const operand& a, const operand& b);
/// Larger of two elements, element-wise; a NaN counts only where both are NaN.
array fmax(const operand& a, const operand& b);
/// Smaller of two elements, element-wise; a NaN counts only where both are NaN.
array fmin(const operand& a, const operand& b);
/// Limit the first argument to the interval from the second to the third, element-wise.
array clip(const operand& a, const operand& b, const operand& c);
/// Greatest common divisor of two integers, element-wise.
array gcd(const operand& a, const operand& b);
/// Lowest common multiple of two integers, element-wise.
array lcm(const operand& a, const operand& b);
/// True where the first argument equals the second.
array equal(const operand& a, const operand& b);
/// True where the first argument does not equal the second.
array not_equal(const operand& a, const operand& b);
/// True where the first argument is less than the second.
array less(const operand& a, const operand& b);
/// True where the first argument is less than or equal to the second.
array less_equal(const operand& a, const operand& b);
/// True where the first argument is greater than the second.
array greater(const operand& a, const operand& b);
/// True where the first argument is greater than or equal to the second.
array greater_equal(const operand& a, const operand& b);
/// True where both arguments are true.
array logical_and(const operand& a, const operand& b);
/// True where at least one argument is true.
array logical_or(const operand& a, const operand& b);
/// True where exactly one argument is true.
array logical_xor(const operand& a, const operand& b);
/// True where the argument is false.
array logical_not(const operand& a);
/// Bits set in both arguments, element-wise.
array bitwise_and(const operand& a, const operand& b);
/// Bits set in at least one argument, element-wise.
array bitwise_or(const operand& a, const operand& b);
/// Bits set in exactly one argument, element-wise.
array bitwise_xor(const operand& a, const operand& b);
/// Every bit inverted, or `not` of a bool, element-wise.
array invert(const operand& a);
/// Bits of the first argument shifted left by the second, element-wise.
array left_shift(const operand& a, const operand& b);
/// Bits of the first argument shifted right by the second, element-wise, keeping the sign.
array right_shift(const operand& a, const operand& b);
/// Number of set bits in the absolute value of each element.
array bitwise_count(const operand& a);
/// Largest integer not greater than each element.
array floor(const operand& a);
/// Smallest integer not less than each element.
array ceil(const operand& a);
/// Each element without its fractional part.
array trunc(const operand& a);
/// Nearest integer, ties to even, of each element.
array rint(const operand& a);
/// Exponential of each element.
array exp(const operand& a);
/// Two raised to each element.
array exp2(const operand& a);
/// exp(x) - 1 of each element, accurate near zero.
array expm1(const operand& a);
/// Natural logarithm of each element.
array log(const operand& a);
/// Logarithm to base two of each element.
array log2(const operand& a);
/// Logarithm to base ten of each element.
array log10(const operand& a);
/// log(1 + x) of each element, accurate near zero.
array log1p(const operand& a);
/// log(exp(x1) + exp(x2)), element-wise, without overflow.
array logaddexp(const operand& a, const operand& b);
/// log2(2**x1 + 2**x2), element-wise, without overflow.
array logaddexp2(const operand& a, const operand& b);
/// Non-negative square root, or principal root of a complex number, element-wise.
array sqrt(const operand& a);
/// Cube root of each element.
array cbrt(const operand& a);
/// Sine of each element, in radians.
array sin(const operand& a);
/// Cosine of each element, in radians.
array cos(const operand& a);
/// Tangent of each element, in radians.
array tan(const operand& a);
/// Inverse sine of each element, in radians.
array arcsin(const operand& a);
/// Inverse cosine of each element, in radians.
array arccos(const operand& a);
/// Inverse tangent of each element, in radians.
array arctan(const operand& a);
/// Angle of the point (x2, x1) in the right quadrant, element-wise.
array arctan2(const operand& a, const operand& b);
/// Each element rounded to so many decimals, ties to even.
array round(const array& a, std::int64_t decimals = 0);
/// sqrt(x1**2 + x2**2), element-wise, without overflow.
array hypot(const operand& a, const operand& b);
/// Hyperbolic sine of each element.
array sinh(const operand& a);
/// Hyperbolic cosine of each element.
array cosh(const operand& a);
/// Hyperbolic tangent of each element.
array tanh(const operand& a);
/// Inverse hyperbolic sine of each element.
array arcsinh(const operand& a);
/// Inverse hyperbolic cosine of each element.
array arccosh(const operand& a);
/// Inverse hyperbolic tangent of each element.
array arctanh(const operand& a);
/// Radians converted to degrees.
array degrees(const operand& a);
/// Degrees converted to radians.
array radians(const operand& a);
/// Radians converted to degrees.
array rad2deg(const operand& a);
/// Degrees converted to radians.
array deg2rad(const operand& a);
/// True where neither infinite nor NaN.
array isfinite(const operand& a);
/// True where positive or negative infinity.
array isinf(const operand& a);
/// True where not a number.
array isnan(const operand& a);
/// True where the sign bit is set, as in -0.0.
array signbit(const operand& a);
/// Magnitude of the first argument with the sign of the second, element-wise.
array copysign(const operand& a, const operand& b);
/// Next floating-point value after the first argument towards the second, element-wise.
array nextafter(const operand& a, const operand& b);
/// Distance from each element to the nearest adjacent number further from zero.
array spacing(const operand& a);
/// Absolute value as a floating-point number.
array fabs(const operand& a);
/// Step function: 0 where x1 < 0, x2 where x1 == 0, 1 where x1 > 0.
array heaviside(const operand& a, const operand& b);
/// First argument times two to the power of the second, element-wise.
array ldexp(const operand& a, const operand& b);
/// Complex conjugate, element-wise.
array conjugate(const operand& a);
/// Elements of a where the condition is true, of b elsewhere.
array where(const operand& condition, const operand& a, const operand& b);

/// Operators mean the functions above.
inline array operator+(const array& a, const operand& b) { return add(a, b); }
inline array operator+(const operand& a, const array& b) { return add(a, b); }
inline array operator+(const array& a, const array& b) { return add(a, b); }
inline array operator-(const array& a, const operand& b) { return subtract(a, b); }
inline array operator-(const operand& a, const array& b) { return subtract(a, b); }
inline array operator-(const array& a, const array& b) { return subtract(a, b); }
inline array operator*(const array& a, const operand& b) { return multiply(a, b); }
inline array operator*(const operand& a, const array& b) { return multiply(a, b); }
inline array operator*(const array& a, const array& b) { return multiply(a, b); }
inline array operator/(const array& a, const operand& b) { return divide(a, b); }
inline array operator/(const operand& a, const array& b) { return divide(a, b); }
inline array operator/(const array& a, const array& b) { return divide(a, b); }
inline array operator%(const array& a, const operand& b) { return remainder(a, b); }
inline array operator%(const operand& a, const array& b) { return remainder(a, b); }
inline array operator%(const array& a, const array& b) { return remainder(a, b); }
inline array operator&(const array& a, const operand& b) { return bitwise_and(a, b); }
inline array operator&(const operand& a, const array& b) { return bitwise_and(a, b); }
inline array operator&(const array& a, const array& b) { return bitwise_and(a, b); }
inline array operator|(const array& a, const operand& b) { return bitwise_or(a, b); }
inline array operator|(const operand& a, const array& b) { return bitwise_or(a, b); }
inline array operator|(const array& a, const array& b) { return bitwise_or(a, b); }
inline array operator^(const array& a, const operand& b) { return bitwise_xor(a, b); }
inline array operator^(const operand& a, const array& b) { return bitwise_xor(a, b); }
inline array operator^(const array& a, const array& b) { return bitwise_xor(a, b); }
inline array operator<<(const array& a, const operand& b) { return left_shift(a, b); }
inline array operator<<(const operand& a, const array& b) { return left_shift(a, b); }
inline array operator<<(const array& a, const array& b) { return left_shift(a, b); }
inline array operator>>(const array& a, const operand& b) { return right_shift(a, b); }
inline array operator>>(const operand& a, const array& b) { return right_shift(a, b); }
inline array operator>>(const array& a, const array& b) { return right_shift(a, b); }
inline array operator<(const array& a, const operand& b) { return less(a, b); }
inline array operator<(const operand& a, const array& b) { return less(a, b); }
inline array operator<(const array& a, const array& b) { return less(a, b); }
inline array operator<=(const array& a, const operand& b) { return less_equal(a, b); }
inline array operator<=(const operand& a, const array& b) { return less_equal(a, b); }
inline array operator<=(const array& a, const array& b) { return less_equal(a, b); }
inline array operator>(const array& a, const operand& b) { return greater(a, b); }
inline array operator>(const operand& a, const array& b) { return greater(a, b); }
inline array operator>(const array& a, const array& b) { return greater(a, b); }
inline array operator>=(const array& a, const operand& b) { return greater_equal(a, b); }
inline array operator>=(const operand& a, const array& b) { return greater_equal(a, b); }
inline array operator>=(const array& a, const array& b) { return greater_equal(a, b); }
inline array operator==(const array& a, const operand& b) { return equal(a, b); }
inline array operator==(const operand& a, const array& b) { return equal(a, b); }
inline array operator==(const array& a, const array& b) { return equal(a, b); }
inline array operator!=(const array& a, const operand& b) { return not_equal(a, b); }
inline array operator!=(const operand& a, const array& b) { return not_equal(a, b); }
inline array operator!=(const array& a, const array& b) { return not_equal(a, b); }
inline array operator-(const array& a) { return negative(a); }
inline array operator+(const array& a) { return positive(a); }
inline array operator~(const array& a) { return invert(a); }
/// Truth, element by element, of two arrays; both are computed.
inline array operator!(const array& a) { return logical_not(a); }
inline array operator&&(const array& a, const array& b) { return logical_and(a, b); }
inline array operator||(const array& a, const array& b) { return logical_or(a, b); }

}  // namespace cuprum

#include "cuprum/detail/passing_operators.h"  // NOLINT: they call the functions above
