// cuprum/positions.h
#include "examples.h"

TEST(Examples, positions) {
  // diag_indices
  {
    const cp::array a = cp::zeros({3, 3}, cp::dtype::int64);
    const auto diagonal = cp::diag_indices(3);
    a(diagonal[0], diagonal[1]) = cp::array{1, 2, 3};
    shows(a,
          "[[1 0 0]\n"
          " [0 2 0]\n"
          " [0 0 3]]");
  }
  // diag_indices_from
  shows(cp::diag_indices_from(cp::zeros({2, 2})), "{[0 1], [0 1]}");
  // tril_indices
  shows(cp::tril_indices(2), "{[0 1 1], [0 0 1]}");
  // tril_indices_from
  shows(cp::tril_indices_from(cp::zeros({2, 3}), 1), "{[0 0 1 1 1], [0 1 0 1 2]}");
  // triu_indices
  shows(cp::triu_indices(2, 1, 3), "{[0 0 1], [1 2 2]}");
  // triu_indices_from
  shows(cp::triu_indices_from(cp::zeros({2, 2})), "{[0 0 1], [0 1 1]}");
  // mask_indices
  shows(cp::mask_indices(3, cp::triu, 1), "{[0 0 1], [1 2 2]}");
  // indices
  shows(cp::indices({2, 3})(1),
        "[[0 1 2]\n"
        " [0 1 2]]");
  // sparse_indices
  shows(cp::sparse_indices({2, 3})[1], "[[0 1 2]]");
  // ix_
  {
    const cp::array a{{1, 2, 3}, {4, 5, 6}};
    const auto grid = cp::ix_({cp::array{0, 1}, cp::array{0, 2}});
    shows(a(grid[0], grid[1]),
          "[[1 3]\n"
          " [4 6]]");
  }
  // fromfunction
  {
    const auto distance = [](const cp::array& i, const cp::array& j) { return cp::abs(i - j); };
    shows(cp::fromfunction(distance, {2, 3}),
          "[[0. 1. 2.]\n"
          " [1. 0. 1.]]");
  }
  // ravel_multi_index
  shows(cp::ravel_multi_index({cp::array{0, 1}, cp::array{2, 0}}, {2, 3}), "[2 3]");
  // unravel_index
  shows(cp::unravel_index(cp::array{2, 3}, {2, 3}), "{[0 1], [2 0]}");
  // select
  {
    const cp::array x = cp::arange(6);
    shows(cp::select({x<2, x> 3}, {x, x * 10}, -1), "[ 0  1 -1 -1 40 50]");
  }
  // piecewise
  {
    const cp::array x{-2.0, 0.0, 3.0};
    shows(cp::piecewise(x, {x < 0, x >= 0}, {0, [](const cp::array& y) { return y * y; }}), "[0. 0. 9.]");
  }
  // piece::piece, piece::number, piece::function
  {
    const cp::piece zero = 0, root([](const cp::array&y) { return cp::sqrt(y); });
    shows(root.function()(cp::array{9.0}), "[3.]");
    shows(cp::add(zero.number(), 1), "1");
  }
}
