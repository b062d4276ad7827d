#include "backend/reference/queue.h"

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "runtime/far.h"

namespace cuprum {

namespace {

std::atomic<FarDelays> chosen_delays{FarDelays{}};

}  // namespace

void set_far_delays(const FarDelays& delays) { chosen_delays.store(delays); }

std::uint64_t WorkQueue::push(std::function<void()> work) {
  const std::lock_guard guard(mutex_);
  waiting_.push_back(std::move(work));
  if (!std::exchange(has_thread_, true)) std::thread([this] { this->work(); }).detach();
  changed_.notify_all();
  return ++pushed_;
}

std::uint64_t WorkQueue::pushed() const {
  const std::lock_guard guard(mutex_);
  return pushed_;
}

bool WorkQueue::reached(std::uint64_t number) const {
  const std::lock_guard guard(mutex_);
  return finished_ >= number;
}

void WorkQueue::wait(std::uint64_t number) {
  std::unique_lock guard(mutex_);
  changed_.wait(guard, [&] { return finished_ >= number; });
}

void WorkQueue::dawdle() {
  const FarDelays delays = chosen_delays.load();
  if (!std::bernoulli_distribution(delays.probability)(random_)) return;
  std::this_thread::sleep_for(
      std::chrono::microseconds(std::uniform_int_distribution<>(0, delays.microseconds)(random_)));
}

void WorkQueue::work() {
  for (std::unique_lock guard(mutex_);;) {
    changed_.wait(guard, [&] { return !waiting_.empty(); });
    std::function<void()> next = std::move(waiting_.front());
    waiting_.pop_front();
    guard.unlock();
    dawdle();
    next();
    next = nullptr;
    guard.lock();
    ++finished_;
    changed_.notify_all();
  }
}

}  // namespace cuprum
