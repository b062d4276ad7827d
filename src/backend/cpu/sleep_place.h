// Where a sleeping worker wakes up: not on the processor of the thread that wakes it.
//
// After some idle time, kernels (Linux 6.18 in a virtual machine here) often wake a thread where its waker runs, though
// other processors have nothing to do, and leave it there until a tick of 4 ms: of 100 jobs of 3.5 ms after 20 ms
// each, 50 took one thread's time. So the waker takes its own processor out of the sleeper's mask, and the sleeper puts
// it back as soon as it runs: whatever mask the user gave it holds at all other times.
// (A cpuset that later grows beyond that mask no longer reaches the thread: Linux takes the mask for the user's wish.)
#pragma once

#include <sched.h>

#include <mutex>

#include "runtime/spin_lock.h"

namespace cuprum::cpu {

class SleepPlace {
 public:
  /// Called by the worker around its sleep.
  void enter();
  void leave();

  /// Called by the thread that is about to wake the worker, and runs on `cpu`. Takes 10 us; does nothing where the
  /// worker is awake, or may run nowhere else.
  void keep_off(int cpu);

 private:
  SpinLock lock_;
  pid_t sleeper_ = 0;  // 0: awake
  bool moved_ = false;
  cpu_set_t mask_;  // the sleeper's own, while moved_
};

}  // namespace cuprum::cpu
