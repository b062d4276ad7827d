// The engine's lock. Graphs of different arrays share nodes and buffers, so one lock guards them all; it is
// held for microseconds while recording and for the duration of an evaluation.
//
// Python's global interpreter lock and this one are kept free of deadlock by one rule: no thread waits for
// the engine's lock while it holds the GIL. The binding installs hooks that let the GIL go around waits.
#pragma once

namespace cuprum {

/// Called around anything that may block: `enter` returns a token for `leave`.
struct BlockingHooks {
  void* (*enter)() = nullptr;
  void (*leave)(void* token) = nullptr;
};
void set_blocking_hooks(BlockingHooks hooks);

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

}  // namespace cuprum
