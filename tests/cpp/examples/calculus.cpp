// cuprum/calculus.h
#include "examples.h"

TEST(Examples, calculus) {
  // diff
  {
    const cp::array a{1, 2, 4, 7, 0};
    shows(cp::diff(a), "[ 1  2  3 -7]");
    shows(cp::diff(a, 2), "[  1   1 -10]");
    shows(cp::diff(a, 1, {.prepend = cp::array{0}}), "[ 1  1  2  3 -7]");
  }
  // ediff1d
  shows(cp::ediff1d(cp::array{{1, 2}, {4, 7}}, {.to_begin = cp::array{-99}}), "[-99   1   2   3]");
  // gradient
  {
    const cp::array f{1.0, 2.0, 4.0, 7.0};
    shows(cp::gradient(f)[0], "[1.  1.5 2.5 3. ]");
    shows(cp::gradient(f, {2.0})[0], "[0.5  0.75 1.25 1.5 ]");
    shows(cp::gradient(cp::array{{1.0, 2.0}, {4.0, 8.0}}, {}, {.axis = 0})[0],
          "[[3. 6.]\n"
          " [3. 6.]]");
  }
  // trapezoid
  {
    const cp::array y{1.0, 2.0, 3.0};
    shows(cp::trapezoid(y), "4.0");
    shows(cp::trapezoid(y, {.dx = 0.5}), "2.0");
    shows(cp::trapezoid(y, cp::array{4.0, 6.0, 8.0}), "8.0");
  }
  // unwrap
  shows(cp::unwrap(cp::array{0.0, 1.0, 3.0, 0.0}, {.period = 4.0}), "[0. 1. 3. 4.]");
}
