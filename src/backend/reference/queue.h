// A queue of work and the thread that does it: what a stream of a GPU is, for a device without one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <random>

namespace cuprum {

class WorkQueue {
 public:
  explicit WorkQueue(std::uint64_t seed) : random_(seed) {}
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// Adds work, which must not throw. Its number: all up to it are done when `wait` for it returns.
  std::uint64_t push(std::function<void()> work);
  std::uint64_t pushed() const;
  bool done() const { return reached(pushed()); }
  bool reached(std::uint64_t number) const;
  void wait(std::uint64_t number);

  /// Around fork(): a child starts a thread of its own.
  void before_fork() { mutex_.lock(); }
  void after_fork(bool in_child) {
    if (in_child) {
      has_thread_ = false;
      new (&changed_) std::condition_variable;  // the old one waits for a thread that is gone
    }
    mutex_.unlock();
  }

 private:
  void work();
  void dawdle();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  std::uint64_t pushed_ = 0;
  std::uint64_t finished_ = 0;
  bool has_thread_ = false;
  std::mt19937_64 random_;  // of the thread
};

}  // namespace cuprum
