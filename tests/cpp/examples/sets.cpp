// cuprum/sets.h
#include "examples.h"

TEST(Examples, sets) {
  // isin
  shows(cp::isin(cp::array{1, 2, 3}, cp::array{3, 1}), "[ True False  True]");
  // union1d
  shows(cp::union1d(cp::array{3, 1}, cp::array{2, 3}), "[1 2 3]");
  // intersect1d
  shows(cp::intersect1d(cp::array{3, 1, 2}, cp::array{2, 3, 5}), "[2 3]");
  // intersect1d_indices
  {
    const auto [values, first, second] = cp::intersect1d_indices(cp::array{3, 1, 2}, cp::array{2, 3, 5});
    shows(values, "[2 3]");
    shows(first, "[2 0]");
    shows(second, "[0 1]");
  }
  // setxor1d
  shows(cp::setxor1d(cp::array{3, 1, 2}, cp::array{2, 3, 5}), "[1 5]");
  // setdiff1d
  shows(cp::setdiff1d(cp::array{3, 1, 2}, cp::array{2}), "[1 3]");
  // unique_values
  shows(cp::unique_values(cp::array{3, 1, 3}), "[1 3]");
  // unique_counts
  {
    const auto [values, counts] = cp::unique_counts(cp::array{3, 1, 3});
    shows(values, "[1 3]");
    shows(counts, "[1 2]");
  }
  // unique_inverse
  {
    const auto [values, inverse] = cp::unique_inverse(cp::array{3, 1, 3});
    shows(inverse, "[1 0 1]");
    shows(cp::take(values, inverse), "[3 1 3]");
  }
  // unique_all
  {
    const auto [values, indices, inverse, counts] = cp::unique_all(cp::array{3, 1, 3});
    shows(values, "[1 3]");
    shows(indices, "[1 0]");
    shows(inverse, "[1 0 1]");
    shows(counts, "[1 2]");
  }
}
