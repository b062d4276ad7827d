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
// A block may be handed out again while the device still works on it: it keeps what is still to be done with it (Uses), and
// whoever gets it comes behind that. So that streams do not wait for each other's memory, a block waits on the shelf of the stream
// that used it last. A request is served from the shelf of its stream, then with a block of another one that is done
// with, then with fresh memory; only before it would fail it gets one that it has to wait for. Any thread may free.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/backend.h"
#include "runtime/spin_lock.h"

namespace cuprum {

/// Where a pool gets its memory.
class MemorySource {
 public:
  virtual ~MemorySource() = default;
  /// `bytes` (never 0), or nullptr where there is not so much.
  virtual std::byte* allocate(std::size_t bytes, Stream* stream) noexcept = 0;
  /// Waits for nothing: what is still to be done with the block comes before whoever gets the memory next.
  virtual void free(std::byte* block, std::size_t bytes, const Uses& uses) noexcept = 0;
  /// Does memory belong to whoever gets it only behind what `stream` has been given so far?
  virtual bool stream_ordered() const { return false; }
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

  struct Block {
    std::byte* data;
    Uses uses;  // what is still to be done with it
  };
  /// Throws OutOfMemoryError; then nothing has changed, except that the cache may have been given back. `stream` is where the
  /// memory will be used, null on a device whose work is done when a call returns.
  Block allocate(std::size_t nbytes, Stream* stream = nullptr);
  /// `nbytes` as it was requested.
  void free(std::byte* block, std::size_t nbytes) noexcept {
    Uses none;
    free(block, nbytes, none);
  }
  /// `uses` are taken.
  void free(std::byte* block, std::size_t nbytes, Uses& uses) noexcept;

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

  struct Shelf;
  // A cached block. Small ones use only `next`, `data` and `shelf`.
  struct CachedBlock {
    CachedBlock* next;  // the list of its class, newest first
    CachedBlock* prev;
    CachedBlock* newer;  // all cached blocks in the order of their freeing
    CachedBlock* older;
    std::size_t bytes;
    std::byte* data;
    Shelf* shelf;
    std::int64_t cls;
  };
  // One that lies outside of its block.
  struct TrackedBlock : CachedBlock {
    Uses uses;
  };
  // What waits for the requests of one stream: lists by class, newest first.
  struct Shelf {
    Stream* stream = nullptr;  // null: for those without one
    CachedBlock* small[kSmallClasses] = {};
    CachedBlock* large[kLargeClasses] = {};
  };
  struct SizeClass {
    std::size_t bytes;
    std::size_t index;
    bool small;
  };

  std::size_t small_bytes(std::size_t index) const;
  SizeClass size_class(std::size_t nbytes) const;
  Shelf& shelf_of(Stream* stream);
  CachedBlock* take(Shelf& shelf, const SizeClass& size) noexcept;
  CachedBlock* take_elsewhere(const Stream& own, const SizeClass& size, bool finished) noexcept;
  void poll_others(const Stream& own);
  Block hand_out(CachedBlock* entry, std::size_t bytes) noexcept;
  Block allocate_fresh(std::size_t nbytes, const SizeClass& size, Stream* stream);
  CachedBlock* attach(std::byte* block, std::size_t bytes, Uses& uses) noexcept;
  bool keep_small(CachedBlock* entry, const SizeClass& size) noexcept;
  void keep_large(CachedBlock* entry, const SizeClass& size) noexcept;
  void give_back(CachedBlock* entry, std::size_t bytes) noexcept;
  void unlink(CachedBlock* entry) noexcept;
  CachedBlock* take_oldest_beyond(std::size_t cached) noexcept;
  CachedBlock* take_small() noexcept;
  std::size_t cache_bound() const noexcept;
  void begin_span() noexcept;
  void count_used(std::size_t bytes, bool hit) noexcept;
  [[noreturn]] void raise(std::size_t nbytes, const char* why) const;

  MemorySource& source_;
  Options options_;
  mutable SpinLock lock_;
  Shelf first_;                                  // of those without a stream
  std::vector<std::unique_ptr<Shelf>> shelves_;  // by index of the stream; some are missing
  CachedBlock* oldest_ = nullptr;
  CachedBlock* newest_ = nullptr;
  CachedBlock* spare_ = nullptr;  // TrackedBlocks, without links in blocks: one entry for every block in use
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
