#include "backend/cpu/threads.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "backend/cpu/sleep_place.h"
#include "cuprum/error.h"
#include "runtime/settings.h"
#include "runtime/spin_lock.h"

namespace cuprum::cpu {

namespace {

constexpr int kMaxThreads = 1024;
using Clock = std::chrono::steady_clock;
// How long an idle thread looks for the next job before it sleeps: programs call kernel after kernel, and waking a
// sleeper takes 5 to 100 us. A quarter of the time that it worked before, so that looking adds little to what a program
// takes of the machine.
constexpr Clock::duration kLeastSpin = std::chrono::microseconds(40),
                          kMostSpin = std::chrono::milliseconds(1);
// Workers that have slept this long are kept off the caller's processor when they wake (see sleep_place.h); those of a
// larger pool are not, for one that is late there takes little away.
constexpr Clock::duration kLongSleep = std::chrono::milliseconds(1);
constexpr std::size_t kFewWorkers = 4;

thread_local bool inside_chunk = false;

/// Waits until `ready()`, as long as a thread may that has worked since `start`.
template <class Ready>
bool spin_until(Clock::time_point start, Ready ready) {
  const Clock::time_point now = Clock::now(), alone = now + kLeastSpin;
  const Clock::time_point deadline = now + std::clamp((now - start) / 4, kLeastSpin, kMostSpin);
  for (Clock::time_point at = now; at < deadline; at = Clock::now()) {
    for (int i = 0; i < 32; ++i) {
      if (ready()) return true;
      cpu_pause();
    }
    if (at >= alone) sched_yield();  // whoever else wants this processor, above all the thread waited for
  }
  return ready();
}

/// The chunks of one thread: neighbours, and of every job the same part of it, so that what a job wrote the next one finds
/// in the cache of the same core. `claim` is the heart: its high half is the number of the job, its low half how many
/// chunks nobody has taken. A thread that takes one by compare-and-swap knows that the job is the current one and stays
/// so until that chunk is done; a thread that comes late finds zero and touches nothing.
struct alignas(64) Share {
  std::atomic<std::uint64_t> claim{0};
  std::uint32_t end = 0;  // behind its last chunk
};

/// A fixed set of workers. Each thread, the caller too, takes the chunks of its own share, and then those that others have
/// left.
class WorkerPool {
 public:
  explicit WorkerPool(int workers)
      : places_(std::make_unique<SleepPlace[]>(static_cast<std::size_t>(workers))),
        shares_(static_cast<std::size_t>(workers) + 1) {
    threads_.reserve(static_cast<std::size_t>(workers));
    try {
      for (int i = 0; i < workers; ++i) {
        threads_.emplace_back([this, i] { work(places_[i], static_cast<std::size_t>(i) + 1); });
      }
    } catch (const std::system_error&) {
      // The system allows no more threads: those that exist, if any, and the caller do the work.
    }
  }
  ~WorkerPool() {
    quit_.store(true);
    wake_.fetch_add(1);
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void run(std::uint32_t chunks, ChunkFn fn, void* context) {
    const Clock::time_point start = Clock::now();
    fn_ = fn;
    context_ = context;
    chunks_ = chunks;
    failed_.store(false, std::memory_order_relaxed);
    error_ = nullptr;
    done_.store(0, std::memory_order_relaxed);
    share_out(chunks);
    if (sleepers_.load() != 0) wake_up(start - last_job_);
    inside_chunk = true;
    run_chunks(0);
    inside_chunk = false;
    wait_until_done(start);
    last_job_ = Clock::now();
    if (failed_.load(std::memory_order_acquire)) {
      std::exception_ptr error = std::exchange(error_, nullptr);
      std::rethrow_exception(error);
    }
  }

 private:
  void share_out(std::uint32_t chunks) {
    const std::uint32_t job = job_.load(std::memory_order_relaxed) + 1;
    std::uint32_t begin = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      Share& share = shares_[i];
      share.end = static_cast<std::uint32_t>(std::uint64_t{chunks} * (i + 1) / shares_.size());
      share.claim.store(std::uint64_t{job} << 32 | (share.end - begin), std::memory_order_release);
      begin = share.end;
    }
    job_.store(job);  // sequentially consistent with the sleepers' last look
  }

  void wake_up(Clock::duration idle) {
    if (idle >= kLongSleep && threads_.size() <= kFewWorkers) {
      const int here = sched_getcpu();
      for (std::size_t i = 0; i < threads_.size(); ++i) places_[i].keep_off(here);
    }
    wake_.fetch_add(1);
    wake_.notify_all();
  }

  /// Its own first.
  void run_chunks(std::size_t own) {
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      Share& share = shares_[own + i < shares_.size() ? own + i : own + i - shares_.size()];
      while (run_one(share)) {
      }
    }
  }

