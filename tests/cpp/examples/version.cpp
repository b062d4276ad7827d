// cuprum/version.h
#include "examples.h"

TEST(Examples, version) {
  // version
  shows(std::string(cp::version()).starts_with(std::to_string(CUPRUM_VERSION_MAJOR) + "."), "true");
}
