// cuprum/statistics.h
#include "examples.h"

TEST(Examples, statistics) {
  // median
  {
    const cp::array a{{1, 9, 3}, {4, 5, 8}};
    shows(cp::median(a), "4.5");
    shows(cp::median(a, 1), "[3. 5.]");
  }
  // nanmedian
  shows(cp::nanmedian(cp::array{1.0, cp::nan, 4.0}), "2.5");
  // quantile
  {
    const cp::array a{{10.0, 7.0, 4.0}, {3.0, 2.0, 1.0}};
    shows(cp::quantile(a, 0.5, {.axis = 0}), "[6.5 4.5 2.5]");
    shows(cp::quantile(a, cp::array{0.25, 0.75}), "[2.25 6.25]");
    shows(cp::quantile(a, 0.5, {.method = "lower"}), "3.0");
  }
  // percentile
  shows(cp::percentile(cp::array{1.0, 2.0, 3.0, 4.0}, 50), "2.5");
  // nanquantile
  shows(cp::nanquantile(cp::array{1.0, cp::nan, 3.0}, 0.5), "2.0");
  // nanpercentile
  shows(cp::nanpercentile(cp::array{1.0, cp::nan, 3.0}, 25), "1.5");
  // average
  shows(cp::average(cp::array{1.0, 2.0, 6.0}, {.weights = cp::array{3, 0, 1}}), "2.25");
  // cov
  {
    const cp::array height{1.0, 2.0, 3.0}, weight{2.0, 4.0, 9.0};
    shows(cp::cov(height, {.y = weight}),
          "[[ 1.   3.5]\n"
          " [ 3.5 13. ]]");
  }
  // corrcoef
  shows(cp::corrcoef(cp::array{{0.0, 1.0, 2.0}, {2.0, 1.0, 0.0}}),
        "[[ 1. -1.]\n"
        " [-1.  1.]]");
}
