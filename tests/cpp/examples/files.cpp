// cuprum/files.h
#include "examples.h"

TEST(Examples, files) {
  // save, load
  {
    cp::save("a.npy", cp::array{{1, 2}, {3, 4}});
    shows(cp::load("a.npy"), "[[1 2]\n [3 4]]");
  }
  // savez, load_npz
  {
    cp::savez("both.npz", {{"x", cp::array{1.0, 2.0}}, {"y", cp::array{true}}});
    const std::map<std::string, cp::array> found = cp::load_npz("both.npz");
    shows(found.at("x"), "[1. 2.]");
    shows(found.size(), "2");
  }
}
