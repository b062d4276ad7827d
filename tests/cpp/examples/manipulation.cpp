// cuprum/manipulation.h
#include "examples.h"

TEST(Examples, manipulation) {
  // reshape
  shows(cp::reshape(cp::arange(6), {2, -1}),
        "[[0 1 2]\n"
        " [3 4 5]]");
  // ravel
  shows(cp::ravel(cp::array{{1, 2}, {3, 4}}), "[1 2 3 4]");
  // transpose
  {
    shows(cp::transpose(cp::array{{1, 2, 3}, {4, 5, 6}}),
          "[[1 4]\n"
          " [2 5]\n"
          " [3 6]]");
    shows(cp::transpose(cp::zeros({2, 3, 4}), {1, 0, 2}).shape(), "{3, 2, 4}");
  }
  // matrix_transpose
  shows(cp::matrix_transpose(cp::zeros({5, 2, 3})).shape(), "{5, 3, 2}");
  // swapaxes
  shows(cp::swapaxes(cp::zeros({2, 3, 4}), 0, 2).shape(), "{4, 3, 2}");
  // moveaxis
  shows(cp::moveaxis(cp::zeros({2, 3, 4}), 0, -1).shape(), "{3, 4, 2}");
  // squeeze
  shows(cp::squeeze(cp::zeros({1, 3, 1})).shape(), "{3}");
  // expand_dims
  shows(cp::expand_dims(cp::array{1, 2}, 1),
        "[[1]\n"
        " [2]]");
  // broadcast_to
  shows(cp::broadcast_to(cp::array{1, 2}, {2, 2}),
        "[[1 2]\n"
        " [1 2]]");
  // flip
  shows(cp::flip(cp::array{{1, 2}, {3, 4}}),
        "[[4 3]\n"
        " [2 1]]");
  shows(cp::flip(cp::array{{1, 2}, {3, 4}}, {1}),
        "[[2 1]\n"
        " [4 3]]");
  // roll
  shows(cp::roll(cp::array{1, 2, 3, 4}, 1, 0), "[4 1 2 3]");
  // repeat
  shows(cp::repeat(cp::array{{1, 2}, {3, 4}}, 2, 1),
        "[[1 1 2 2]\n"
        " [3 3 4 4]]");
  // concatenate
  {
    const cp::array a{{1, 2}}, b{{3, 4}};
    shows(cp::concatenate({a, b}),
          "[[1 2]\n"
          " [3 4]]");
    shows(cp::concatenate({a, b}, 1), "[[1 2 3 4]]");
  }
  // stack
  {
    const cp::array a{1, 2}, b{3, 4};
    shows(cp::stack({a, b}),
          "[[1 2]\n"
          " [3 4]]");
    shows(cp::stack({a, b}, 1),
          "[[1 3]\n"
          " [2 4]]");
  }
  // split
  {
    const cp::array a = cp::arange(6);
    shows(cp::split(a, 3), "{[0 1], [2 3], [4 5]}");
    shows(cp::split(a, {1, 4}), "{[0], [1 2 3], [4 5]}");
  }
  // hsplit
  shows(cp::hsplit(cp::arange(4), 2), "{[0 1], [2 3]}");
  // vsplit
  shows(cp::vsplit(cp::array{{1, 2}, {3, 4}}, 2), "{[[1 2]], [[3 4]]}");
  // dsplit
  shows(cp::dsplit(cp::zeros({1, 2, 6}), 3).size(), "3");
  // unstack
  shows(cp::unstack(cp::array{{1, 2}, {3, 4}}), "{[1 2], [3 4]}");
  // rollaxis
  shows(cp::rollaxis(cp::zeros({2, 3, 4}), 2).shape(), "{4, 2, 3}");
  // array_split
  shows(cp::array_split(cp::arange(5), 2), "{[0 1 2], [3 4]}");
  // vstack
  shows(cp::vstack({cp::array{1, 2}, cp::array{3, 4}}),
        "[[1 2]\n"
        " [3 4]]");
  // row_stack
  shows(cp::row_stack({cp::array{1, 2}, cp::array{3, 4}}),
        "[[1 2]\n"
        " [3 4]]");
  // hstack
  shows(cp::hstack({cp::array{{1}, {2}}, cp::array{{3}, {4}}}),
        "[[1 3]\n"
        " [2 4]]");
  // dstack
  shows(cp::dstack({cp::array{1, 2}, cp::array{3, 4}}),
        "[[[1 3]\n"
        "  [2 4]]]");
  // column_stack
  shows(cp::column_stack({cp::array{1, 2}, cp::array{3, 4}}),
        "[[1 3]\n"
        " [2 4]]");
  // append
  shows(cp::append(cp::array{1, 2}, cp::array{7, 8}), "[1 2 7 8]");
  // tile
  shows(cp::tile(cp::array{1, 2}, {2, 2}),
        "[[1 2 1 2]\n"
        " [1 2 1 2]]");
  // resize
  shows(cp::resize(cp::array{1, 2, 3}, {2, 2}),
        "[[1 2]\n"
        " [3 1]]");
  // broadcast_arrays
  shows(cp::broadcast_arrays({cp::array{1, 2}, cp::array{{5}, {6}}})[1],
        "[[5 5]\n"
        " [6 6]]");
  // atleast_1d
  shows(cp::atleast_1d(cp::array(3.0)), "[3.]");
  // atleast_2d
  shows(cp::atleast_2d(cp::array{1, 2}), "[[1 2]]");
  // atleast_3d
  shows(cp::atleast_3d(cp::array{1, 2}).shape(), "{1, 2, 1}");
  // diagonal
  shows(cp::diagonal(cp::array{{1, 2, 3}, {4, 5, 6}}, 1), "[2 6]");
  // diag
  shows(cp::diag(cp::array{1, 2}),
        "[[1 0]\n"
        " [0 2]]");
  shows(cp::diag(cp::array{{1, 2}, {3, 4}}), "[1 4]");
  // tril
  shows(cp::tril(cp::array{{1, 2}, {3, 4}}),
        "[[1 0]\n"
        " [3 4]]");
  // triu
  shows(cp::triu(cp::array{{1, 2}, {3, 4}}),
        "[[1 2]\n"
        " [0 4]]");
  // real
  shows(cp::real(cp::array{std::complex<double>(1, 2), std::complex<double>(3, -1)}), "[1. 3.]");
  // imag
  shows(cp::imag(cp::array{std::complex<double>(1, 2), std::complex<double>(3, -1)}), "[ 2. -1.]");
  // rot90
  shows(cp::rot90(cp::array{{1, 2}, {3, 4}}),
        "[[2 4]\n"
        " [1 3]]");
  // flipud
  shows(cp::flipud(cp::array{{1, 2}, {3, 4}}),
        "[[3 4]\n"
        " [1 2]]");
  // fliplr
  shows(cp::fliplr(cp::array{{1, 2}, {3, 4}}),
        "[[2 1]\n"
        " [4 3]]");
}
