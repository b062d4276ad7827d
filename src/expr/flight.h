// Evaluations that run without the graph's lock.
//
// A long kernel runs while other threads record and evaluate. Until it is done the nodes of its evaluation are in flight: no other
// evaluation may plan with them, since they are about to become buffers, and since a kernel may overwrite what only they read. Who
// meets one waits for the landing and plans again; an evaluation in flight waits for nobody, so that none waits for ever. Arrays over
// nodes in flight can be read by new nodes, renamed and dropped all the while: the landing finds whoever reads them then.
#pragma once

#include <span>
#include <utility>

#include "expr/node.h"
#include "runtime/lock.h"

namespace cuprum {

/// All functions but `without_lock`'s argument are called, and the object destroyed, under the graph's lock.
class Flight {
 public:
  /// Nothing is in flight yet. `nodes` outlives the flight.
  explicit Flight(std::span<const Ref<Node>> nodes) : nodes_(nodes) {}
  ~Flight() { land(); }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  /// Runs `work` without the lock and the GIL, the nodes in flight from now until they land.
  template <class F>
  void without_lock(F&& work) {
    take_off();
    {
      BlockingSection others_run;
      const Return at_end{*this};
      std::forward<F>(work)();
    }
    returning_ = false;
  }
  void land() {
    if (flies_) [[unlikely]]
      touch_down();
  }
  /// Is the thread on its way back to the GIL? An interpreter that exits lets no thread have it: whoever needs the nodes then
  /// may land them.
  bool is_returning() const { return returning_; }

 private:
  struct Return {
    Flight& flight;
    ~Return() {
      EngineLock lock;
      flight.returning_ = true;
    }
  };
  void take_off();
  void touch_down();

  std::span<const Ref<Node>> nodes_;
  bool flies_ = false;
  bool returning_ = false;
};

/// Waits, without the lock and the GIL, for a landing: the caller looks at the graph again.
void wait_for(Flight& other);

}  // namespace cuprum
