// The CPU backend's memory: a caching allocator, because fresh pages cost more than arithmetic (`a + b` of 1e7 float32:
// 6.4 ms into fresh memory, 2.9 ms into recycled memory).
//
// A request is rounded up to a size class; a freed block waits in the list of its class for the next request of that
// class. Classes: steps of 64 bytes up to 4 KiB, 4 per doubling up to 2 MiB, 16 per doubling above. Every block
// is aligned to 64 bytes and has at least 64 readable bytes behind the requested ones, so that vector loops may
// load past the end. Cached memory is bounded (CUPRUM_CPU_POOL_LIMIT bytes; by default an eighth of the machine's
// memory, at least 256 MiB and at most 4 GiB): beyond that, the blocks that have waited longest go back to the system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/spin_lock.h"
#include "runtime/backend.h"

namespace cuprum::cpu {

class Pool {
 public:
  Pool();
  ~Pool() { free_all_blocks(); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Throws OutOfMemoryError; then nothing has changed, except that the cache may have been given back.
  std::byte* allocate(std::size_t nbytes);
  /// `nbytes` as it was requested.
  void free(std::byte* block, std::size_t nbytes) noexcept;

  MemoryStats stats() const;
  void reset_peak();
  void free_all_blocks() noexcept;
  /// Bound on what is taken from the system, 0: none.
  void set_limit(std::size_t nbytes);
  /// Bound on what is cached.
  void set_cache_limit(std::size_t nbytes);

  // Called around fork(): a child must not inherit a lock that a vanished thread holds.
  void lock_for_fork() { lock_.lock(); }
  void unlock_after_fork() { lock_.unlock(); }

 private:
  static constexpr std::size_t kSmall = 4096;           // largest request served in steps of 64 bytes
  static constexpr std::size_t kSmallCache = 32 << 20;  // bytes of small blocks that are kept
  static constexpr int kSmallClasses = kSmall / 64 + 1;
  static constexpr int kLargeClasses = 64 * 16;

  // A cached block holds its own link in its first bytes.
  struct SmallBlock {
    SmallBlock* next;
  };
  struct LargeBlock {
    LargeBlock* class_next;  // the list of its class, newest first
    LargeBlock* class_prev;
    LargeBlock* newer;  // all cached blocks in the order of their freeing
    LargeBlock* older;
    std::size_t bytes;
    int cls;
  };
  struct SizeClass {
    std::size_t bytes;
    int index;
  };

  static SizeClass large_class(std::size_t nbytes);
  std::byte* allocate_large(std::size_t nbytes);
  std::byte* allocate_fresh(std::size_t nbytes, std::size_t bytes);
  void free_large(std::byte* block, std::size_t nbytes) noexcept;
  void unlink(LargeBlock* block) noexcept;
  LargeBlock* take_oldest_beyond(std::size_t cached) noexcept;
  void count_used(std::size_t bytes, bool hit) noexcept;
  [[noreturn]] void raise(std::size_t nbytes, const char* why) const;

  mutable SpinLock lock_;
  SmallBlock* small_[kSmallClasses] = {};
  LargeBlock* large_[kLargeClasses] = {};
  LargeBlock* oldest_ = nullptr;
  LargeBlock* newest_ = nullptr;
  std::size_t small_cached_ = 0;
  std::size_t large_cached_ = 0;
  std::size_t cache_limit_ = 0;
  MemoryStats stats_;
};

}  // namespace cuprum::cpu
