// cuprum/polynomials.h
#include "examples.h"

TEST(Examples, polynomials) {
  // polyadd
  shows(cp::polyadd(cp::array{1, 2}, cp::array{9, 5, 4}), "[9 6 6]");
  // polysub
  shows(cp::polysub(cp::array{2, 10, -2}, cp::array{3, 10, -4}), "[-1  0  2]");
  // polymul
  shows(cp::polymul(cp::array{1, 1}, cp::array{1, -1}), "[ 1  0 -1]");
  // polydiv
  {
    const auto [quotient, remainder] = cp::polydiv(cp::array{1.0, 0.0, -2.0}, cp::array{1.0, -1.0});
    shows(quotient, "[1. 1.]");
    shows(remainder, "[-1.]");
  }
  // polyder
  shows(cp::polyder(cp::array{1, 1, 1, 1}), "[3 2 1]");
  shows(cp::polyder(cp::array{1, 1, 1, 1}, 2), "[6 2]");
  // polyint
  shows(cp::polyint(cp::array{6, 2}), "[3. 2. 0.]");
  shows(cp::polyint(cp::array{6, 2}, 1, cp::array{7}), "[3. 2. 7.]");
  // polyval
  shows(cp::polyval(cp::array{3, 0, 1}, cp::array{5, 10}), "[ 76 301]");
  // roots
  shows(cp::sort(cp::roots(cp::array{1.0, -3.0, 2.0})), "[1. 2.]");
  // poly
  shows(cp::poly(cp::array{1.0, 2.0}), "[ 1. -3.  2.]");
  // polyfit
  {
    const cp::array x{0.0, 1.0, 2.0, 3.0}, y{1.0, 3.0, 5.0, 7.0};
    shows(cp::round(cp::polyfit(x, y, 1), 6), "[2. 1.]");
  }
  // polyfit_full
  {
    const cp::array x{0.0, 1.0, 2.0, 3.0}, y{1.0, 3.0, 5.0, 8.0};
    const cp::polyfit_result fit = cp::polyfit_full(x, y, 1);
    shows(cp::round(fit.coefficients, 6), "[2.3 0.8]");
    shows(cp::round(fit.residuals, 6), "[0.3]");
    shows(fit.rank, "2");
  }
}
