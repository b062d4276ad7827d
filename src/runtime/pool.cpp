#include "runtime/pool.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <mutex>
#include <string>
#include <utility>

#include "cuprum/error.h"
#include "runtime/debug.h"
#include "runtime/spill.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
// Without AddressSanitizer a cached block looks like any other memory.
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace cuprum {

namespace {

std::atomic<bool> observed{false};
std::atomic<MemoryObserver> observer{nullptr};

void observe(const MemoryEvent& event) {
  if (const MemoryObserver tell = observer.load()) tell(event);
}

constexpr std::size_t kKeep = 4096;                        // the largest request whose block is kept as it is
constexpr std::size_t kKeptBytes = 32 << 20;               // bytes of such blocks
constexpr std::size_t kSmall = std::size_t{256} << 10;     // the largest request of a small segment
constexpr std::size_t kLargeRest = std::size_t{64} << 10;  // less is not worth cutting off a large block
constexpr std::size_t kGranule = 512;                  // requests beyond kKeep are rounded up to a multiple
constexpr std::size_t kAbsurd = std::size_t{1} << 47;  // more than an address space

/// All pools, for fork(): a child must not inherit a lock that a vanished thread holds.
struct Pools {
  std::mutex mutex;
  std::vector<SpinLock*> locks;

  static Pools& instance() {
    static auto* const pools = [] {
      const auto unlock = [] {
        for (SpinLock* lock : instance().locks) lock->unlock();
        instance().mutex.unlock();
      };
      pthread_atfork(
          [] {
            instance().mutex.lock();
            for (SpinLock* lock : instance().locks) lock->lock();
          },
          unlock, unlock);
      return new Pools;
    }();
    return *pools;
  }
};

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

void set_memory_observer(MemoryObserver tell) {
  observer.store(tell);
  observed.store(tell != nullptr);
}

Pool::Pool(MemorySource& source, const Options& options)
    : source_(source), options_(options), granule_bits_(std::countr_zero(options.granule)) {
  Pools& pools = Pools::instance();
  const std::lock_guard guard(pools.mutex);
  pools.locks.push_back(&lock_);
}

Pool::~Pool() {
  {
    Pools& pools = Pools::instance();
    const std::lock_guard guard(pools.mutex);
    std::erase(pools.locks, &lock_);
  }
  empty_cache(nullptr);
}

void Pool::retire(std::unique_ptr<Pool> pool) noexcept {
  pool->empty_cache(nullptr);
  std::unique_lock guard(pool->lock_);
  if (!pool->segments_) {
    guard.unlock();
    return;
  }
  pool->retired_ = true;
  pool->options_.cache_limit = 0;
  guard.unlock();
  (void)pool.release();  // `free` of its last block deletes it
}

[[gnu::always_inline]] inline Pool::Request Pool::rounded(std::size_t nbytes) const noexcept {
  if (nbytes <= kKeep) {
    const std::size_t list = std::max<std::size_t>(1, (nbytes + options_.granule - 1) >> granule_bits_);
    return {list * options_.granule + options_.padding, list, true, true};
  }
  return {round_up(nbytes + options_.padding, kGranule), 0, false, nbytes <= kSmall};
}

Shelf& Pool::own_shelf(Stream& stream) {
  const auto index = static_cast<std::size_t>(stream.index);
  if (index >= shelves_.size()) shelves_.resize(index + 1);
  if (!shelves_[index]) {
    shelves_[index] = std::make_unique<Shelf>();
    shelves_[index]->stream = &stream;
  }
  return *shelves_[index];
}

// -- Counting.

void Pool::count_used(std::size_t bytes, bool hit) noexcept {
  stats_.used_bytes += bytes;
  if (stats_.used_bytes > stats_.peak_bytes) stats_.peak_bytes = stats_.used_bytes;
  if (stats_.used_bytes > span_peak_) span_peak_ = stats_.used_bytes;
  if (bytes >= span_left_) [[unlikely]]
    begin_span();
  else
    span_left_ -= bytes;
  ++stats_.allocations;
  stats_.hits += hit;
}

void Pool::begin_span() noexcept {
  last_peak_ = std::exchange(span_peak_, stats_.used_bytes);
  span_left_ = 4 * std::max({last_peak_, span_peak_, kCacheLeast});
}

std::size_t Pool::cache_bound() const noexcept {
  const std::size_t beyond_use = 2 * std::max(last_peak_, span_peak_) - stats_.used_bytes;
  return std::min(options_.cache_limit, std::max(beyond_use, kCacheLeast));
}

/// Under the lock: the block, in no list any more, belongs to whoever asked.
[[gnu::always_inline]] inline Block& Pool::hand_out(Block& block) noexcept {
  block.state = Block::State::used;
  block.last_use = use_clock.load(std::memory_order_relaxed);
  if (options_.host_memory) ASAN_UNPOISON_MEMORY_REGION(block.data, block.bytes);
  count_used(block.bytes - options_.padding, !block.fresh);
  return block;
}

// -- Blocks, under the lock.

Block* Pool::new_block() {
  if (!spare_) return new Block;
  Block* block = std::exchange(spare_, spare_->next);
  *block = Block{};
  return block;
}

void Pool::drop(Block* block) noexcept {
  block->next = spare_;
  spare_ = block;
}

/// Puts a block that is in no list into the bin of its size, joined with its neighbours.
void Pool::open(Block& freed) noexcept {
  Block* block = &freed;
  const auto joins = [&](const Block* neighbour) {
    return neighbour && neighbour->state == Block::State::open && neighbour->shelf == block->shelf;
  };
  if (joins(block->behind)) {
    Block* behind = block->behind;
    close(*behind);
    join(*block, *behind);
    drop(behind);
  }
  if (joins(block->before)) {
    Block* before = block->before;
    close(*before);
    join(*before, *block);
    drop(block);
    block = before;
  }
  block->state = Block::State::open;
  block->shelf->bins_of(*block).add(*block);
  if (block->fresh) return;
  open_bytes_ += block->bytes;
  ++stats_.free_blocks;
  if (!block->is_whole()) return;
  Segment* segment = block->segment;
  segment->newer = nullptr;
  segment->older = newest_;
  (newest_ ? newest_->newer : oldest_) = segment;
  newest_ = segment;
}

/// Takes a block out of its bin.
void Pool::close(Block& block) noexcept {
  block.shelf->bins_of(block).remove(block);
  block.state = Block::State::used;
  if (block.fresh) return;
  open_bytes_ -= block.bytes;
  --stats_.free_blocks;
  if (!block.is_whole()) return;
  Segment* segment = block.segment;
  (segment->newer ? segment->newer->older : newest_) = segment->older;
  (segment->older ? segment->older->newer : oldest_) = segment->newer;
}

/// The open block that a request is cut from; `pressed`: before it would fail, any that is large enough.
[[gnu::always_inline]] inline Block* Pool::find_open(const Shelf& shelf, const Request& want,
                                                     bool pressed) noexcept {
  if (want.small) return shelf.bins_of(SegmentKind::small).find(want.bytes);
  Block* shared = shelf.bins_of(SegmentKind::shared).find(want.bytes);
  Block* own = shelf.bins_of(SegmentKind::own).find(want.bytes);
  if (own && !pressed && own->bytes / 2 > want.bytes) own = nullptr;
  if (!shared || !own) return shared ? shared : own;
  return own->bytes < shared->bytes ? own : shared;
}

[[gnu::always_inline]] inline Block* Pool::take(Shelf& shelf, const Request& want, bool pressed) {
  if (stats_.used_bytes + want.bytes > most_used_) [[unlikely]]
    return nullptr;  // the limit was lowered below what the pool has
  if (want.keeps) {
    if (Block* block = shelf.kept[want.list]) [[likely]] {
      shelf.kept[want.list] = block->next;
      kept_bytes_ -= block->bytes;
      --stats_.free_blocks;
      return block;
    }
  }
  Block* block = find_open(shelf, want, pressed);
  if (!block) return nullptr;
  const std::size_t least = want.small ? options_.granule : kLargeRest;
  Block* rest = block->bytes - want.bytes >= least ? new_block() : nullptr;
  close(*block);
  if (rest) {
    cut(*block, want.bytes, *rest);
    open(*rest);
  }
  return block;
}

/// A block of another stream's shelf, of which all uses are done; `pressed`: or any.
Block* Pool::take_elsewhere(const Stream* own, const Request& want, bool pressed) {
  for (const std::unique_ptr<Shelf>& shelf : shelves_) {
    if (!shelf || shelf->stream == own) continue;
    const Block* kept = want.keeps ? shelf->kept[want.list] : nullptr;
    const Block* found = kept ? kept : find_open(*shelf, want, pressed);
    if (!found || (!pressed && !found->uses.finished())) continue;
    return take(*shelf, want, pressed);
  }
  return nullptr;
}

Block* Pool::take_anywhere(const Request& want, Stream* stream) {
  if (Block* block = take(shelf_of(stream), want, true)) return block;
  return stream ? take_elsewhere(stream, want, true) : nullptr;
}

// -- Requests.

Block& Pool::allocate(std::size_t nbytes, Stream* stream) {
  const char* why = nullptr;
  Block* block = find_block(nbytes, stream, true, why);
  if (!block) raise(nbytes, why);
  if (debugging() || observed.load(std::memory_order_relaxed)) [[unlikely]]
    tell_of(*block, nbytes);
  return *block;
}

Block* Pool::try_allocate(std::size_t nbytes, Stream* stream) {
  const char* why = nullptr;
  Block* block = find_block(nbytes, stream, false, why);
  if (block && (debugging() || observed.load(std::memory_order_relaxed))) tell_of(*block, nbytes);
  return block;
}

/// What happens beside: without the lock, for Python may run here.
void Pool::tell_of(Block& block, std::size_t nbytes) {
  if (debugging()) {
    const char* place = current_place();
    std::lock_guard guard(lock_);
    block.place = place;
  }
  const std::size_t bytes = block.bytes - options_.padding;
  if (block.fresh) observe({MemoryEvent::Kind::taken, options_.device, bytes, bytes, block.data, &block});
  observe({MemoryEvent::Kind::handed_out, options_.device, nbytes, bytes, block.data, &block});
}

[[gnu::always_inline]] inline Block* Pool::find_block(std::size_t nbytes, Stream* stream, bool waits,
                                                      const char*& why) {
  if (nbytes >= kAbsurd) [[unlikely]] {
    why = "no machine has that much";
    return nullptr;
  }
  const Request want = rounded(nbytes);
  {
    std::lock_guard guard(lock_);
    if (Block* block = take(shelf_of(stream), want)) [[likely]]
      return &hand_out(*block);
  }
  if (stream) {
    poll_others(*stream);
    std::lock_guard guard(lock_);
    if (Block* block = take_elsewhere(stream, want, false)) return &hand_out(*block);
  }
  Block* fresh = allocate_fresh(want, stream, waits, why);
  if (!fresh) return nullptr;
  std::lock_guard guard(lock_);
  return &hand_out(*fresh);
}

// -- Freeing.

[[gnu::always_inline]] inline bool Pool::keep(Block& block) noexcept {
  const std::size_t bytes = block.bytes - options_.padding;
  if (bytes > kKeep || block.segment->kind != SegmentKind::small) return false;
  if (kept_bytes_ >= std::min(kKeptBytes, options_.cache_limit)) return false;
  Block*& newest = block.shelf->kept[bytes >> granule_bits_];
  block.next = std::exchange(newest, &block);
  block.state = Block::State::kept;
  kept_bytes_ += block.bytes;
  ++stats_.free_blocks;
  return true;
}

void Pool::free(Block& block, Uses& uses) noexcept {
  Pool& pool = *block.segment->pool;
  if (observed.load(std::memory_order_relaxed)) [[unlikely]] {
    const std::size_t bytes = block.bytes - pool.options_.padding;
    observe({MemoryEvent::Kind::taken_back, pool.options_.device, bytes, bytes, block.data, &block});
  }
  MemorySource& source = pool.source_;
  Segment* evicted = nullptr;
  bool ends = false;
  {
    std::lock_guard guard(pool.lock_);
    pool.stats_.used_bytes -= block.bytes - pool.options_.padding;
    // Of one that nobody has used, the shelf is the one that it came from.
    if (const Stamp last = uses.last()) block.shelf = &pool.shelf_of(&last.stream());
    block.uses = std::move(uses);
    block.set_holder(nullptr);
    block.place = nullptr;
    block.fresh = false;
    if (pool.options_.host_memory) ASAN_POISON_MEMORY_REGION(block.data, block.bytes);
    if (pool.keep(block)) return;
    pool.open(block);
    if (pool.retired_) pool.join_all();
    evicted = pool.take_idle_beyond(pool.cache_bound());
    ends = pool.retired_ && !pool.segments_;
  }
  give_back(source, evicted);
  if (ends) delete &pool;
}

/// Takes segments of which nothing is in use out of the pool, longest waiting first, until at most `cached` bytes wait. Returns them
/// linked by next: the caller frees them without holding the lock.
Segment* Pool::take_idle_beyond(std::size_t cached, const Stream* only, std::size_t largest) noexcept {
  Segment* taken = nullptr;
  for (Segment* segment = oldest_; segment && open_bytes_ > cached;) {
    Segment* newer = segment->newer;
    if (segment->bytes <= largest && (!only || segment->first->shelf->stream == only)) {
      close(*segment->first);
      if (options_.host_memory) ASAN_UNPOISON_MEMORY_REGION(segment->first->data, segment->bytes);
      (segment->prev ? segment->prev->next : segments_) = segment->next;
      if (segment->next) segment->next->prev = segment->prev;
      stats_.total_bytes -= segment->bytes;
      segment->next = std::exchange(taken, segment);
    }
    segment = newer;
  }
  return taken;
}

}  // namespace cuprum
