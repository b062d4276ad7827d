#include "runtime/caller.h"

namespace cuprum {

namespace {

// A plain pointer: it can be asked for while the thread's other variables are being destroyed.
thread_local Caller* caller = nullptr;

}  // namespace

struct Caller::Farewell {
  ~Farewell() {
    caller->ended_.store(true, std::memory_order_release);
    caller->decref();
    caller = nullptr;
  }
};

Ref<Caller> Caller::current() {
  if (!caller) {
    caller = new Caller;
    caller->incref();
    static thread_local Farewell farewell;
    static_cast<void>(farewell);
  }
  return Ref<Caller>(caller);
}

}  // namespace cuprum
