// A mutex of one word. Taking and leaving it free costs two instructions that lock the bus and no call: a std::mutex is 80
// instructions a pair, and every recorded operation takes the graph's lock three times.
//
// Taking it is sequentially consistent: who takes it and then looks what others do has been seen by those who look at it later
// (runtime/recording_lock.h). On x86 that is free.
//
// constinit, and trivially destructible: usable before static constructors and behind static destructors. A child of fork() may
// unlock what its parent's thread had locked.
#pragma once

#include <atomic>
#include <cstdint>

namespace cuprum {

class Mutex {
 public:
  constexpr Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void lock() {
    std::uint32_t found = kFree;
    if (!state_.compare_exchange_strong(found, kTaken)) [[unlikely]]
      wait();
  }
  bool try_lock() {
    std::uint32_t found = kFree;
    return state_.compare_exchange_strong(found, kTaken);
  }
  bool is_free() const { return state_.load() == kFree; }
  void unlock() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) [[unlikely]]
      state_.notify_one();
  }

 private:
  static constexpr std::uint32_t kFree = 0, kTaken = 1, kAwaited = 2;  // taken, and perhaps somebody sleeps

  [[gnu::noinline]] void wait() {
    while (state_.exchange(kAwaited) != kFree) state_.wait(kAwaited, std::memory_order_relaxed);
  }

  std::atomic<std::uint32_t> state_{kFree};
};

}  // namespace cuprum
