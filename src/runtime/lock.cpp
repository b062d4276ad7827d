#include "runtime/lock.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <utility>

#include "runtime/mutex.h"
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

void take_lock() {
  if (!engine_mutex.try_lock()) [[unlikely]]
    wait_for_lock();
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

void set_interpreter_hooks(InterpreterHooks h) { hooks = h; }

EngineLock::EngineLock() {
  if (depth++ != 0) return;
  if (forks_waiting.load(std::memory_order_relaxed) != 0) [[unlikely]]
    let_fork_pass();
  if (host_functions_wait()) [[unlikely]]
    gil_let_go = let_gil_go();
  take_lock();
}

EngineLock::~EngineLock() {
  if (--depth != 0) return;
  engine_mutex.unlock();
  if (gil_let_go) [[unlikely]]
    hooks.take_gil(std::exchange(gil_let_go, nullptr));
  if (releases && !suspended) [[unlikely]]
    run_releases();
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
  if (depth == 0 && !suspended) {
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
