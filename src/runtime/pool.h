// A caching allocator over the memory of a device, because fresh memory is dear: on the CPU `a + b` of 1e7 float32 takes
// 6.4 ms into fresh pages and 2.9 ms into recycled ones; on a GPU a fresh block costs microseconds to milliseconds.
//
// A request is rounded up to a size class; a freed block waits in the list of its class for the next request of that
// class. Classes: steps of 64 bytes up to 4 KiB, 4 per doubling up to 2 MiB, 16 per doubling above.
//
// A pool holds at most twice as much as was in use of late, or 256 MiB more than is in use, if that is more; and a fixed
// limit bounds what waits. Beyond that, the blocks that have waited longest go back to where they came from, the
// `MemorySource`. So a loop finds its blocks again, one that takes turns between two sets of sizes too, and sizes that never
// come again do not pile up. "Of late" is while four to eight times as many bytes were asked for: what a long loop gives
// back and takes anew in every round is little beside its other work.
//
// A block may be handed out again while the device still works on it: what is done with it next comes later on the same
// stream. Any thread may free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "runtime/backend.h"
#include "runtime/spin_lock.h"

namespace cuprum {

/// Where a pool gets its memory.
class MemorySource {
 public:
  virtual ~MemorySource() = default;
  /// `bytes` (never 0), or nullptr where there is not so much.
  virtual std::byte* allocate(std::size_t bytes) noexcept = 0;
  virtual void free(std::byte* block, std::size_t bytes) noexcept = 0;
  /// How much could be had; asked before large requests. SIZE_MAX: not known, try.
  virtual std::size_t available() noexcept { return SIZE_MAX; }
  /// The largest block that could be had, for messages.
  virtual std::size_t largest_free() noexcept { return available(); }
  /// Why nothing can be had any more, where more than memory is lacking: then a request that fails is no matter of memory.
  virtual std::string problem() noexcept { return {}; }
  /// Everything that was freed should now be of use to others.
  virtual void trim() noexcept {}
  /// For messages: "host memory".
  virtual std::string describe() const = 0;
};

class Pool {
 public:
  struct Options {
    std::size_t padding = 0;       // bytes that may be read behind every block
    std::size_t cache_limit = 0;   // bytes that may wait
    bool links_in_blocks = false;  // the host can write to the blocks: a cached one holds its own links
  };

  Pool(MemorySource& source, const Options& options) : source_(source), options_(options) {}
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Throws OutOfMemoryError; then nothing has changed, except that the cache may have been given back.
  std::byte* allocate(std::size_t nbytes);
  /// `nbytes` as it was requested.
  void free(std::byte* block, std::size_t nbytes) noexcept;

  MemoryStats stats() const;
  void reset_peak();
  void free_all_blocks() noexcept;
  /// Bound on what is taken from the source, 0: none.
  void set_limit(std::size_t nbytes);
  /// Bound on what is cached.
  void set_cache_limit(std::size_t nbytes);

  // Called around fork(): a child must not inherit a lock that a vanished thread holds.
  void lock_for_fork() { lock_.lock(); }
  void unlock_after_fork() { lock_.unlock(); }

 private:
  static constexpr std::size_t kSmall = 4096;           // largest request served in steps of 64 bytes
  static constexpr std::size_t kSmallCache = 32 << 20;  // bytes of small blocks that are kept
  static constexpr std::size_t kCacheLeast = std::size_t{256}
                                             << 20;  // bytes that may wait, however few were in use
  static constexpr int kSmallClasses = kSmall / 64 + 1;
  static constexpr int kLargeClasses = 64 * 16;

  // A cached block. Small ones use only `next` and `data`.
  struct CachedBlock {
    CachedBlock* next;  // the list of its class, newest first
    CachedBlock* prev;
    CachedBlock* newer;  // all cached blocks in the order of their freeing
    CachedBlock* older;
    std::size_t bytes;
    std::byte* data;
    int cls;
  };
  struct SizeClass {
    std::size_t bytes;
    int index;
  };

  std::size_t small_bytes(std::size_t index) const;
  SizeClass large_class(std::size_t nbytes) const;
  std::byte* allocate_large(std::size_t nbytes);
  std::byte* allocate_fresh(std::size_t nbytes, std::size_t bytes);
  void free_large(std::byte* block, std::size_t nbytes) noexcept;
  CachedBlock* attach(std::byte* block, std::size_t bytes) noexcept;
  std::byte* detach(CachedBlock* entry, std::size_t bytes) noexcept;
  void give_back(CachedBlock* entry, std::size_t bytes) noexcept;
  void unlink(CachedBlock* entry) noexcept;
  CachedBlock* take_oldest_beyond(std::size_t cached) noexcept;
  std::size_t cache_bound() const noexcept;
  void begin_span() noexcept;
  void count_used(std::size_t bytes, bool hit) noexcept;
  [[noreturn]] void raise(std::size_t nbytes, const char* why) const;

  MemorySource& source_;
  Options options_;
  mutable SpinLock lock_;
  CachedBlock* small_[kSmallClasses] = {};
  CachedBlock* large_[kLargeClasses] = {};
  CachedBlock* oldest_ = nullptr;
  CachedBlock* newest_ = nullptr;
  CachedBlock* spare_ = nullptr;  // without links in blocks: one entry for every block in use
  std::size_t small_cached_ = 0;
  std::size_t large_cached_ = 0;
  // The most that was in use in the present span of requests, in the one before, and how many bytes are to be asked for until the
  // next begins.
  std::size_t span_peak_ = 0;
  std::size_t last_peak_ = 0;
  std::size_t span_left_ = kCacheLeast;
  MemoryStats stats_;
};

/// "1.50 GiB"
std::string human_bytes(std::size_t bytes);

}  // namespace cuprum
