#include "runtime/lock.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <type_traits>
#include <utility>

#include "runtime/mutex.h"
#include "runtime/recording_lock.h"
#include "runtime/spin_lock.h"

namespace cuprum {

namespace {

InterpreterHooks hooks;
thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;
// Inside a BlockingSection whose thread will hold the lock again: it is amid an evaluation, and no finaliser runs yet.
thread_local bool suspended __attribute__((tls_model("initial-exec"))) = false;

// The GIL of a thread that holds the lock, while functions of the host wait for it: taken back when the lock is free.
thread_local void* gil_let_go __attribute__((tls_model("initial-exec"))) = nullptr;

void* let_gil_go() { return hooks.let_gil_go ? hooks.let_gil_go() : nullptr; }
bool host_functions_wait() { return host_functions.load(std::memory_order_relaxed) != 0; }

// Usable before static constructors and behind static destructors: arrays in static variables may outlive them all.
constinit Mutex engine_mutex;
static_assert(std::is_trivially_destructible_v<Mutex>);
[[maybe_unused]] const int at_fork = pthread_atfork(&before_fork, &after_fork, &after_fork);

int in_flight = 0;                       // under the lock
std::atomic<std::uint32_t> landings{0};  // changes under the lock; waited for without it
std::atomic<int> forks_waiting{0};       // threads that fork as soon as nothing is in flight

struct Release {
  void (*release)(void*);
  void* owner;
  Release* next;
};
// Of this thread, newest first.
thread_local Release* releases __attribute__((tls_model("initial-exec"))) = nullptr;

// All threads that record, and what those that have ended recorded. Changed by who has the graph alone.
Recorder* recorders = nullptr;
bool several_record = false;
std::uint32_t recorders_so_far = 0;
std::uint64_t recorded_by_others = 0;
thread_local bool in_section __attribute__((tls_model("initial-exec"))) = false;
thread_local bool recorder_has_left __attribute__((tls_model("initial-exec"))) = false;

// Does another thread record at this moment? Asked by who has taken the lock: nobody begins.
bool others_are_inside() {
  for (const Recorder* r = recorders; r; r = r->next) {
    if (r != this_recorder && r->inside.load()) return true;
  }
  return false;
}

// Takes the lock that another thread has, and keeps the GIL from nobody meanwhile. Nobody waits for the GIL with the lock: an
// interpreter that exits stops threads there.
void wait_for_lock() {
  for (;;) {
    for (int looks = 0; looks < 64; ++looks) {
      if (engine_mutex.try_lock()) return;
      cpu_pause();
    }
    void* token = let_gil_go();
    engine_mutex.lock();
    if (!token) return;
    engine_mutex.unlock();
    hooks.take_gil(token);
  }
}

// Sections of others end without waiting for anybody, unless the system has put their thread to sleep.
bool wait_for_sections(int looks) {
  for (; others_are_inside(); --looks) {
    if (looks == 0) return false;
    cpu_pause();
  }
  return true;
}

void take_lock() {
  for (;;) {
    if (!engine_mutex.try_lock()) [[unlikely]]
      wait_for_lock();
    if (wait_for_sections(1000)) [[likely]]
      return;
    void* token = let_gil_go();  // as in wait_for_lock
    while (!wait_for_sections(100)) sched_yield();
    if (!token) return;
    engine_mutex.unlock();
    hooks.take_gil(token);
  }
}

// Threads that never stop computing would keep a fork waiting: those that are not amid an evaluation let it go first.
[[gnu::cold]] void let_fork_pass() {
  if (suspended) return;
  void* token = hooks.let_gil_go ? hooks.let_gil_go() : nullptr;
  while (const int waiting = forks_waiting.load()) forks_waiting.wait(waiting);
  if (token) hooks.take_gil(token);
}

// In the order in which they were asked for.
void run_releases() {
  Release* first = nullptr;
  for (Release* r = std::exchange(releases, nullptr); r;) {
    Release* older = r->next;
    r->next = std::exchange(first, r);
    r = older;
  }
  while (Release* r = first) {
    first = r->next;
    r->release(r->owner);
    delete r;
  }
}

}  // namespace

constinit std::atomic<int> host_functions{0};

constinit thread_local Recorder* this_recorder = nullptr;
constinit thread_local bool shares_graph = false;

void set_interpreter_hooks(InterpreterHooks h) { hooks = h; }

namespace {

void lock_graph() {
  if (depth++ != 0) return;
  if (in_section) [[unlikely]] {
    std::fputs(
        "cuprum: the graph's lock was asked for while its thread records: this is an error of Cuprum\n",
        stderr);
    std::abort();  // it would wait for itself
  }
  if (forks_waiting.load(std::memory_order_relaxed) != 0) [[unlikely]]
    let_fork_pass();
  if (host_functions_wait()) [[unlikely]]
    gil_let_go = let_gil_go();
  take_lock();
}

void unlock_graph() {
  if (--depth != 0) return;
  engine_mutex.unlock();
  if (gil_let_go) [[unlikely]]
    hooks.take_gil(std::exchange(gil_let_go, nullptr));
  if (releases && !suspended) [[unlikely]]
    run_releases();
}

// With the graph alone: this thread records from now on, until it ends.
void add_recorder() {
  static thread_local struct Leaver {
    ~Leaver() {
      const EngineLock lock;
      Recorder* const recorder = std::exchange(this_recorder, nullptr);
      recorder_has_left = true;  // destructors behind this one may still drop arrays
      Recorder** link = &recorders;
      while (*link != recorder) link = &(*link)->next;
      *link = recorder->next;
      several_record = recorders && recorders->next;
      recorded_by_others += recorder->recorded;
      for (FreeList& list : recorder->spare) list.clear();
      delete recorder;
    }
  } leaver;
  (void)leaver;
  this_recorder = new Recorder;
  this_recorder->number = recorders_so_far++;
  this_recorder->next = std::exchange(recorders, this_recorder);
  several_record = this_recorder->next != nullptr;
}

// Somebody has the graph alone, or had it a moment ago. The GIL is nobody's meanwhile, as in wait_for_lock.
[[gnu::noinline]] void wait_to_enter(std::atomic<bool>& inside) {
  for (;;) {
    inside.store(false, std::memory_order_release);
    for (int looks = 0; looks < 64; ++looks) {
      cpu_pause();
      if (!engine_mutex.is_free()) continue;
      inside.store(true);
      if (engine_mutex.is_free()) return;
      inside.store(false, std::memory_order_release);
    }
    void* token = let_gil_go();
    engine_mutex.lock();
    if (!token) inside.store(true);
    engine_mutex.unlock();
    if (!token) return;
    hooks.take_gil(token);
  }
}

}  // namespace

EngineLock::EngineLock() { lock_graph(); }
EngineLock::~EngineLock() { unlock_graph(); }

RecordingLock::RecordingLock(bool alone) : mode_(Mode::nested) {
  if (depth != 0 || (in_section && !alone)) return;
  if (alone || !this_recorder || host_functions_wait() || forks_waiting.load(std::memory_order_relaxed) != 0)
      [[unlikely]] {
    mode_ = Mode::alone;
    lock_graph();
    if (!this_recorder && !recorder_has_left) add_recorder();
    return;
  }
  mode_ = Mode::inside;
  std::atomic<bool>& inside = this_recorder->inside;
  inside.store(true);
  if (!engine_mutex.is_free()) [[unlikely]]
    wait_to_enter(inside);
  in_section = true;
  shares_graph = several_record;
}

RecordingLock::~RecordingLock() {
  if (mode_ == Mode::nested) return;
  if (mode_ == Mode::alone) {
    unlock_graph();
    return;
  }
  shares_graph = false;
  in_section = false;
  this_recorder->inside.store(false, std::memory_order_release);
  if (releases && !suspended) [[unlikely]]
    run_releases();
}

bool inside_recording() { return in_section; }

void count_recorded() {
  if (!this_recorder) [[unlikely]] {
    const RecordingLock lock;  // from now on it has one, unless it is about to end
    if (!this_recorder) ++recorded_by_others;
    if (!this_recorder) return;
  }
  std::atomic<std::uint64_t>& recorded = this_recorder->recorded;
  recorded.store(recorded.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

std::uint64_t nodes_recorded() {
  const EngineLock lock;
  std::uint64_t sum = recorded_by_others;
  for (const Recorder* r = recorders; r; r = r->next) sum += r->recorded;
  return sum;
}

Unlocked::Unlocked() : depth_(std::exchange(depth, 0)) {
  if (depth_ == 0) return;
  suspended_ = std::exchange(suspended, true);
  engine_mutex.unlock();
}

Unlocked::~Unlocked() {
  if (depth_ == 0) return;
  take_lock();
  depth = depth_;
  suspended = suspended_;
}

BlockingSection::BlockingSection() : token_(gil_let_go ? std::exchange(gil_let_go, nullptr) : let_gil_go()) {}

BlockingSection::~BlockingSection() {
  if (!token_) return;
  if (unlocked_.held_lock() && host_functions_wait())
    gil_let_go = token_;
  else
    hooks.take_gil(token_);
}

void DriverCall::let_gil_go() { token_ = cuprum::let_gil_go(); }
void DriverCall::take_gil() { hooks.take_gil(token_); }

void note_take_off() { ++in_flight; }

void note_landing() {
  --in_flight;
  landings.fetch_add(1);
  landings.notify_all();
}

void wait_for_landing() {
  const std::uint32_t seen = landings.load();
  BlockingSection let_others_run;
  if (interpreter_exits()) {  // some will never land by themselves: the caller looks after them
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  } else {
    landings.wait(seen);
  }
}

bool interpreter_exits() { return hooks.is_exiting && hooks.is_exiting(); }

void before_fork() {
  if (depth++ != 0) return;
  ++forks_waiting;
  take_lock();
  while (in_flight != 0) wait_for_landing();
  --forks_waiting;
  forks_waiting.notify_all();
}

void after_fork() {
  if (--depth == 0) engine_mutex.unlock();
}

void release_unlocked(void (*release)(void*), void* owner) {
  if (depth == 0 && !in_section && !suspended) {
    release(owner);
  } else {
    releases = new Release{release, owner, releases};
  }
}

void raise_if_interrupted() {
  if (!hooks.is_interrupted || !hooks.is_interrupted()) [[likely]]
    return;
  const Unlocked python_may_run;
  hooks.raise_interrupt();
}

}  // namespace cuprum
