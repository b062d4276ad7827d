// cuprum/padding.h
#include "examples.h"

TEST(Examples, padding) {
  // pad
  {
    const cp::array a{1, 2, 3};
    shows(cp::pad(a, 2), "[0 0 1 2 3 0 0]");
    shows(cp::pad(a, {1, 2}, {.mode = "edge"}), "[1 1 2 3 3 3]");
    shows(cp::pad(a, 2, {.mode = "reflect"}), "[3 2 1 2 3 2 1]");
    shows(cp::pad(cp::array{{1, 2}}, {{1, 0}, {0, 1}}, {.constant_values = 9}),
          "[[9 9 9]\n"
          " [1 2 9]]");
  }
  // border_pairs::border_pairs, border_pairs::pairs
  {
    const cp::border_pairs<std::int64_t> all = 2, each{{1, 0}, {0, 3}};
    shows(all.pairs().size(), "1");
    shows(each.pairs()[1][1], "3");
  }
}
