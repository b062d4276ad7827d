#include "runtime/lock.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

namespace cuprum {

namespace {

InterpreterHooks hooks;
thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;
// Inside a BlockingSection whose thread will hold the lock again: it is amid an evaluation, and no finaliser runs yet.
thread_local bool suspended __attribute__((tls_model("initial-exec"))) = false;

// Usable before static constructors and behind static destructors: arrays in static variables may outlive them all.
constinit std::mutex engine_mutex;
static_assert(std::is_trivially_destructible_v<std::mutex>);
[[maybe_unused]] const int at_fork = pthread_atfork(&before_fork, &after_fork, &after_fork);

std::atomic<int> user_allocators{0};
int in_flight = 0;                       // under the lock
std::atomic<std::uint32_t> landings{0};  // changes under the lock; waited for without it

struct Release {
  void (*release)(void*);
  void* owner;
  Release* next;
};
// Of this thread, newest first.
thread_local Release* releases __attribute__((tls_model("initial-exec"))) = nullptr;

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

void set_interpreter_hooks(InterpreterHooks h) { hooks = h; }

void note_user_allocators(int more) { user_allocators += more; }

namespace {

// The holder may be in a program of the user's, and need the GIL to get on.
void lock_without_gil() {
  while (!engine_mutex.try_lock()) {
    void* token = hooks.let_gil_go ? hooks.let_gil_go() : nullptr;
    if (!token) return engine_mutex.lock();
    engine_mutex.lock();
    engine_mutex.unlock();
    hooks.take_gil(token);
  }
}

}  // namespace

EngineLock::EngineLock() {
  if (depth++ != 0) return;
  // Whoever chooses the first such allocator has the GIL: no thread that holds it waits in `lock` then.
  if (user_allocators.load(std::memory_order_relaxed) == 0) [[likely]]
    engine_mutex.lock();
  else
    lock_without_gil();
}

EngineLock::~EngineLock() {
  if (--depth != 0) return;
  engine_mutex.unlock();
  if (releases && !suspended) [[unlikely]]
    run_releases();
}

BlockingSection::BlockingSection() : depth_(std::exchange(depth, 0)) {
  if (depth_ != 0) {
    suspended_ = std::exchange(suspended, true);
    engine_mutex.unlock();
  }
  token_ = hooks.let_gil_go ? hooks.let_gil_go() : nullptr;
}

BlockingSection::~BlockingSection() {
  if (token_) hooks.take_gil(token_);
  if (depth_ == 0) return;
  engine_mutex.lock();
  depth = depth_;
  suspended = suspended_;
}

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
  engine_mutex.lock();
  while (in_flight != 0) wait_for_landing();
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
  if (hooks.raise_if_interrupted) hooks.raise_if_interrupted();
}

}  // namespace cuprum
