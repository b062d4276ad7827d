#include "runtime/buffer.h"

#include <memory>

#include "runtime/lock.h"
#include "runtime/pool.h"
#include "runtime/recording_lock.h"
#include "runtime/spill.h"

namespace cuprum {

Buffer::Buffer(Backend* backend, Block& block, std::size_t nbytes)
    : backend(backend),
      data(block.data),
      nbytes(nbytes),
      found_without_reference(backend->asynchronous),
      block(&block),
      uses_(std::move(block.uses)) {
  if (found_without_reference) block.set_holder(this);
}

void* Buffer::operator new(std::size_t size) { return take_spare(Spare::buffer, size); }
void Buffer::operator delete(void* p) noexcept { give_spare(Spare::buffer, p); }

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
  if ((buffer->exposed || buffer->host) && inside_recording()) [[unlikely]]  // both need the graph alone
    return release_unlocked([](void* self) { destroy(static_cast<Buffer*>(self)); }, buffer);
  if (buffer->exposed) [[unlikely]] {
    const EngineLock lock;
    buffer->uses_ = buffer->backend->exposed.copy();
  }
  if (buffer->host) [[unlikely]]
    note_end_on_host(*buffer);
  if (Block* memory = buffer->block ? buffer->block : buffer->host) [[likely]] {
    Pool::free(*memory, buffer->uses_);
  } else if (buffer->release && buffer->uses_.last()) {
    release_unlocked(&Farewell::say, new Farewell{buffer->release, buffer->owner, std::move(buffer->uses_)});
  } else if (buffer->release) {
    release_unlocked(buffer->release, buffer->owner);
  }
  delete buffer;
}

bool share_memory(const Buffer& a, const Buffer& b) {
  if (&a == &b) return true;
  if (!a.data || !b.data) return false;  // what may go to the host is nobody else's
  return a.backend == b.backend && a.data < b.data + b.nbytes && b.data < a.data + a.nbytes;
}

}  // namespace cuprum
