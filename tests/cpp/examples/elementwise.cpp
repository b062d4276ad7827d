// cuprum/elementwise.h
#include "examples.h"

TEST(Examples, elementwise) {
  // add
  shows(cp::add(cp::array{1, 2, 3}, 10), "[11 12 13]");
  // subtract
  shows(cp::subtract(cp::array{5, 7}, cp::array{1, 2}), "[4 5]");
  // multiply
  shows(cp::multiply(cp::array{1.0, 2.0}, 0.5), "[0.5 1. ]");
  // divide
  shows(cp::divide(cp::array{1, 2, 3}, 2), "[0.5 1.  1.5]");
  // floor_divide
  shows(cp::floor_divide(cp::array{-7, 7}, 2), "[-4  3]");
  // remainder
  shows(cp::remainder(cp::array{-7, 7}, 3), "[2 1]");
  // fmod
  shows(cp::fmod(cp::array{-7, 7}, 3), "[-1  1]");
  // power
  shows(cp::power(cp::array{1, 2, 3}, 2), "[1 4 9]");
  // float_power
  shows(cp::float_power(cp::array{1, 2, 3}, -1), "[1.         0.5        0.33333333]");
  // negative
  shows(cp::negative(cp::array{1.0, -2.0}), "[-1.  2.]");
  // positive
  shows(cp::positive(cp::array{1.0, -2.0}), "[ 1. -2.]");
  // absolute
  shows(cp::absolute(cp::array{-1.5, 2.0}), "[1.5 2. ]");
  // sign
  shows(cp::sign(cp::array{-3.0, 0.0, 8.0}), "[-1.  0.  1.]");
  // square
  shows(cp::square(cp::array{1, -2, 3}), "[1 4 9]");
  // reciprocal
  shows(cp::reciprocal(cp::array{2.0, 4.0}), "[0.5  0.25]");
  // maximum
  shows(cp::maximum(cp::array{1.0, 5.0, cp::nan}, 3.0), "[ 3.  5. nan]");
  // minimum
  shows(cp::minimum(cp::array{1.0, 5.0, cp::nan}, 3.0), "[ 1.  3. nan]");
  // fmax
  shows(cp::fmax(cp::array{1.0, 5.0, cp::nan}, 3.0), "[3. 5. 3.]");
  // fmin
  shows(cp::fmin(cp::array{1.0, 5.0, cp::nan}, 3.0), "[1. 3. 3.]");
  // clip
  shows(cp::clip(cp::arange(6), 1, 4), "[1 1 2 3 4 4]");
  // gcd
  shows(cp::gcd(cp::array{12, 20}, 18), "[6 2]");
  // lcm
  shows(cp::lcm(cp::array{4, 6}, 10), "[20 30]");
  // equal
  shows(cp::equal(cp::array{1, 2, 3}, 2), "[False  True False]");
  // not_equal
  shows(cp::not_equal(cp::array{1, 2, 3}, 2), "[ True False  True]");
  // less
  shows(cp::less(cp::array{1, 2, 3}, 2), "[ True False False]");
  // less_equal
  shows(cp::less_equal(cp::array{1, 2, 3}, 2), "[ True  True False]");
  // greater
  shows(cp::greater(cp::array{1, 2, 3}, 2), "[False False  True]");
  // greater_equal
  shows(cp::greater_equal(cp::array{1, 2, 3}, 2), "[False  True  True]");
  // logical_and
  shows(cp::logical_and(cp::array{true, true, false}, cp::array{true, false, false}), "[ True False False]");
  // logical_or
  shows(cp::logical_or(cp::array{true, true, false}, cp::array{true, false, false}), "[ True  True False]");
  // logical_xor
  shows(cp::logical_xor(cp::array{true, true, false}, cp::array{true, false, false}), "[False  True False]");
  // logical_not
  shows(cp::logical_not(cp::array{0, 1, 2}), "[ True False False]");
  // bitwise_and
  shows(cp::bitwise_and(cp::array{12, 10}, 6), "[4 2]");
  // bitwise_or
  shows(cp::bitwise_or(cp::array{12, 10}, 6), "[14 14]");
  // bitwise_xor
  shows(cp::bitwise_xor(cp::array{12, 10}, 6), "[10 12]");
  // invert
  shows(cp::invert(cp::array{0, 5}), "[-1 -6]");
  // left_shift
  shows(cp::left_shift(cp::array{1, 3}, 4), "[16 48]");
  // right_shift
  shows(cp::right_shift(cp::array{-16, 48}, 4), "[-1  3]");
  // bitwise_count
  shows(cp::bitwise_count(cp::array{7, 8, -1}), "[3 1 1]");
  // floor
  shows(cp::floor(cp::array{-1.5, 1.5}), "[-2.  1.]");
  // ceil
  shows(cp::ceil(cp::array{-1.5, 1.5}), "[-1.  2.]");
  // trunc
  shows(cp::trunc(cp::array{-1.5, 1.5}), "[-1.  1.]");
  // rint
  shows(cp::rint(cp::array{0.5, 1.5, 2.6}), "[0. 2. 3.]");
  // exp
  shows(cp::exp(cp::array{0.0, 1.0}), "[1.         2.71828183]");
  // exp2
  shows(cp::exp2(cp::array{0.0, 3.0, -1.0}), "[1.  8.  0.5]");
  // expm1
  shows(cp::expm1(cp::array{0.0, 1e-10}), "[0.e+00 1.e-10]");
  // log
  shows(cp::log(cp::array{1.0, cp::e}), "[0. 1.]");
  // log2
  shows(cp::log2(cp::array{1.0, 8.0}), "[0. 3.]");
  // log10
  shows(cp::log10(cp::array{1.0, 1000.0}), "[0. 3.]");
  // log1p
  shows(cp::log1p(cp::array{0.0, 1e-10}), "[0.e+00 1.e-10]");
  // logaddexp
  shows(cp::logaddexp(cp::array{1000.0}, 1000.0), "[1000.69314718]");
  // logaddexp2
  shows(cp::logaddexp2(cp::array{3.0}, 3.0), "[4.]");
  // sqrt
  shows(cp::sqrt(cp::array{4.0, 9.0}), "[2. 3.]");
  // cbrt
  shows(cp::cbrt(cp::array{-8.0, 27.0}), "[-2.  3.]");
  // sin
  shows(cp::sin(cp::array{0.0, cp::pi / 2}), "[0. 1.]");
  // cos
  shows(cp::cos(cp::array{0.0, cp::pi}), "[ 1. -1.]");
  // tan
  shows(cp::tan(cp::array{0.0, 1.0}), "[0.         1.55740772]");
  // arcsin
  shows(cp::arcsin(cp::array{0.0, 1.0}), "[0.         1.57079633]");
  // arccos
  shows(cp::arccos(cp::array{1.0, 0.0}), "[0.         1.57079633]");
  // arctan
  shows(cp::arctan(cp::array{0.0, 1.0}), "[0.         0.78539816]");
  // arctan2
  shows(cp::arctan2(cp::array{1.0, -1.0}, cp::array{-1.0, -1.0}), "[ 2.35619449 -2.35619449]");
  // round
  shows(cp::round(cp::array{0.5, 1.5, 2.25}), "[0. 2. 2.]");
  shows(cp::round(cp::array{0.126, 1.5}, 2), "[0.13 1.5 ]");
  // hypot
  shows(cp::hypot(cp::array{3.0, 5.0}, cp::array{4.0, 12.0}), "[ 5. 13.]");
  // sinh
  shows(cp::sinh(cp::array{0.0, 1.0}), "[0.         1.17520119]");
  // cosh
  shows(cp::cosh(cp::array{0.0, 1.0}), "[1.         1.54308063]");
  // tanh
  shows(cp::tanh(cp::array{0.0, 1.0}), "[0.         0.76159416]");
  // arcsinh
  shows(cp::arcsinh(cp::array{0.0, 1.0}), "[0.         0.88137359]");
  // arccosh
  shows(cp::arccosh(cp::array{1.0, 2.0}), "[0.        1.3169579]");
  // arctanh
  shows(cp::arctanh(cp::array{0.0, 0.5}), "[0.         0.54930614]");
  // degrees
  shows(cp::degrees(cp::array{0.0, cp::pi}), "[  0. 180.]");
  // radians
  shows(cp::radians(cp::array{0.0, 180.0}), "[0.         3.14159265]");
  // rad2deg
  shows(cp::rad2deg(cp::array{0.0, cp::pi / 2}), "[ 0. 90.]");
  // deg2rad
  shows(cp::deg2rad(cp::array{0.0, 90.0}), "[0.         1.57079633]");
  // isfinite
  shows(cp::isfinite(cp::array{1.0, cp::inf, cp::nan}), "[ True False False]");
  // isinf
  shows(cp::isinf(cp::array{1.0, -cp::inf, cp::nan}), "[False  True False]");
  // isnan
  shows(cp::isnan(cp::array{1.0, cp::inf, cp::nan}), "[False False  True]");
  // signbit
  shows(cp::signbit(cp::array{1.0, -1.0, -0.0}), "[False  True  True]");
  // copysign
  shows(cp::copysign(cp::array{1.0, 2.0}, cp::array{-0.0, 3.0}), "[-1.  2.]");
  // nextafter
  shows(cp::nextafter(cp::array{1.0}, 2.0) > 1.0, "[ True]");
  // spacing
  shows(cp::spacing(cp::array{1.0, 1024.0}), "[2.22044605e-16 2.27373675e-13]");
  // fabs
  shows(cp::fabs(cp::array{-1, 2}), "[1. 2.]");
  // heaviside
  shows(cp::heaviside(cp::array{-1.5, 0.0, 2.0}, 0.5), "[0.  0.5 1. ]");
  // ldexp
  shows(cp::ldexp(cp::array{0.5, 3.0}, cp::array{4, 1}), "[8. 6.]");
  // conjugate
  shows(cp::conjugate(cp::array{std::complex<double>(1, 2), std::complex<double>(3, -1)}), "[1.-2.j 3.+1.j]");
  // where
  {
    const cp::array a{1, -2, 3};
    shows(cp::where(a > 0, a, 0), "[1 0 3]");
  }
  // operator+, operator-, operator*, operator/, operator%
  {
    const cp::array a{1.0, 2.0}, b{3.0, 5.0};
    shows(a + b, "[4. 7.]");
    shows(1 - a, "[ 0. -1.]");
    shows(2.0 * a / b, "[0.66666667 0.8       ]");
    shows(b % 2, "[1. 1.]");
    shows(-a, "[-1. -2.]");
    shows(+a, "[1. 2.]");
  }
  // operator&, operator|, operator^, operator~, operator<<, operator>>
  {
    const cp::array bits{12, 10};
    shows((bits & 6) | 1, "[5 3]");
    shows(bits ^ 6, "[10 12]");
    shows(~bits, "[-13 -11]");
    shows((bits << 1) + (bits >> 1), "[30 25]");
  }
  // operator&&, operator||, operator!
  {
    const cp::array a{1.0, 2.0, 4.0};
    shows(a > 1.0 && a < 3.0, "[False  True False]");
    shows(a < 2.0 || a > 3.0, "[ True False  True]");
    shows(!a, "[False False False]");
  }
  // operator<, operator<=, operator>, operator>=, operator==, operator!=
  {
    const cp::array a{1, 2, 3}, b{3, 2, 1};
    shows(a < b, "[ True False False]");
    shows(a <= 2, "[ True  True False]");
    shows(a > b, "[False False  True]");
    shows(2 >= a, "[ True  True False]");
    shows(a == b, "[False  True False]");
    shows(a != b, "[ True False  True]");
  }
}
