// cuprum/sorting.h
#include "examples.h"

TEST(Examples, sorting) {
  // sort
  {
    const cp::array a{{3, 1, 2}, {9, 7, 8}};
    shows(cp::sort(a),
          "[[1 2 3]\n"
          " [7 8 9]]");
    shows(cp::sort(a, 0),
          "[[3 1 2]\n"
          " [9 7 8]]");
  }
  // argsort
  shows(cp::argsort(cp::array{3.0, 1.0, 2.0}), "[1 2 0]");
  // partition
  shows(cp::partition(cp::array{7, 1, 9, 3}, {2})(2), "7");
  // argpartition
  shows(cp::argpartition(cp::array{7, 1, 9, 3}, {0})(0), "1");
  // lexsort
  {
    const cp::array surname{2, 1, 2}, given{1, 5, 0};
    shows(cp::lexsort({given, surname}), "[1 2 0]");
  }
  // unique
  {
    const cp::array a{3, 1, 3, 2};
    shows(cp::unique(a), "[1 2 3]");
    const cp::unique_result found = cp::unique(a, {.return_counts = true});
    shows(found.values, "[1 2 3]");
    shows(*found.counts, "[1 1 2]");
  }
  // searchsorted
  {
    const cp::array edges{1.0, 2.0, 3.0};
    shows(cp::searchsorted(edges, cp::array{0.5, 2.0}), "[0 1]");
    shows(cp::searchsorted(edges, cp::array{0.5, 2.0}, true), "[0 2]");
    shows(cp::searchsorted(edges, 2.5), "2");
  }
  // bincount
  {
    const cp::array a{0, 2, 2};
    shows(cp::bincount(a), "[1 0 2]");
    shows(cp::bincount(a, cp::array{0.5, 1.0, 2.0}), "[0.5 0.  3. ]");
  }
  // interp
  {
    const cp::array xp{0.0, 1.0, 2.0}, fp{0.0, 10.0, 30.0};
    shows(cp::interp(cp::array{0.5, 1.5, 9.0}, xp, fp), "[ 5. 20. 30.]");
    shows(cp::interp(cp::array{0.5, 9.0}, xp, fp, {.right = -1.0}), "[ 5. -1.]");
  }
  // nonzero
  shows(cp::nonzero(cp::array{{0, 5}, {6, 0}}), "{[0 1], [1 0]}");
  // flatnonzero
  shows(cp::flatnonzero(cp::array{{0, 5}, {6, 0}}), "[1 2]");
  // argwhere
  shows(cp::argwhere(cp::array{{0, 5}, {6, 0}}),
        "[[0 1]\n"
        " [1 0]]");
  // take
  {
    const cp::array a{{1, 2}, {3, 4}};
    shows(cp::take(a, cp::array{0, 3}), "[1 4]");
    shows(cp::take(a, cp::array{1, 1}, 0),
          "[[3 4]\n"
          " [3 4]]");
  }
  // take_along_axis
  {
    const cp::array a{{30, 10, 20}, {7, 9, 8}};
    shows(cp::take_along_axis(a, cp::argsort(a, 1), 1),
          "[[10 20 30]\n"
          " [ 7  8  9]]");
  }
  // put_along_axis
  {
    const cp::array a{{30, 10, 20}, {7, 9, 8}};
    cp::put_along_axis(a, cp::array{{1}, {0}}, 0, 1);
    shows(a,
          "[[30  0 20]\n"
          " [ 0  9  8]]");
  }
  // put
  {
    const cp::array a{1, 2, 3, 4};
    cp::put(a, cp::array{0, -1}, cp::array{10, 40});
    shows(a, "[10  2  3 40]");
  }
  // choose
  shows(cp::choose(cp::array{0, 1, 0}, {cp::array{1, 2, 3}, cp::array{10, 20, 30}}), "[ 1 20  3]");
  // compress
  shows(cp::compress(cp::array{true, false}, cp::array{{1, 2}, {3, 4}}, 1),
        "[[1]\n"
        " [3]]");
  // extract
  {
    const cp::array a = cp::arange(6);
    shows(cp::extract(a % 2 == 0, a), "[0 2 4]");
  }
  // place
  {
    const cp::array a{1, 2, 3, 4};
    cp::place(a, a > 2, cp::array{0, 9});
    shows(a, "[1 2 0 9]");
  }
  // putmask
  {
    const cp::array a{1, 2, 3, 4};
    cp::putmask(a, a > 2, cp::array{10, 20, 30, 40});
    shows(a, "[ 1  2 30 40]");
  }
  // copyto
  {
    const cp::array a{1, 2, 3};
    cp::copyto(a, 0, a > 1);
    shows(a, "[1 0 0]");
  }
}