  bool run_one(Share& share) {
    std::uint64_t seen = share.claim.load(std::memory_order_acquire);
    do {
      if ((seen & 0xffffffffu) == 0) return false;
    } while (!share.claim.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel,
                                                std::memory_order_acquire));
    const std::uint32_t chunks = chunks_;
    const std::int64_t chunk = share.end - static_cast<std::uint32_t>(seen);
    if (!failed_.load(std::memory_order_relaxed)) {
      try {
        fn_(context_, chunk);
      } catch (...) {
        if (!failed_.exchange(true)) error_ = std::current_exception();
      }
    }
    // From here on the job may end, and its fields may change, at any moment.
    if (done_.fetch_add(1, std::memory_order_acq_rel) + 1 == chunks) done_.notify_one();
    return true;
  }

  void wait_until_done(Clock::time_point start) {
    const std::uint32_t chunks = chunks_;
    const auto is_done = [&] { return done_.load(std::memory_order_acquire) == chunks; };
    if (spin_until(start, is_done)) return;
    for (std::uint32_t seen = done_.load(std::memory_order_acquire); seen != chunks;
         seen = done_.load(std::memory_order_acquire)) {
      done_.wait(seen, std::memory_order_acquire);
    }
  }

  void work(SleepPlace& place, std::size_t own) {
    inside_chunk = true;
    while (!quit_.load()) {
      const Clock::time_point start = Clock::now();
      const std::uint32_t done = job_.load(std::memory_order_acquire);
      run_chunks(own);
      const auto has_work = [&] { return job_.load() != done || quit_.load(std::memory_order_relaxed); };
      if (spin_until(start, has_work)) continue;
      const std::uint32_t ticket = wake_.load();
      place.enter();
      sleepers_.fetch_add(1);
      if (!has_work()) wake_.wait(ticket);
      sleepers_.fetch_sub(1);
      place.leave();
    }
  }

  alignas(64) std::atomic<std::uint32_t> job_{0};
  alignas(64) std::atomic<std::uint32_t> done_{0};
  alignas(64) std::atomic<std::uint32_t> wake_{0};
  std::atomic<std::uint32_t> sleepers_{0};
  std::atomic<bool> quit_{false};
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
  ChunkFn fn_ = nullptr;
  void* context_ = nullptr;
  std::uint32_t chunks_ = 0;
  Clock::time_point last_job_{};  // its end
  const std::unique_ptr<SleepPlace[]> places_;
  std::vector<Share> shares_;  // of the caller first
  std::vector<std::thread> threads_;
};

int default_threads() {
  if (const auto asked = settings().num_threads)
    return static_cast<int>(std::min<std::uint64_t>(*asked, kMaxThreads));
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  const unsigned cores = std::thread::hardware_concurrency();
  return cores == 0 ? 1 : static_cast<int>(cores);
}

/// The pool and who uses it. Never destroyed: threads of the program may compute until the very end.
struct State {
  std::atomic<int> threads{default_threads()};
  std::mutex busy;  // held while a job runs, and while the pool is replaced
  WorkerPool* pool = nullptr;
};

State* state_ptr = nullptr;

/// A child process has none of its parent's threads, and may have inherited a locked mutex: it starts anew. The
/// parent's pool object is left behind, for its threads cannot be joined.
void start_anew_in_child() {
  const int threads = state_ptr->threads.load();
  state_ptr = new State;
  state_ptr->threads.store(threads);
  inside_chunk = false;
}

State& state() {
  static const bool made = [] {
    state_ptr = new State;
    pthread_atfork(nullptr, nullptr, start_anew_in_child);
    return true;
  }();
  (void)made;
  return *state_ptr;
}

}  // namespace

int num_threads() { return state().threads.load(std::memory_order_relaxed); }

void set_num_threads(int n) {
  if (n < 1) {
    throw ValueError("cuprum.set_num_threads: the number of threads is " + std::to_string(n) +
                     "; give one or more");
  }
  State& s = state();
  std::lock_guard guard(s.busy);
  s.threads.store(n < kMaxThreads ? n : kMaxThreads);
  delete s.pool;  // the next job makes one of the right size
  s.pool = nullptr;
}

bool in_parallel() { return inside_chunk; }

void parallel_for_raw(std::int64_t chunks, ChunkFn fn, void* context) {
  if (chunks <= 0) return;
  State& s = state();
  const bool alone = chunks == 1 || inside_chunk || s.threads.load(std::memory_order_relaxed) == 1;
  if (!alone && chunks <= std::numeric_limits<std::int32_t>::max() && s.busy.try_lock()) {
    std::lock_guard guard(s.busy, std::adopt_lock);
    if (!s.pool) s.pool = new WorkerPool(s.threads.load() - 1);
    s.pool->run(static_cast<std::uint32_t>(chunks), fn, context);
    return;
  }
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) fn(context, chunk);
}

}  // namespace cuprum::cpu
