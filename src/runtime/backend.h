// A device. Everything above this interface knows nothing of threads, SIMD or CUDA.
//
// Any thread may call, several at a time; what a backend shares between calls it guards itself, and it holds no lock of
// its own while it waits for a device. Views passed in are valid,
// in bounds, and do not overlap between inputs and outputs unless a function says otherwise. Functions throw
// (core/error.h) and leave inputs intact; outputs are then unspecified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "runtime/primitives.h"

namespace cuprum {

struct MemoryStats {
  std::size_t used_bytes = 0;   // in live buffers
  std::size_t total_bytes = 0;  // taken from the system: used + cached
  std::size_t peak_bytes = 0;   // highest used_bytes since the last reset
  std::size_t limit_bytes = 0;  // 0: none
  std::size_t allocations = 0;  // requests served
  std::size_t hits = 0;         // of those, served from the cache
  std::size_t free_blocks = 0;  // in the cache
};

/// Throws IndexError for an index that a device found out of bounds after the call had returned.
[[noreturn]] void throw_late_index_error(const char* function, std::int64_t value, std::int64_t axis,
                                         std::int64_t extent);

/// What a device is.
struct DeviceInfo {
  std::string description;     // the model, in the maker's words
  int compute_capability = 0;  // 90 for 9.0; 0: no CUDA device
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;  // of the device; 0: not known
  std::size_t free_bytes = 0;    // of those, in use by nobody
};

/// A point in a device's work, for timing and waiting.
class Event {
 public:
  virtual ~Event() = default;
  virtual void record() = 0;       // behind all work given to the device so far
  virtual void synchronize() = 0;  // waits until that work is done
  virtual bool done() = 0;         // is it?
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const char* name() const = 0;  // "cpu", "cuda:0", "reference"
  virtual DeviceInfo info() const;

  // -- Memory. Throws OutOfMemoryError, leaving everything intact. Alignment at least 64 bytes.
  virtual Ref<Buffer> allocate(std::size_t nbytes) = 0;
  virtual void free(std::byte* data, std::size_t nbytes) noexcept = 0;
  virtual MemoryStats memory_stats() const = 0;
  virtual void reset_peak() = 0;
  virtual void free_all_blocks() = 0;  // give cached memory back to the system
  virtual void set_memory_limit(std::size_t nbytes) = 0;
  virtual bool host_accessible() const = 0;  // may the host dereference Buffer::data?
  virtual void copy_to_host(void* to, const std::byte* from, std::size_t nbytes) = 0;
  virtual void copy_from_host(std::byte* to, const void* from, std::size_t nbytes) = 0;
  virtual void synchronize() = 0;
  /// Has the device done everything that it was given? Asks, and gives it nothing. By default work is done when a call
  /// returns.
  virtual bool idle() { return true; }
  /// Host memory, at least 64-byte aligned, that the device copies from and to without a detour: page-locked where that
  /// makes a difference. Throws OutOfMemoryError.
  virtual std::byte* allocate_pinned(std::size_t nbytes);
  virtual void free_pinned(std::byte* data) noexcept;
  /// Can this device use memory of others at that address? Asked before their first use, as they might be wrong.
  virtual bool can_use(const std::byte* data, std::size_t nbytes);

  // -- Work of others on the same device. By default a device's work is done when a call returns.
  virtual std::unique_ptr<Event> make_event();
  /// Milliseconds between two recorded events of this backend; waits for both.
  virtual double elapsed(Event& start, Event& stop);
  virtual std::uintptr_t native_stream() const { return 0; }
  /// Work given to `stream` (a native one) from now on comes after all work of this backend; and the other way round.
  virtual void release_to(std::uintptr_t stream) {}
  virtual void wait_for(std::uintptr_t stream) {}

  // -- Fused elementwise work and reductions.
  virtual void run(const Kernel& kernel) = 0;
  /// How `run` would compute this kernel now, in a few words ("compiled"); empty: there is one way. Addresses are not read,
  /// and nothing is prepared.
  virtual std::string tier(const Kernel& kernel) const { return {}; }

  // -- What does not fuse.
  /// Calls a primitive (runtime/primitives.h). Tells of a bad index that it has found by now.
  virtual IndexFault call(const Call& call) = 0;
  /// Counts the true elements of a bool view: waits for the device.
  virtual std::unique_ptr<const CountedMask> count_true(const View& mask) = 0;
  /// out[..., j] = the element that a sort would put at position kth[j] of the row in[...] (ascending positions, not many), found
  /// without sorting. False, and nothing is written, where the backend knows no such way: Partition then serves.
  virtual bool order_statistics(const View& in, const Dims& kth, const View& out);
};

/// Backends are never destroyed: buffers may outlive static destructors.
Backend& cpu_backend();
Backend& reference_backend();  // slow and obviously correct, for tests
Backend& far_backend();        // the CPU at addresses that the host cannot read, for tests

}  // namespace cuprum
