// cuprum/constants.h
#include "examples.h"

TEST(Examples, constants) {
  // pi, e, euler_gamma
  shows(cp::array{cp::pi, cp::e, cp::euler_gamma}, "[3.14159265 2.71828183 0.57721566]");
  // inf, nan
  shows(cp::array{cp::inf, cp::nan}, "[inf nan]");
}
