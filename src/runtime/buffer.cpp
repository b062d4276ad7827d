#include "runtime/buffer.h"

#include <memory>

#include "runtime/backend.h"
#include "runtime/lock.h"

namespace cuprum {

Uses& Buffer::exposed_uses() const { return backend->exposed; }

namespace {

/// Who has lent us memory may use it again as soon as they are told: our work on it must be done by then.
struct Farewell {
  void (*release)(void* owner);
  void* owner;
  Uses uses;

  static void say(void* self) {
    const std::unique_ptr<Farewell> farewell(static_cast<Farewell*>(self));
    {
      BlockingSection others_run;  // what it waits for may need the GIL
      farewell->uses.wait();
    }
    farewell->release(farewell->owner);
  }
};

}  // namespace

void Buffer::destroy(Buffer* buffer) {
  if (buffer->exposed) [[unlikely]] {
    const EngineLock lock;
    buffer->uses_ = buffer->backend->exposed.copy();
  }
  if (!buffer->release) [[likely]] {
    buffer->backend->free(buffer->data, buffer->nbytes, buffer->uses_);
  } else if (buffer->uses_.last()) {
    release_unlocked(&Farewell::say, new Farewell{buffer->release, buffer->owner, std::move(buffer->uses_)});
  } else {
    release_unlocked(buffer->release, buffer->owner);
  }
  delete buffer;
}

bool share_memory(const Buffer& a, const Buffer& b) {
  if (&a == &b) return true;
  return a.backend == b.backend && a.data < b.data + b.nbytes && b.data < a.data + a.nbytes;
}

}  // namespace cuprum
