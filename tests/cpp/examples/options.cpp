// cuprum/options.h
#include "examples.h"

TEST(Examples, options) {
  // axis_set::axis_set, axis_set::axes
  {
    const cp::array a = cp::ones({2, 3, 4});
    shows(cp::sum(a, 0).shape(), "{3, 4}");
    shows(cp::sum(a, {0, -1}).shape(), "{3}");
    shows(cp::sum(a, cp::axis_set()).shape(), "{}");
    shows(*cp::axis_set({0, -1}).axes(), "{0, -1}");
  }
  // by_name::by_name
  {
    const cp::array a = cp::ones({2, 3});
    shows(cp::sum(a, {.axis = 1}), "[3. 3.]");
    shows(cp::sum(a, {.axis = 1, .keepdims = true}).shape(), "{2, 1}");
    const cp::reduce_options columns{.axis = 0, .dtype = cp::dtype::float32};
    shows(cp::mean(a, columns).type(), "float32");
  }
}
