// cuprum/stream.h
#include <atomic>

#include "examples.h"

TEST(Examples, stream) {
  // stream::stream, stream_scope::stream_scope
  {
    const cp::stream loading;
    cp::array x;
    {
      const cp::stream_scope here(loading);
      x = cp::arange(3.0) / 2.0;  // this work goes to `loading`
    }
    shows(x + 1.0, "[1.  1.5 2. ]");  // in order, on whichever stream
  }
  // stream::null, get_current_stream, operator==
  shows(cp::get_current_stream() == cp::stream::null(), "true");
  // stream::from_external, stream::native
  {
    const cp::stream own;
    shows(cp::stream::from_external(own.native()) == own, "true");
  }
  // stream::device
  shows(cp::stream().device() == cp::device(), "true");
  // stream::is_non_blocking, stream::priority
  {
    const cp::stream urgent({.non_blocking = true, .priority = -1});
    shows(urgent.is_non_blocking(), "true");
    shows(urgent.priority(), "-1");
  }
  // stream::synchronize, stream::done
  {
    const cp::stream own;
    own.synchronize();
    shows(own.done(), "true");
  }
  // stream::record, stream::wait_event
  {
    const cp::stream first, second;
    const cp::event ready = first.record();
    second.wait_event(ready);  // work of `second` comes behind that of `first`
    second.synchronize();
    shows(ready.done(), "true");
  }
  // stream::launch_host_func
  {
    const cp::stream own;
    std::atomic<bool> finished = false;
    own.launch_host_func([&] { finished = true; });
    own.synchronize();
    shows(finished.load(), "true");
  }
  // stream::use
  {
    const cp::stream own;
    own.use();
    shows(cp::get_current_stream() == own, "true");
    cp::stream::null().use();
  }
  // stream::begin_capture, stream::end_capture, stream::is_capturing, graph::launch
  {
    const cp::array total = cp::zeros({3}), step{1.0, 2.0, 3.0};
    cp::evaluate({total, step});
    const cp::stream own;
    std::optional<cp::graph> work;
    {
      const cp::stream_scope here(own);
      own.begin_capture();
      total += step;  // kept, not run
      shows(own.is_capturing(), "true");
      work = own.end_capture();
    }
    work->launch();
    work->launch(own);
    shows(total, "[2. 4. 6.]");
  }
  // event::event, event::record, event::synchronize, event::done
  {
    const cp::event finished;
    const cp::array x = cp::sqrt(cp::arange(1000.0));
    finished.record();
    finished.synchronize();  // waits for the square roots
    shows(finished.done(), "true");
  }
  // get_elapsed_time
  {
    const cp::event start, stop;
    start.record();
    cp::evaluate({cp::sqrt(cp::arange(1000.0))});
    stop.record();
    stop.synchronize();
    shows(cp::get_elapsed_time(start, stop) >= 0, "true");
  }
}
