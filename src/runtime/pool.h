// A caching allocator over the memory of a device, because fresh memory is dear: on the CPU `a + b` of 1e7 float32 takes
// 6.4 ms into fresh pages and 2.9 ms into recycled ones; on a GPU a fresh block costs microseconds to milliseconds.
//
// Blocks are cut from segments and joined again (runtime/segments.h). Those of up to 4 KiB are kept as they are when they are
// freed, in a list of their size, for the next request of that size.
//
// A pool holds at most twice as much as was in use of late, or 256 MiB more than is in use, if that is more; and a fixed
// limit bounds what waits. Beyond that, the segments that have waited longest go back to where they came from, the
// `MemorySource`. So a loop finds its blocks again, one that takes turns between two sets of sizes too, and sizes that never
// come again do not pile up. "Of late" is while four to eight times as many bytes were asked for: what a long loop gives
// back and takes anew in every round is little beside its other work.
//
// A block may be handed out again while the device still works on it: it keeps what is still to be done with it (Uses), and
// whoever gets it comes behind that. So that streams do not wait for each other's memory, a block waits on the shelf of the stream
// that used it last. A request is served from the shelf of its stream, then with a block of another one that is done
// with, then with fresh memory; only before it would fail it gets one that it has to wait for. Any thread may free.
//
// Before a request fails, everything cached goes back to the source, and then what was freed is waited for. A request that could
// never be met fails at once, and the cache stays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/backend.h"
#include "runtime/segments.h"
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
  /// How much could be had; asked before large requests, and while memory is short. SIZE_MAX: not known, try.
  virtual std::size_t available() noexcept { return SIZE_MAX; }
  /// How much there is in all. SIZE_MAX: not known.
  virtual std::size_t total() noexcept { return SIZE_MAX; }
  /// Why nothing can be had any more, where more than memory is lacking: then a request that fails is no matter of memory.
  virtual std::string problem() noexcept { return {}; }
  /// Everything that was freed should now be of use to others: waits for the streams that have still to do with it.
  virtual void trim() noexcept {}
  /// For messages: "host memory".
  virtual std::string describe() const = 0;
};

/// Something that a pool has done, for those who want to know.
struct MemoryEvent {
  enum class Kind : std::uint8_t { taken, handed_out, taken_back };  // taken: from the source
  Kind kind;
  const Backend* device;
  std::size_t asked;  // bytes
  std::size_t bytes;  // after rounding
  const std::byte* address;
  const void* block;  // the same from handing out to taking back
};
/// Called on the thread that asked or freed, perhaps under the graph's lock; null: nobody wants to know.
using MemoryObserver = void (*)(const MemoryEvent& event);
void set_memory_observer(MemoryObserver tell);

class Pool {
 public:
  struct Options {
    std::size_t padding = 0;      // bytes that may be read behind every block
    std::size_t granule = 64;     // small requests are rounded up to a multiple; a power of two, at least 64
    std::size_t cache_limit = 0;  // bytes that may wait
    bool host_memory = false;     // the host can touch it
    const Backend* device = nullptr;  // for those who observe
  };

  Pool(MemorySource& source, const Options& options);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  MemorySource& source() const { return source_; }
  const Options& options() const { return options_; }

  /// At least `nbytes`, with what is still to be done with them (Block::uses). Throws OutOfMemoryError; then nothing has changed,
  /// except that the cache may have been given back. `stream` is where the memory will be used, null on a device whose work is
  /// done when a call returns.
  Block& allocate(std::size_t nbytes, Stream* stream = nullptr);
  /// The same without waiting for anything; nullptr: there is no room.
  Block* try_allocate(std::size_t nbytes, Stream* stream = nullptr);
  /// To the pool that it came from. `uses` are taken.
  static void free(Block& block, Uses& uses) noexcept;
  /// The same of a block with which nothing is left to be done.
  static void free(Block& block) noexcept {
    Uses none;
    free(block, none);
  }
  /// Its owner is gone: the pool ends with its last block.
  static void retire(std::unique_ptr<Pool> pool) noexcept;

