// cuprum/printing.h
#include <sstream>

#include "examples.h"

TEST(Examples, printing) {
  // array_str
  shows(cp::array_str(cp::array{1.0, 0.25}), "[1.   0.25]");
  shows(cp::array_str(cp::array{1.0 / 3}, {.precision = 3}), "[0.333]");
  shows(cp::array_str(cp::array(std::complex<double>(1.5, -2))), "(1.5-2j)");
  // array_repr
  shows(cp::array_repr(cp::array{1.0, 2.0}), "array([1., 2.])");
  // operator<<
  {
    std::ostringstream text;
    text << "a = " << cp::array{1, 2};
    text << ", " << cp::dtype::int64;
    shows(text.str(), "a = [1 2], int64");
  }
  // std::formatter::format
#ifdef __cpp_lib_format
  shows(std::format("a = {}", cp::array{1, 2}), "a = [1 2]");
#endif
}
