#include "expr/lock.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <utility>

namespace cuprum {

namespace {

InterpreterHooks hooks;
thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;

// The thread that holds the lock is taking the GIL back. Once the interpreter exits it waits there for good.
std::atomic<bool> holder_takes_gil{false};

// Never destroyed: arrays in static variables may outlive every static destructor.
std::mutex& engine_mutex() {
  static auto* mutex = [] {
    pthread_atfork(&before_fork, &after_fork, &after_fork);
    return new std::mutex;
  }();
  return *mutex;
}

bool interpreter_exits() { return hooks.is_exiting && hooks.is_exiting(); }

// While the interpreter exits, the lock of a thread that waits for the GIL goes to whoever asks first: that thread
// will never go on.
void lock_while_exiting() {
  while (!engine_mutex().try_lock()) {
    if (holder_takes_gil.exchange(false)) return;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void lock_engine() {
  if (engine_mutex().try_lock()) return;
  if (interpreter_exits()) return lock_while_exiting();
  BlockingSection let_others_run;
  engine_mutex().lock();
}

struct Release {
  void (*release)(void*);
  void* owner;
  Release* next;
};
// Of this thread, newest first.
thread_local Release* releases __attribute__((tls_model("initial-exec"))) = nullptr;

void run_releases() {
  while (Release* r = releases) {
    releases = r->next;
    r->release(r->owner);
    delete r;
  }
}

}  // namespace

void set_interpreter_hooks(InterpreterHooks h) { hooks = h; }

EngineLock::EngineLock() {
  if (depth++ == 0) lock_engine();
}

EngineLock::~EngineLock() {
  if (--depth != 0) return;
  engine_mutex().unlock();
  if (releases) [[unlikely]]
    run_releases();
}

void before_fork() {
  if (depth++ == 0) lock_engine();
}

void after_fork() {
  if (--depth == 0) engine_mutex().unlock();
}

BlockingSection::BlockingSection() : token_(hooks.let_gil_go ? hooks.let_gil_go() : nullptr) {}

BlockingSection::~BlockingSection() {
  if (!token_) return;
  const bool holds_lock = depth != 0;
  if (holds_lock) holder_takes_gil.store(true);
  hooks.take_gil(token_);
  if (holds_lock) holder_takes_gil.store(false);
}

void release_unlocked(void (*release)(void*), void* owner) {
  if (depth == 0) {
    release(owner);
  } else {
    releases = new Release{release, owner, releases};
  }
}

void raise_if_interrupted() {
  if (hooks.raise_if_interrupted) hooks.raise_if_interrupted();
}

}  // namespace cuprum
