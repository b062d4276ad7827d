// The graph's lock. Graphs of different arrays share nodes and buffers, so one lock guards them all; it is held for
// microseconds, while evaluations are planned and storages named, never while a device works, the CPU computes on more than a
// few cache lines, or the host waits. Threads that only record share the graph (runtime/recording_lock.h).
//
// Deadlock is kept away by one order: Python's global interpreter lock comes before this one. Whoever holds this lock never takes
// the GIL, but for an allocator of the program's own (runtime/allocator.h), and no other program of the user's runs under it:
// owners of shared memory are told that it is free after the lock is. A thread that waits for this lock lets the GIL go: its
// holder may need it for such an allocator, and an interpreter without one knows threads that are attached to it instead,
// and some of its own work stops them all, as a fork does, which holds this lock.
//
// What a thread has taken out of the graph to compute it, without the lock, is in flight (expr/flight.h). A process that
// forks waits until nothing is, and takes the lock, so that the child finds whole graphs and a lock that it can take.
//
// Functions of the host that a stream calls in its turn (Stream::launch_host) may be Python's and need the GIL. Calls of a driver
// can wait for every stream by the way (one that loads a kernel does), and keep other threads out of the driver meanwhile.
// So while any such function is waiting, no thread keeps the GIL under this lock or in a driver: it would keep it from them.
#pragma once

#include <atomic>

namespace cuprum {

/// How many functions of the host streams have yet to call. Raised by threads that hold the GIL, if there is one.
extern std::atomic<int> host_functions;

/// What the engine asks of the interpreter that the program runs in. All are null without one.
struct InterpreterHooks {
  void* (*let_gil_go)() = nullptr;  // returns a token; null: this thread has no GIL to let go
  void (*take_gil)(void* token) =
      nullptr;                          // may never return: an interpreter that exits stops its threads here
  bool (*is_exiting)() = nullptr;       // no thread but the one that exits gets the GIL any more
  bool (*is_interrupted)() = nullptr;   // has the user asked to stop? Said once
  void (*raise_interrupt)() = nullptr;  // throws, unless the program treats it itself
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

/// A call of a driver: without the GIL where functions of the host wait for it.
class DriverCall {
 public:
  DriverCall() {
    if (host_functions.load(std::memory_order_relaxed) != 0) [[unlikely]]
      let_gil_go();
  }
  ~DriverCall() {
    if (token_) [[unlikely]]
      take_gil();
  }
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;

 private:
  void let_gil_go();
  void take_gil();

  void* token_ = nullptr;
};

/// Lets the lock go, however often this thread holds it, and takes it back at the end. What the thread knew of the graph it
/// must look at again.
class Unlocked {
 public:
  Unlocked();
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

  bool held_lock() const { return depth_ != 0; }

 private:
  const int depth_;
  bool suspended_ = false;
};

/// Long work: lets the GIL go too (if the binding is there and this thread has it).
class BlockingSection {
 public:
  BlockingSection();
  ~BlockingSection();
  BlockingSection(const BlockingSection&) = delete;
  BlockingSection& operator=(const BlockingSection&) = delete;

 private:
  const Unlocked unlocked_;  // the lock goes first and comes last
  void* const token_;
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
