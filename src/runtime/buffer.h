// A block of device memory. Arrays never hold one directly: they hold a Storage, whose buffer changes
// when a pending expression is evaluated; pending expressions hold the buffers they read.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/ref.h"

namespace cuprum {

class Backend;
struct Operand;

/// Memory of one backend. `data` is an address in that backend's space. Freed through the backend when
/// the last reference goes, or, for memory that somebody else owns, by `release`.
class Buffer : public RefCounted<Buffer> {
 public:
  Buffer(Backend* backend, std::byte* data, std::size_t nbytes)
      : backend(backend), data(data), nbytes(nbytes) {}

  Backend* const backend;
  std::byte* const data;
  const std::size_t nbytes;

  // For memory that is shared with its owner (a NumPy array, a DLPack capsule): called once at the end.
  void (*release)(void* owner) = nullptr;
  void* owner = nullptr;

  // Operands of pending nodes that read this buffer: an intrusive list, guarded by the engine's lock. The engine
  // evaluates those nodes before the buffer is written.
  Operand* readers = nullptr;
  bool orphan = false;  // no storage names it any more: it lives only for its readers

  static void destroy(Buffer* buffer);
};

/// Do two buffers have memory in common? Different ones do where somebody outside has lent the same memory twice, or lends
/// ours back to us.
bool share_memory(const Buffer& a, const Buffer& b);

}  // namespace cuprum
