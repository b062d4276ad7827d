#include "runtime/host_threads.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

namespace cuprum {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr std::size_t kWorthIt = 2 * kPiece;
constexpr int kMostThreads = 12;

struct Job {
  std::byte* to;
  const std::byte* from;
  std::size_t nbytes;
  std::atomic<std::size_t> taken{0};
  std::atomic<std::size_t> done{0};

  std::size_t pieces() const { return (nbytes + kPiece - 1) / kPiece; }
  bool all_taken() const { return taken.load() >= pieces(); }
  /// Copies pieces until none is left; says whether the last one was done here.
  bool help() {
    bool last = false;
    for (std::size_t i; (i = taken.fetch_add(1)) < pieces();) {
      const std::size_t begin = i * kPiece;
      std::memcpy(to + begin, from + begin, std::min(kPiece, nbytes - begin));
      last = done.fetch_add(1) + 1 == pieces();
    }
    return last;
  }
};

class Helpers {
 public:
  static Helpers& instance() {
    static auto* const helpers = [] {  // never destroyed: its threads wait for work until the process ends
      pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                     [] { instance().after_fork(); });
      return new Helpers;
    }();
    return *helpers;
  }

  void copy(const std::shared_ptr<Job>& job) {
    {
      const std::lock_guard guard(mutex_);
      start();
      jobs_.push_back(job);
    }
    changed_.notify_all();
    if (job->help()) return;
    std::unique_lock guard(mutex_);
    finished_.wait(guard, [&] { return job->done.load() == job->pieces(); });
  }

 private:
  void start() {
    if (started_) return;
    started_ = true;
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    for (int i = 0; i < std::clamp(cores - 1, 1, kMostThreads); ++i) std::thread([this] { work(); }).detach();
  }

  void work() {
    for (std::unique_lock guard(mutex_);;) {
      changed_.wait(guard, [&] {
        while (!jobs_.empty() && jobs_.front()->all_taken()) jobs_.pop_front();
        return !jobs_.empty();
      });
      const std::shared_ptr<Job> job = jobs_.front();
      guard.unlock();
      const bool last = job->help();
      guard.lock();
      if (last) finished_.notify_all();
    }
  }

  /// The threads stay with the parent; a copy of theirs that has begun is its caller's, who is there too.
  void after_fork() {
    started_ = false;
    jobs_.clear();
    new (&changed_) std::condition_variable;
    new (&finished_) std::condition_variable;
    mutex_.unlock();
  }

  std::mutex mutex_;
  std::condition_variable changed_, finished_;
  std::deque<std::shared_ptr<Job>> jobs_;
  bool started_ = false;
};

}  // namespace

void copy_by_threads(void* to, const void* from, std::size_t nbytes) {
  if (nbytes < kWorthIt) {
    if (nbytes != 0) std::memcpy(to, from, nbytes);
    return;
  }
  auto job = std::make_shared<Job>();
  job->to = static_cast<std::byte*>(to);
  job->from = static_cast<const std::byte*>(from);
  job->nbytes = nbytes;
  Helpers::instance().copy(job);
}

}  // namespace cuprum