  /// The buffers in its blocks of at least so many bytes, longest unused first.
  std::vector<Ref<Buffer>> holders(std::size_t least) const;

  MemoryStats stats() const;
  void reset_peak();
  /// Gives what is cached back to the source: of one stream, or all.
  void free_all_blocks(Stream* stream = nullptr) noexcept;
  /// Bound on what is taken from the source, and on what is in use where more was taken before. 0: none.
  void set_limit(std::size_t nbytes);
  /// Bound on what is cached.
  void set_cache_limit(std::size_t nbytes);
  /// Throws the OutOfMemoryError of a request that cannot be met, or what else is the matter with the device.
  [[noreturn]] void raise(std::size_t nbytes, const char* why) const;

 private:
  struct Request {
    std::size_t bytes;  // rounded, with padding
    std::size_t list;   // of kept blocks
    bool keeps;         // is there such a list?
    bool small;         // which segments it is cut from
  };
  Request rounded(std::size_t nbytes) const noexcept;
  /// Under the lock.
  Shelf& shelf_of(Stream* stream) { return stream ? own_shelf(*stream) : first_; }
  Shelf& own_shelf(Stream& stream);
  Block* take(Shelf& shelf, const Request& want, bool pressed = false);
  static Block* find_open(const Shelf& shelf, const Request& want, bool pressed) noexcept;
  Block* take_elsewhere(const Stream* own, const Request& want, bool pressed);
  Block* take_anywhere(const Request& want, Stream* stream);
  void poll_others(const Stream& own);
  Block* find_block(std::size_t nbytes, Stream* stream, bool waits, const char*& why);
  void tell_of(Block& block, std::size_t nbytes);
  Block& hand_out(Block& block) noexcept;
  Block* grow(const Request& want, Stream* stream, const char*& why);
  std::byte* from_source(std::size_t bytes, Stream* stream, const char*& why);
  Block* allocate_fresh(const Request& want, Stream* stream, bool waits, const char*& why);
  std::pair<std::size_t, SegmentKind> segment_for(const Request& want) const noexcept;
  bool keep(Block& block) noexcept;
  void open(Block& block) noexcept;
  void close(Block& block) noexcept;
  void open_kept(Shelf& shelf) noexcept;
  void join_all() noexcept;
  Segment* take_idle_beyond(std::size_t cached, const Stream* only = nullptr,
                            std::size_t largest = SIZE_MAX) noexcept;
  Segment* make_way(std::size_t bytes) noexcept;
  static void give_back(MemorySource& source, Segment* segments) noexcept;
  void empty_cache(const Stream* stream) noexcept;
  Block* new_block();
  void drop(Block* block) noexcept;
  std::size_t cache_bound() const noexcept;
  void begin_span() noexcept;
  void count_used(std::size_t bytes, bool hit) noexcept;
  std::string largest_used() const;

  MemorySource& source_;
  Options options_;
  const int granule_bits_;
  mutable SpinLock lock_;
  Shelf first_;                                  // of those without a stream
  std::vector<std::unique_ptr<Shelf>> shelves_;  // by index of the stream; some are missing
  Segment* segments_ = nullptr;
  Segment* oldest_ = nullptr;  // of those of which nothing is in use
  Segment* newest_ = nullptr;
  Block* spare_ = nullptr;            // descriptions of no memory, to be used again
  std::size_t most_used_ = SIZE_MAX;  // the limit
  std::size_t kept_bytes_ = 0;
  std::size_t open_bytes_ = 0;  // that were in use before
  bool short_ = false;          // the source has refused a request of late
  bool retired_ = false;
  // The most that was in use in the present span of requests, in the one before, and how many bytes are to be asked for until the
  // next begins.
  static constexpr std::size_t kCacheLeast = std::size_t{256} << 20;  // bytes that may wait in any case
  std::size_t span_peak_ = 0;
  std::size_t last_peak_ = 0;
  std::size_t span_left_ = kCacheLeast;
  MemoryStats stats_;
};

/// "1.50 GiB"
std::string human_bytes(std::size_t bytes);

}  // namespace cuprum
