// Recording beside others.
//
// Threads that record share the graph: a node that is being made is nobody else's yet, and what it touches of others is counts of
// references and lists of readers, each with a small lock of its own. Whoever does more (plans, evaluates, gives a storage
// another name) has the graph alone, by EngineLock. So threads that record independent work meet nowhere.
//
// Every thread that records has a Recorder and writes to no other: it says there that it is inside, then looks whether
// somebody has the graph alone; who wants it alone takes the lock first, then waits until nobody is inside (Dekker's
// order, both sides sequentially consistent). Sections last well under a microsecond, and wait for nothing; what may wait at
// their end (owners of shared memory, calls of primitives that are dropped) is put off by release_unlocked.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/free_list.h"
#include "runtime/spin_lock.h"

namespace cuprum {

/// Objects that live for microseconds, by kind: a thread keeps its freed ones for its next.
enum class Spare : std::uint8_t { node, reduction, call, storage, buffer, count_ };

struct alignas(64) Recorder {
  std::atomic<bool> inside{false};
  std::uint32_t number = 0;                // of the thread, in the order of their first recording
  std::atomic<std::uint64_t> recorded{0};  // nodes; written by this thread alone
  FreeList spare[static_cast<int>(Spare::count_)];
  Recorder* next = nullptr;
};

/// This thread's; null: it has not recorded yet, or is about to end.
extern constinit thread_local Recorder* this_recorder __attribute__((tls_model("initial-exec")));
/// Inside a section, and other threads may be inside theirs. False for a program that records in one thread: its counts and lists
/// need no atomic steps.
extern constinit thread_local bool shares_graph __attribute__((tls_model("initial-exec")));

/// Recursive within a thread, and nothing to do where it has the graph alone. Not the other way round: EngineLock within
/// such a section would wait for itself, and ends the program.
class RecordingLock {
 public:
  /// `alone`: as EngineLock, for what a section cannot do.
  explicit RecordingLock(bool alone = false);
  ~RecordingLock();
  RecordingLock(const RecordingLock&) = delete;
  RecordingLock& operator=(const RecordingLock&) = delete;

 private:
  enum class Mode : std::uint8_t { nested, inside, alone } mode_;
};

/// Inside a section of this thread? Then nothing may ask for the graph alone.
bool inside_recording();

/// Nodes recorded by all threads. Has the graph alone.
std::uint64_t nodes_recorded();
/// Anywhere.
void count_recorded();

inline void* take_spare(Spare kind, std::size_t size) {
  Recorder* const recorder = this_recorder;
  return recorder ? recorder->spare[static_cast<int>(kind)].take(size) : ::operator new(size);
}
inline void give_spare(Spare kind, void* p) noexcept {
  if (Recorder* const recorder = this_recorder) [[likely]]
    recorder->spare[static_cast<int>(kind)].give(p);
  else
    ::operator delete(p);
}

/// Guards a list by the lock that `find` returns, if other threads may be inside.
class ListLock {
 public:
  template <class F>
  explicit ListLock(const F& find) : lock_(shares_graph ? &find() : nullptr) {
    if (lock_) [[unlikely]]
      lock_->lock();
  }
  ~ListLock() {
    if (lock_) [[unlikely]]
      lock_->unlock();
  }
  ListLock(const ListLock&) = delete;
  ListLock& operator=(const ListLock&) = delete;

 private:
  SpinLock* const lock_;
};

/// A count of references to `T` that is touched under the graph's lock or inside such sections (core/ref.h has the other one).
template <class T>
class RecordedCount {
 public:
  RecordedCount() = default;
  RecordedCount(const RecordedCount&) = delete;
  RecordedCount& operator=(const RecordedCount&) = delete;

  void incref() const {
    if (shares_graph) [[unlikely]]
      count_.fetch_add(1, std::memory_order_relaxed);
    else
      count_.store(count_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void decref() const {
    if (less() == 0) T::destroy(const_cast<T*>(static_cast<const T*>(this)));
  }
  std::uint32_t use_count() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::uint32_t less() const {
    if (shares_graph) [[unlikely]]
      return count_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    const std::uint32_t left = count_.load(std::memory_order_relaxed) - 1;
    count_.store(left, std::memory_order_relaxed);
    return left;
  }
  mutable std::atomic<std::uint32_t> count_{
      0};  // an atomic step costs 5 ns, and an evaluation of a + b would take 9 of them
};

}  // namespace cuprum
