// Memory of devices: pools, their limits and figures, and what is done where memory is short.
#pragma once

#include <cstddef>
#include <memory>

#include "cuprum/stream.h"

namespace cuprum {

class ThreadAllocator;  // the library's own
namespace ops {
struct MemoryPool;
}

/// Memory of devices that is kept for reuse when it is freed. What it tells and sets concerns the device that new arrays live on.
/// A copy is the same pool.
class memory_pool {
 public:
  /// A further pool, empty, for allocator_scope and set_allocator.
  memory_pool();

  /// Bytes in live arrays.
  std::size_t used_bytes() const;
  /// Bytes kept for reuse.
  std::size_t free_bytes() const;
  /// Bytes taken from the system: those in use and those kept for reuse.
  std::size_t total_bytes() const;
  /// Highest used_bytes since the last reset_peak.
  std::size_t peak_bytes() const;
  /// Highest total_bytes since the last reset_peak.
  std::size_t peak_total_bytes() const;
  /// Starts the peaks anew.
  void reset_peak() const;
  /// Requests served.
  std::size_t n_allocations() const;
  /// Requests served from the pool.
  std::size_t n_hits() const;
  /// How often memory was taken from the system.
  std::size_t n_device_allocations() const;
  /// Blocks kept for reuse.
  std::size_t n_free_blocks() const;

  /// Bytes that may be in use; 0: no limit.
  std::size_t get_limit() const;
  /// Sets the limit; 0: none. A request beyond it throws OutOfMemoryError.
  void set_limit(std::size_t bytes) const;
  /// Sets the limit as a part of the device's memory, between 0 and 1.
  void set_limit_fraction(double fraction) const;
  /// Gives the memory that is kept for reuse back to the system.
  void free_all_blocks() const;

 private:
  friend memory_pool get_default_memory_pool();
  friend class allocator_scope;
  friend void set_allocator(const memory_pool& pool);
  explicit memory_pool(std::shared_ptr<const ops::MemoryPool> pool);
  std::shared_ptr<const ops::MemoryPool> pool_;
};

/// The pool that array memory comes from, unless the program has chosen another.
memory_pool get_default_memory_pool();
/// The pool that array memory comes from, from now on, on all threads.
void set_allocator(const memory_pool& pool);

/// While it lives, memory of this thread's arrays comes from a pool.
class allocator_scope {
 public:
  explicit allocator_scope(const memory_pool& pool);
  ~allocator_scope();
  allocator_scope(const allocator_scope&) = delete;
  allocator_scope& operator=(const allocator_scope&) = delete;

 private:
  std::unique_ptr<ThreadAllocator> chosen_;
};

/// May arrays that were not used for longest go to the host where a device has no room left? They come back when they are used.
void allow_spill(bool on);
/// Is that so?
bool spill_is_allowed();
/// What went to the host and came back since the program began, in bytes.
struct spill_statistics {
  std::size_t to_host = 0;
  std::size_t from_host = 0;
  std::size_t on_host = 0;  // now
};
/// How much was spilled so far.
spill_statistics spilled_bytes();

}  // namespace cuprum
