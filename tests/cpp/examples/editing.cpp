// cuprum/editing.h
#include "examples.h"

TEST(Examples, editing) {
  // delete_
  {
    const cp::array a{{1, 2, 3}, {4, 5, 6}};
    shows(cp::delete_(a, 1, 1),
          "[[1 3]\n"
          " [4 6]]");
    shows(cp::delete_(a, cp::slice(0, 2)), "[3 4 5 6]");
  }
  // insert
  shows(cp::insert(cp::array{1, 2, 3}, 1, 9), "[1 9 2 3]");
  shows(cp::insert(cp::array{{1, 2}, {3, 4}}, 1, cp::array{7, 8}, 1),
        "[[1 7 2]\n"
        " [3 8 4]]");
  // trim_zeros
  shows(cp::trim_zeros(cp::array{0, 0, 1, 2, 0}), "[1 2]");
  shows(cp::trim_zeros(cp::array{0, 0, 1, 2, 0}, "f"), "[1 2 0]");
  // block, blocks::blocks, blocks::block, blocks::list
  {
    const cp::array a = cp::eye(2), b{{5.0}, {6.0}};
    shows(cp::block({{a, b}, {cp::zeros({1, 2}), 7.0}}),
          "[[1. 0. 5.]\n"
          " [0. 1. 6.]\n"
          " [0. 0. 7.]]");
    const cp::blocks row{a, b};
    shows(row.list().size(), "2");
    shows(*row.list()[1].block(), "[[5.]\n [6.]]");
  }
  // diagflat
  shows(cp::diagflat(cp::array{{1, 2}}),
        "[[1 0]\n"
        " [0 2]]");
  // fill_diagonal
  {
    const cp::array a = cp::zeros({2, 3});
    cp::fill_diagonal(a, 5);
    shows(a,
          "[[5. 0. 0.]\n"
          " [0. 5. 0.]]");
  }
  // vander
  shows(cp::vander(cp::array{1, 2, 3}, 3),
        "[[1 1 1]\n"
        " [4 2 1]\n"
        " [9 3 1]]");
}
