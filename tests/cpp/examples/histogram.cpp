// cuprum/histogram.h
#include "examples.h"

TEST(Examples, histogram) {
  // histogram
  {
    const cp::array a{0.5, 1.0, 2.5, 4.0};
    const auto [counts, edges] = cp::histogram(a, 4, {.range = cp::bin_range(0.0, 4.0)});
    shows(counts, "[1 1 1 1]");
    shows(edges, "[0. 1. 2. 3. 4.]");
  }
  // histogram_bin_edges
  shows(cp::histogram_bin_edges(cp::array{0.0, 1.0, 8.0}, 4), "[0. 2. 4. 6. 8.]");
  // bin_spec::bin_spec, bin_spec::count, bin_spec::edges, bin_spec::rule
  {
    const cp::array a{1.0, 2.0, 2.0, 7.0};
    shows(cp::histogram(a, 3).counts, "[3 0 1]");
    shows(cp::histogram(a, cp::array{0.0, 2.0, 8.0}).counts, "[1 3]");
    shows(cp::histogram(a, "sqrt").counts, "[3 1]");
    shows(cp::bin_spec(3).count(), "3");
    shows(cp::bin_spec(a).edges().has_value(), "true");
    shows(*cp::bin_spec("sqrt").rule(), "sqrt");
  }
  // histogram2d
  {
    const cp::array x{0.0, 1.0, 1.0}, y{0.0, 0.0, 1.0};
    const auto [counts, x_edges, y_edges] = cp::histogram2d(x, y, {2});
    shows(counts,
          "[[1. 0.]\n"
          " [1. 1.]]");
    shows(x_edges, "[0.  0.5 1. ]");
  }
  // histogramdd
  {
    const cp::array points{{0.0, 0.0}, {1.0, 0.0}, {1.0, 1.0}};
    const auto [counts, edges] = cp::histogramdd(points, {2, 1});
    shows(counts,
          "[[1.]\n"
          " [2.]]");
    shows(edges[0], "[0.  0.5 1. ]");
  }
  // digitize
  shows(cp::digitize(cp::array{0.2, 6.4, 3.0}, cp::array{0.0, 1.0, 2.5, 4.0}), "[1 4 3]");
}
