#include "runtime/buffer.h"

#include "runtime/backend.h"
#include "runtime/lock.h"

namespace cuprum {

void Buffer::destroy(Buffer* buffer) {
  if (buffer->release) {
    release_unlocked(buffer->release, buffer->owner);
  } else {
    buffer->backend->free(buffer->data, buffer->nbytes);
  }
  delete buffer;
}

bool share_memory(const Buffer& a, const Buffer& b) {
  if (&a == &b) return true;
  return a.backend == b.backend && a.data < b.data + b.nbytes && b.data < a.data + a.nbytes;
}

}  // namespace cuprum
