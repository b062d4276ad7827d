// cuprum/creation.h
#include "examples.h"

TEST(Examples, creation) {
  // empty
  shows(cp::empty({2, 3}, cp::dtype::float32).shape(), "{2, 3}");
  // zeros
  shows(cp::zeros({2, 3}),
        "[[0. 0. 0.]\n"
        " [0. 0. 0.]]");
  // ones
  shows(cp::ones({3}, cp::dtype::int32), "[1 1 1]");
  // full
  shows(cp::full({2, 2}, 7.5),
        "[[7.5 7.5]\n"
        " [7.5 7.5]]");
  shows(cp::full({3}, 7), "[7 7 7]");
  shows(cp::full({2, 2}, cp::array{1, 2}, cp::dtype::float32),
        "[[1. 2.]\n"
        " [1. 2.]]");
  // empty_like, zeros_like, ones_like, full_like
  {
    const cp::array a{{1, 2, 3}, {4, 5, 6}};
    shows(cp::zeros_like(a),
          "[[0 0 0]\n"
          " [0 0 0]]");
    shows(cp::ones_like(a, {.dtype = cp::dtype::float32, .shape = cp::shape_type{2}}), "[1. 1.]");
    shows(cp::full_like(a, 7, {.shape = cp::shape_type{2}}), "[7 7]");
    shows(cp::empty_like(a).shape(), "{2, 3}");
  }
  // integer_range
  shows(cp::integer_range(10, 0, -3), "[10  7  4  1]");
  // arange
  shows(cp::arange(5), "[0 1 2 3 4]");
  shows(cp::arange(2, 10, 3), "[2 5 8]");
  shows(cp::arange(0.0, 1.0, 0.25), "[0.   0.25 0.5  0.75]");
  // linspace
  shows(cp::linspace(0.0, 1.0, 5), "[0.   0.25 0.5  0.75 1.  ]");
  shows(cp::linspace(0.0, 1.0, 4, false), "[0.   0.25 0.5  0.75]");
  // logspace
  shows(cp::logspace(0.0, 3.0, 4), "[   1.   10.  100. 1000.]");
  // geomspace
  shows(cp::geomspace(1.0, 8.0, 4), "[1. 2. 4. 8.]");
  // identity
  shows(cp::identity(2),
        "[[1. 0.]\n"
        " [0. 1.]]");
  // tri
  shows(cp::tri(3),
        "[[1. 0. 0.]\n"
        " [1. 1. 0.]\n"
        " [1. 1. 1.]]");
  // meshgrid
  {
    const auto grid = cp::meshgrid({cp::array{1, 2, 3}, cp::array{10, 20}});
    shows(grid[0],
          "[[1 2 3]\n"
          " [1 2 3]]");
    shows(grid[1],
          "[[10 10 10]\n"
          " [20 20 20]]");
  }
  // eye
  shows(cp::eye(2, 3, 1),
        "[[0. 1. 0.]\n"
        " [0. 0. 1.]]");
}
