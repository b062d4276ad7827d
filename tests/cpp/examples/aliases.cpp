// cuprum/aliases.h
#include "examples.h"

TEST(Examples, aliases) {
  // abs
  shows(cp::abs(cp::array{-1, 2}), "[1 2]");
  // acos
  shows(cp::acos(cp::array{1.0}), "[0.]");
  // acosh
  shows(cp::acosh(cp::array{1.0}), "[0.]");
  // asin
  shows(cp::asin(cp::array{1.0}), "[1.57079633]");
  // asinh
  shows(cp::asinh(cp::array{0.0}), "[0.]");
  // atan
  shows(cp::atan(cp::array{1.0}), "[0.78539816]");
  // atan2
  shows(cp::atan2(cp::array{1.0}, -1.0), "[2.35619449]");
  // atanh
  shows(cp::atanh(cp::array{0.0}), "[0.]");
  // bitwise_invert, bitwise_not
  shows(cp::bitwise_invert(cp::array{0, 5}), "[-1 -6]");
  shows(cp::bitwise_not(cp::array{true, false}), "[False  True]");
  // bitwise_left_shift, bitwise_right_shift
  shows(cp::bitwise_left_shift(cp::array{1, 2}, 3), "[ 8 16]");
  shows(cp::bitwise_right_shift(cp::array{8, 17}, 3), "[1 2]");
  // conj
  shows(cp::conj(cp::array{std::complex<double>(1, 2)}), "[1.-2.j]");
  // fix
  shows(cp::fix(cp::array{-1.7, 1.7}), "[-1.  1.]");
  // mod
  shows(cp::mod(cp::array{-7, 7}, 3), "[2 1]");
  // pow
  shows(cp::pow(cp::array{2, 3}, 2), "[4 9]");
  // true_divide
  shows(cp::true_divide(cp::array{1, 2}, 4), "[0.25 0.5 ]");
  // around
  shows(cp::around(cp::array{1.25, 1.35}, 1), "[1.2 1.4]");
  // amax, amin
  {
    const cp::array a{{1, 5}, {4, 2}};
    shows(cp::amax(a, 0), "[4 5]");
    shows(cp::amin(a), "1");
  }
  // concat
  shows(cp::concat({cp::array{1, 2}, cp::array{3}}), "[1 2 3]");
  // permute_dims
  shows(cp::permute_dims(cp::zeros({2, 3, 4}), {2, 0, 1}).shape(), "{4, 2, 3}");
  // divmod
  {
    const auto [quotient, remainder] = cp::divmod(cp::array{-7, 7}, 3);
    shows(quotient, "[-3  2]");
    shows(remainder, "[2 1]");
  }
  // modf
  {
    const auto [fraction, whole] = cp::modf(cp::array{-1.5, 2.25});
    shows(fraction, "[-0.5   0.25]");
    shows(whole, "[-1.  2.]");
  }
  // frexp
  {
    const auto [mantissa, exponent] = cp::frexp(cp::array{8.0, 0.75});
    shows(mantissa, "[0.5  0.75]");
    shows(exponent, "[4 0]");
  }
  // cumulative_sum
  shows(cp::cumulative_sum(cp::array{1, 2, 3}, {.include_initial = true}), "[0 1 3 6]");
  // cumulative_prod
  shows(cp::cumulative_prod(cp::array{{1, 2}, {3, 4}}, {.axis = 1}),
        "[[ 1  2]\n"
        " [ 3 12]]");
}
