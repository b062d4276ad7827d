// cuprum/reductions.h
#include "examples.h"

TEST(Examples, reductions) {
  // sum
  {
    const cp::array a{{1, 2, 3}, {4, 5, 6}};
    shows(cp::sum(a), "21");
    shows(cp::sum(a, 0), "[5 7 9]");
    shows(cp::sum(a, {.axis = 1, .keepdims = true}),
          "[[ 6]\n"
          " [15]]");
    shows(cp::sum(a, {.where = a > 2}), "18");
  }
  // prod
  shows(cp::prod(cp::array{1.0, 2.0, 4.0}), "8.0");
  // min
  shows(cp::min(cp::array{{3, 1}, {2, 4}}, 1), "[1 2]");
  // max
  shows(cp::max(cp::array{{3, 1}, {2, 4}}, {0, 1}), "4");
  // any
  shows(cp::any(cp::array{{true, false}, {false, false}}, 1), "[ True False]");
  // all
  shows(cp::all(cp::array{1, 2, 0}), "False");
  // mean
  {
    const cp::array a{{1.0, 2.0}, {3.0, 5.0}};
    shows(cp::mean(a), "2.75");
    shows(cp::mean(a, 0), "[2.  3.5]");
  }
  // ptp
  shows(cp::ptp(cp::array{{4, 9}, {2, 3}}, 1), "[5 1]");
  // count_nonzero
  shows(cp::count_nonzero(cp::array{{0, 1, 7}, {3, 0, 0}}, 1), "[2 1]");
  // nansum
  shows(cp::nansum(cp::array{1.0, cp::nan, 3.0}), "4.0");
  // nanprod
  shows(cp::nanprod(cp::array{2.0, cp::nan, 3.0}), "6.0");
  // nanmin
  shows(cp::nanmin(cp::array{2.0, cp::nan, 3.0}), "2.0");
  // nanmax
  shows(cp::nanmax(cp::array{2.0, cp::nan, 3.0}), "3.0");
  // nanmean
  shows(cp::nanmean(cp::array{1.0, cp::nan, 3.0}), "2.0");
  // var
  {
    const cp::array a{1.0, 2.0, 3.0, 4.0};
    shows(cp::var(a), "1.25");
    shows(cp::var(a, {.axis = 0, .ddof = 1}), "1.6666666666666667");
  }
  // std
  shows(cp::std(cp::array{{1.0, 3.0}, {2.0, 8.0}}, 1), "[1. 3.]");
  // nanvar
  shows(cp::nanvar(cp::array{1.0, cp::nan, 3.0}), "1.0");
  // nanstd
  shows(cp::nanstd(cp::array{1.0, cp::nan, 5.0}), "2.0");
  // argmin
  shows(cp::argmin(cp::array{3, 1, 2}), "1");
  // argmax
  {
    const cp::array a{{1, 9, 3}, {7, 5, 6}};
    shows(cp::argmax(a), "1");
    shows(cp::argmax(a, 1), "[1 0]");
    shows(cp::argmax(a, {.axis = 1, .keepdims = true}),
          "[[1]\n"
          " [0]]");
  }
  // nanargmin
  shows(cp::nanargmin(cp::array{cp::nan, 4.0, 2.0}), "2");
  // nanargmax
  shows(cp::nanargmax(cp::array{cp::nan, 4.0, 2.0}), "1");
  // trace
  shows(cp::trace(cp::array{{1, 2}, {3, 4}}), "5");
  // cumsum
  {
    const cp::array a{{1, 2}, {3, 4}};
    shows(cp::cumsum(a), "[ 1  3  6 10]");
    shows(cp::cumsum(a, 0),
          "[[1 2]\n"
          " [4 6]]");
  }
  // cumprod
  shows(cp::cumprod(cp::array{1, 2, 3, 4}), "[ 1  2  6 24]");
  // nancumsum
  shows(cp::nancumsum(cp::array{1.0, cp::nan, 3.0}), "[1. 1. 4.]");
  // nancumprod
  shows(cp::nancumprod(cp::array{2.0, cp::nan, 3.0}), "[2. 2. 6.]");
}
