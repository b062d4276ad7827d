// Things that take long to make, by key: made once in a process, whichever threads ask.
#pragma once

#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace cuprum {

template <class T>
class MadeOnce {
 public:
  /// What `make()` gave for this key. A second thread that asks while the first one makes it waits; where `make` throws, whoever
  /// waits tries it again.
  template <class Make>
  T get(const std::string& key, Make&& make) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto [row, is_new] = rows_.try_emplace(key);
      if (row->second) return *row->second;
      if (is_new) break;
      finished_.wait(lock);
    }
    lock.unlock();
    try {
      T made = make();
      finish(key, made);
      return made;
    } catch (...) {
      finish(key, std::nullopt);
      throw;
    }
  }

 private:
  void finish(const std::string& key, std::optional<T> made) {
    const std::lock_guard lock(mutex_);
    if (made)
      rows_[key] = std::move(made);
    else
      rows_.erase(key);
    finished_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable finished_;
  std::map<std::string, std::optional<T>> rows_;  // none: being made
};

}  // namespace cuprum
