// cuprum/array.h
#include "examples.h"

TEST(Examples, array) {
  // array::array
  {
    const cp::array matrix{{1, 2}, {3, 4}};
    shows(matrix,
          "[[1 2]\n"
          " [3 4]]");
    shows(cp::array({1, 2}, cp::dtype::float32).type(), "float32");
    const std::vector<double> values{0.5, 1.5};
    shows(cp::array(values), "[0.5 1.5]");
    shows(cp::array(7).ndim(), "0");
    shows(cp::array(), "0.0");
  }
  // array::operator=
  {
    cp::array a{1, 2};
    const cp::array same = a;  // the same elements
    a += 10;
    shows(same, "[11 12]");
    a = cp::array{5.0};  // another array
    shows(same, "[11 12]");
  }
  // array::from_host
  {
    const float pixels[] = {1, 2, 3, 4, 5, 6};
    shows(cp::array::from_host(pixels, {2, 3}), "[[1. 2. 3.]\n [4. 5. 6.]]");
    shows(cp::array::from_host(std::vector<int>{1, 2}).type(), "int32");
  }
  // array::type
  shows(cp::array{1.0, 2.0}.type(), "float64");
  // array::shape
  shows(cp::zeros({2, 3}).shape(), "{2, 3}");
  // array::strides
  shows(cp::zeros({2, 3}).strides(), "{24, 8}");
  // array::ndim
  shows(cp::zeros({2, 3}).ndim(), "2");
  // array::size
  shows(cp::zeros({2, 3}).size(), "6");
  // array::nbytes
  shows(cp::zeros({2, 3}).nbytes(), "48");
  // array::is_pending
  {
    const cp::array a = cp::arange(4.0) * 2.0;
    cp::evaluate({a});
    shows(a.is_pending(), "false");
  }
  // array::to_host
  {
    const cp::array a = cp::array{{1.0, 2.0}, {3.0, 4.0}} * 10;
    const std::vector<double> values = a.to_host<double>();
    shows(values, "{10, 20, 30, 40}");
    double buffer[4];
    a.to_host(buffer);
    shows(buffer[3], "40");
  }
  // array::operator T
  {
    const cp::array a{1.0, 2.0, 4.0};
    shows(double(a(2)), "4");
    if (cp::any(a > 3.0)) {
      shows(int(cp::argmax(a)), "2");
    }
  }
  // array::item
  shows(cp::sum(cp::array{1.0, 2.5}).item<double>(), "3.5");
  // array::astype
  shows(cp::array{1.7, -1.7}.astype(cp::dtype::int32), "[ 1 -1]");
  // array::copy
  {
    const cp::array a{1, 2}, b = a.copy();
    b(0) = 9;
    shows(a, "[1 2]");
  }
  // array::reshape
  shows(cp::arange(6).reshape({3, -1}),
        "[[0 1]\n"
        " [2 3]\n"
        " [4 5]]");
  // array::transpose, array::T
  shows(cp::zeros({2, 3, 4}).transpose().shape(), "{4, 3, 2}");
  shows(cp::zeros({2, 3, 4}).transpose({0, 2, 1}).shape(), "{2, 4, 3}");
  shows(cp::zeros({2, 3}).T().shape(), "{3, 2}");
  // array::fill
  {
    cp::array a = cp::zeros({3});
    a.fill(7);
    shows(a, "[7. 7. 7.]");
  }
  // array::operator(), array::at, array::operator[]
  {
    const cp::array a{{1, 2, 3}, {4, 5, 6}};
    shows(a(1, 2), "6");
    shows(a(cp::slice(), cp::slice(1, {})),
          "[[2 3]\n"
          " [5 6]]");
    shows(a(a > 2), "[3 4 5 6]");
    shows(a.at(0, -1), "3");
    shows(a[1], "[4 5 6]");
    a(0, cp::slice()) = 0;
    a(a > 4) += 10;
    shows(a,
          "[[ 0  0  0]\n"
          " [ 4 15 16]]");
  }
  // array::begin, array::end, row_iterator::row_iterator, row_iterator::operator*,
  // row_iterator::operator++, row_iterator::operator==
  {
    std::vector<int> sums;
    for (const cp::array row : cp::array{{1, 2}, {3, 4}}) {
      sums.push_back(cp::sum(row).item<int>());
    }
    shows(sums, "{3, 7}");
  }
  // array::operator+=, array::operator-=, array::operator*=, array::operator/=, array::operator%=
  {
    const cp::array a{1.0, 2.0, 3.0}, view = a(cp::slice(1, {}));
    a += 1;
    a *= 4.0;
    view -= 2;
    a /= 2;
    a %= 5;
    shows(a, "[4. 0. 2.]");
  }
  // array::operator&=, array::operator|=, array::operator^=, array::operator<<=, array::operator>>=
  {
    const cp::array bits{12, 10};
    bits &= 6;
    bits |= 1;
    bits ^= 3;
    bits <<= 4;
    bits >>= 2;
    shows(bits, "[24  0]");
  }
  // slice::slice
  {
    const cp::array a = cp::arange(10);
    shows(a(cp::slice(2, -2, 3)), "[2 5]");
    shows(a(cp::slice({}, {}, -1)), "[9 8 7 6 5 4 3 2 1 0]");
    shows(a(cp::slice()), "[0 1 2 3 4 5 6 7 8 9]");
  }
  // operand::operand
  {
    const cp::array a({1.0, 2.0}, cp::dtype::float32);
    shows((a * 2.0).type(), "float32");
    shows((a * std::complex<double>(0, 1)).type(), "complex64");
  }
  // index_item::index_item
  {
    const cp::array a = cp::zeros({2, 3, 4});
    shows(a(0, cp::ellipsis, cp::newaxis).shape(), "{3, 4, 1}");
    shows(a(cp::slice(), cp::array{0, 2}).shape(), "{2, 2, 4}");
  }
  // element_reference::element_reference, element_reference::get, element_reference::operator=
  {
    const cp::array a{1, 2, 3};
    const cp::array first = a(0).get();
    a(cp::slice(0, 2)) = cp::array{10, 20};
    a(2) = a(1);
    shows(a, "[10 20 20]");
    shows(first, "1");
  }
  // element_reference::operator+=, element_reference::operator-=, element_reference::operator*=,
  // element_reference::operator/=, element_reference::operator%=
  {
    const cp::array a{1.0, 2.0, 3.0, 4.0, 5.0};
    a(0) += 1;
    a(1) -= 1;
    a(2) *= 2;
    a(3) /= 2;
    a(4) %= 3;
    shows(a, "[2. 1. 6. 2. 2.]");
  }
  // element_reference::operator&=, element_reference::operator|=, element_reference::operator^=,
  // element_reference::operator<<=, element_reference::operator>>=
  {
    const cp::array bits{12, 12, 12, 12, 12};
    bits(0) &= 6;
    bits(1) |= 1;
    bits(2) ^= 6;
    bits(3) <<= 1;
    bits(4) >>= 1;
    shows(bits, "[ 4 13 10 24  6]");
  }
}
