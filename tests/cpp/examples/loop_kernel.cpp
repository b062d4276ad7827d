// cuprum/loop_kernel.h
#include "examples.h"

TEST(Examples, loop_kernel) {
  // elementwise_kernel::elementwise_kernel, elementwise_kernel::operator()
  {
    const cp::elementwise_kernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)");
    shows(squared_diff(cp::array{1.0, 4.0}, 2), "[1. 4.]");
  }
  // elementwise_kernel::call
  {
    const cp::elementwise_kernel both("T x", "T twice, T half", "twice = x * 2; half = x / 2");
    const cp::array x{3.0, 5.0};
    const std::vector<cp::operand> arguments{x};
    shows(both.call(arguments), "{[ 6. 10.], [1.5 2.5]}");
  }
  // reduction_kernel::reduction_kernel, reduction_kernel::operator(), reduction_kernel::reduce,
  // reduction_kernel::call
  {
    const cp::reduction_kernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");
    const cp::array rows{{3.0, 4.0}, {6.0, 8.0}};
    shows(norm(cp::array{3.0, 4.0}), "5.0");
    shows(norm.reduce(rows, {1}), "[ 5. 10.]");
    const std::vector<cp::operand> arguments{rows};
    shows(norm.call(arguments, {1}, true), "{[[ 5.]\n [10.]]}");
  }
}
