#include "runtime/buffer.h"

#include "runtime/backend.h"

namespace cuprum {

void Buffer::destroy(Buffer* buffer) {
  if (buffer->release) {
    buffer->release(buffer->owner);
  } else {
    buffer->backend->free(buffer->data, buffer->nbytes);
  }
  delete buffer;
}

}  // namespace cuprum
