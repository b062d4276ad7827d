// cuprum/logic.h
#include "examples.h"

TEST(Examples, logic) {
  // isclose
  shows(cp::isclose(cp::array{1.0, 1.00001, 1.1}, 1.0), "[ True  True False]");
  // allclose
  shows(cp::allclose(cp::array{1.0, 1.1}, 1.0, {.atol = 0.2}), "true");
  // array_equal
  shows(cp::array_equal(cp::array{1, 2}, cp::array{1, 2}), "true");
  // array_equiv
  shows(cp::array_equiv(cp::array{1, 2}, cp::array{{1, 2}, {1, 2}}), "true");
  // isposinf
  shows(cp::isposinf(cp::array{cp::inf, -cp::inf, 1.0}), "[ True False False]");
  // isneginf
  shows(cp::isneginf(cp::array{cp::inf, -cp::inf, 1.0}), "[False  True False]");
  // isreal
  shows(cp::isreal(cp::array{std::complex<double>(1, 0), std::complex<double>(1, 2)}), "[ True False]");
  // iscomplex
  shows(cp::iscomplex(cp::array{std::complex<double>(1, 0), std::complex<double>(1, 2)}), "[False  True]");
  // nan_to_num
  shows(cp::nan_to_num(cp::array{1.0, cp::nan, cp::inf}, {.nan = -1.0, .posinf = 99.0}), "[ 1. -1. 99.]");
  // real_if_close
  shows(cp::real_if_close(cp::array{std::complex<double>(1, 1e-16), std::complex<double>(2, 0)}), "[1. 2.]");
  // sort_complex
  shows(cp::sort_complex(cp::array{3, 1, 2}), "[1.+0.j 2.+0.j 3.+0.j]");
}
