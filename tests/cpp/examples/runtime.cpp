// cuprum/runtime.h
#include "examples.h"

TEST(Examples, runtime) {
  // evaluate
  {
    const cp::array a = cp::sqrt(cp::arange(4.0)), b = a + 1.0;
    cp::evaluate({a, b});  // both in one kernel
    shows(b.is_pending(), "false");
  }
  // show_graph
  {
    const cp::array a = cp::sqrt(cp::arange(4.0)) + 1.0;
    shows(cp::show_graph(a).empty(), "false");
  }
  // set_eager
  {
    cp::set_eager(true);
    shows((cp::arange(4.0) + 1.0).is_pending(), "false");
    cp::set_eager(false);
  }
  // set_device, device
  {
    const std::string before = cp::device();
    cp::set_device("cpu");
    shows(cp::device(), "cpu");
    cp::set_device(before);
  }
  // synchronize
  {
    const cp::array a = cp::arange(4.0) + 1.0;
    cp::synchronize();
    shows(a.is_pending(), "false");
  }
  // memory
  {
    const cp::array a = cp::ones({1024});
    cp::evaluate({a});
    shows(cp::memory().used_bytes >= a.nbytes(), "true");
  }
  // free_all_blocks
  {
    cp::evaluate({cp::ones({1024})});
    cp::free_all_blocks();
    shows(cp::memory().total_bytes >= cp::memory().used_bytes, "true");
  }
}
