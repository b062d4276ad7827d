#include "expr/lock.h"

#include <mutex>

namespace cuprum {

namespace {

// Never destroyed: arrays in static variables may outlive every static destructor.
std::mutex& engine_mutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}

BlockingHooks hooks;
thread_local int depth __attribute__((tls_model("initial-exec"))) = 0;

}  // namespace

void set_blocking_hooks(BlockingHooks h) { hooks = h; }

EngineLock::EngineLock() {
  if (depth++ != 0) return;
  if (engine_mutex().try_lock()) return;
  BlockingSection let_others_run;
  engine_mutex().lock();
}

EngineLock::~EngineLock() {
  if (--depth == 0) engine_mutex().unlock();
}

BlockingSection::BlockingSection() : token_(hooks.enter ? hooks.enter() : nullptr) {}

BlockingSection::~BlockingSection() {
  if (hooks.leave) hooks.leave(token_);
}

}  // namespace cuprum
