// Where the blocks of a cooperative launch wait for each other, an OS thread each.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace cuprum::cpu {

class GridBarrier {
 public:
  explicit GridBarrier(std::uint64_t blocks) : live_(blocks) {}

  /// Waits until all blocks that are not done are here.
  void wait() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    if (complete()) return;
    const std::uint64_t round = round_;
    moved_.wait(lock, [&] { return round_ != round; });
  }
  /// A block is done, or has failed: nobody waits for it any more.
  void leave() {
    const std::lock_guard lock(mutex_);
    --live_;
    complete();
  }

 private:
  bool complete() {
    if (arrived_ == 0 || arrived_ < live_) return false;
    arrived_ = 0;
    ++round_;
    moved_.notify_all();
    return true;
  }

  std::mutex mutex_;
  std::condition_variable moved_;
  std::uint64_t live_, arrived_ = 0, round_ = 0;
};

}  // namespace cuprum::cpu
