// A block of device memory. Arrays never hold one directly: they hold a Storage, whose buffer changes
// when a pending expression is evaluated; pending expressions hold the buffers they read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/ref.h"
#include "runtime/stream.h"

namespace cuprum {

class Backend;
struct Block;  // runtime/segments.h
struct Operand;

/// Memory of one backend; `data` is an address in that backend's space. It goes back to its pool when the last reference goes,
/// or, where somebody else owns it, is released.
class Buffer : public RefCounted<Buffer> {
 public:
  /// `uses`: what is still to be done with the memory by those who had it before.
  Buffer(Backend* backend, std::byte* data, std::size_t nbytes, Uses uses = {})
      : backend(backend), data(data), nbytes(nbytes), uses_(std::move(uses)) {}
  /// Over a block of a pool, of which it takes the uses.
  Buffer(Backend* backend, Block& block, std::size_t nbytes);

  Backend* const backend;
  std::byte* data;  // null while the bytes are on the host (runtime/spill.h)
  const std::size_t nbytes;
  const bool found_without_reference = false;  // by its block, where a device may spill (Pool::holders)
  Block* block = nullptr;                      // goes back to its pool at the end
  Block* host = nullptr;                       // where the bytes are while they are not on the device

  // For memory that is shared with its owner (a NumPy array, a DLPack capsule): called once at the end.
  void (*release)(void* owner) = nullptr;
  void* owner = nullptr;

  // Operands of pending nodes that read this buffer: an intrusive list, guarded by the graph's lock. The engine
  // evaluates those nodes before the buffer is written. The list has one reference to the buffer, from its first operand until it is
  // empty and no storage names the buffer: so operands come and go without counting.
  Operand* readers = nullptr;
  bool listed : 1 = false;   // the list has its reference
  bool orphan : 1 = false;   // no storage names it any more: it lives only for its readers
  bool counted : 1 = false;  // among the bytes that only pending nodes keep alive

  // Somebody holds the address (an exported pointer, memory shared with NumPy, a capture): writes go into this very buffer, and
  // what reads it is evaluated by the call, for nobody tells us when the other side writes.
  bool pinned = false;
  // Somebody outside knows the address, and may lend us the memory back under another name: all such memory of a device counts
  // as one (Backend::exposed).
  bool exposed = false;
  // How many pieces of work are being handed over that name it: it stays where it is. Guarded by the graph's lock.
  std::uint16_t held = 0;
  std::uint16_t trips = 0;  // to the host and back

  Uses& uses() { return exposed ? exposed_uses() : uses_; }

  static void destroy(Buffer* buffer);

  // From a free list of the thread, as storages are.
  static void* operator new(std::size_t size);
  static void operator delete(void* p) noexcept;

 private:
  Uses& exposed_uses() const;
  Uses uses_;
};

/// Where bytes are: at an offset in a buffer. Programs name places; whoever hands the work to a device takes the address, so
/// that a buffer may still move, or not have its memory yet, while a program waits.
class Place {
 public:
  Place() = default;
  Place(Buffer* buffer, std::ptrdiff_t offset) : buffer_(buffer), offset_(offset) {}
  /// Memory that a backend has for itself, or a test: no buffer stands for it.
  Place(std::byte* address) : offset_(reinterpret_cast<std::ptrdiff_t>(address)) {}

  Buffer* buffer() const { return buffer_; }
  std::byte* address() const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::ptrdiff_t>(buffer_ ? buffer_->data : nullptr) +
                                        offset_);
  }
  operator std::byte*() const { return address(); }
  Place& operator+=(std::ptrdiff_t bytes) {
    offset_ += bytes;
    return *this;
  }

 private:
  Buffer* buffer_ = nullptr;
  std::ptrdiff_t offset_ = 0;  // from the start of the buffer; without one, the address itself
};

/// Do two buffers have memory in common? Different ones do where somebody outside has lent the same memory twice, or lends
/// ours back to us.
bool share_memory(const Buffer& a, const Buffer& b);

}  // namespace cuprum
