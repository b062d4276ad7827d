// The engine's lock. Graphs of different arrays share nodes and buffers, so one lock guards them all; it is
// held for microseconds while recording and for the duration of an evaluation.
//
// Python's global interpreter lock and this one are kept free of deadlock by two rules: no thread waits for the
// engine's lock while it holds the GIL, and no program of the user's runs under the engine's lock. The binding installs
// hooks that let the GIL go around waits; owners of shared memory are told that it is free after the lock is.
//
// A process that forks takes the lock first, so that the child finds whole graphs and a lock that it can take.
#pragma once

namespace cuprum {

/// What the engine asks of the interpreter that the program runs in. All are null without one.
struct InterpreterHooks {
  void* (*let_gil_go)() = nullptr;  // returns a token; null: this thread has no GIL to let go
  void (*take_gil)(void* token) =
      nullptr;                     // may never return: an interpreter that exits stops its threads here
  bool (*is_exiting)() = nullptr;  // no thread but the one that exits gets the GIL any more
  void (*raise_if_interrupted)() = nullptr;  // throws where the user has asked to stop
};
void set_interpreter_hooks(InterpreterHooks hooks);

/// Recursive within a thread.
class EngineLock {
 public:
  EngineLock();
  ~EngineLock();
  EngineLock(const EngineLock&) = delete;
  EngineLock& operator=(const EngineLock&) = delete;
};

/// Lets the GIL go (if the binding is there and this thread has it) during long work.
class BlockingSection {
 public:
  BlockingSection();
  ~BlockingSection();
  BlockingSection(const BlockingSection&) = delete;
  BlockingSection& operator=(const BlockingSection&) = delete;

 private:
  void* token_;
};

/// Calls `release(owner)` as soon as this thread does not hold the lock: an owner's finaliser may run any program, and
/// wait for a thread that needs the lock.
void release_unlocked(void (*release)(void*), void* owner);

/// Called around fork() by the system, and by an interpreter before it takes locks of its own for the fork.
void before_fork();
void after_fork();

/// Throws where the user has asked to stop (Ctrl-C). Called between kernels, where every array is whole.
void raise_if_interrupted();

}  // namespace cuprum
