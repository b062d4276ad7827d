// The graph's lock. Graphs of different arrays share nodes and buffers, so one lock guards them all; it is held for
// microseconds, while nodes are recorded and evaluations planned, never while a device works, the CPU computes on more than a
// few cache lines, or the host waits.
//
// Deadlock is kept away by one order: Python's global interpreter lock comes before this one. Whoever holds this lock never takes
// the GIL, and no program of the user's runs under it: owners of shared memory are told that it is free after the lock is.
// The exception are allocators that a program has written itself (runtime/allocator.h): while there are any, whoever waits for
// this lock lets the GIL go.
//
// What a thread has taken out of the graph to compute it, without the lock, is in flight (expr/evaluate.cpp). A process that
// forks waits until nothing is, and takes the lock, so that the child finds whole graphs and a lock that it can take.
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

/// Allocators that run programs of the user's: how many more there are than before.
void note_user_allocators(int more);

/// Long work: lets the lock go, however often this thread holds it, and the GIL (if the binding is there and this thread has
/// it), and takes both back at the end. What the thread knew of the graph it must look at again.
class BlockingSection {
 public:
  BlockingSection();
  ~BlockingSection();
  BlockingSection(const BlockingSection&) = delete;
  BlockingSection& operator=(const BlockingSection&) = delete;

 private:
  const int depth_;
  bool suspended_ = false;
  void* token_;
};

/// Under the lock: something is taken out of the graph to be computed, or is back. Between the two the lock may be free.
void note_take_off();
void note_landing();
/// Under the lock: waits, without it and the GIL, until something has landed, or for a moment. The caller looks again.
void wait_for_landing();
bool interpreter_exits();

/// Calls `release(owner)` as soon as this thread does not hold the lock: an owner's finaliser may run any program, and
/// wait for a thread that needs the lock.
void release_unlocked(void (*release)(void*), void* owner);

/// Called around fork() by the system, and by an interpreter before it takes locks of its own for the fork.
void before_fork();
void after_fork();

/// Throws where the user has asked to stop (Ctrl-C). Called between kernels, where every array is whole.
void raise_if_interrupted();

}  // namespace cuprum
