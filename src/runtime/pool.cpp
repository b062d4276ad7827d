#include "runtime/pool.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <string>
#include <utility>

#include "cuprum/error.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
// Without AddressSanitizer a cached block looks like any other memory.
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace cuprum {

namespace {

constexpr std::size_t kLink = 64;  // bytes at the start of a cached block that stay readable for its links
constexpr std::size_t kFine = std::size_t{2} << 20;    // from here on there are 16 classes per doubling
constexpr std::size_t kAbsurd = std::size_t{1} << 47;  // more than an address space
constexpr std::size_t kCheckAvailable = std::size_t{256} << 20;  // from here on asking the source first pays

}  // namespace

std::string human_bytes(std::size_t bytes) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  char text[64];
  std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.2f %s", value, units[unit]);
  return text;
}

Pool::~Pool() {
  free_all_blocks();
  while (CachedBlock* entry = spare_) {
    spare_ = entry->next;
    delete static_cast<TrackedBlock*>(entry);
  }
}

std::size_t Pool::small_bytes(std::size_t index) const {
  return std::max<std::size_t>(64, index * 64 + options_.padding);
}

Pool::SizeClass Pool::size_class(std::size_t nbytes) const {
  if (nbytes <= kSmall) {
    const std::size_t index = (nbytes + 63) / 64;
    return {small_bytes(index), index, true};
  }
  const std::size_t wanted = nbytes + options_.padding;
  const int exponent = 63 - __builtin_clzll(wanted);
  const int bits = wanted >= kFine ? 4 : 2;  // 2^bits classes per doubling
  const std::size_t step = std::size_t{1} << (exponent - bits);
  const std::size_t bytes = (wanted + step - 1) & ~(step - 1);
  const int rounded = 63 - __builtin_clzll(bytes);
  const std::size_t sub = (bytes >> (rounded - 4)) & 15;
  return {bytes, static_cast<std::size_t>(rounded) * 16 + sub, false};
}

/// Under the lock, of a stream that there is.
Pool::Shelf& Pool::shelf_of(Stream* stream) {
  const auto index = static_cast<std::size_t>(stream->index);
  if (index >= shelves_.size()) shelves_.resize(index + 1);
  if (!shelves_[index]) {
    shelves_[index] = std::make_unique<Shelf>();
    shelves_[index]->stream = stream;
  }
  return *shelves_[index];
}

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
  stats_.free_blocks -= hit;
}

void Pool::begin_span() noexcept {
  last_peak_ = std::exchange(span_peak_, stats_.used_bytes);
  span_left_ = 4 * std::max({last_peak_, span_peak_, kCacheLeast});
}

std::size_t Pool::cache_bound() const noexcept {
  const std::size_t beyond_use = 2 * std::max(last_peak_, span_peak_) - stats_.used_bytes;
  return std::min(options_.cache_limit, std::max(beyond_use, kCacheLeast));
}

/// The entry of a block that is cached from now on: in the block itself, or the one made when the block was.
[[gnu::always_inline]] inline Pool::CachedBlock* Pool::attach(std::byte* block, std::size_t bytes,
                                                              Uses& uses) noexcept {
  CachedBlock* entry = nullptr;
  if (options_.links_in_blocks) {
    ASAN_POISON_MEMORY_REGION(block + kLink, bytes - kLink);
    entry = reinterpret_cast<CachedBlock*>(block);
    entry->shelf = &first_;
  } else {
    entry = spare_;
    spare_ = entry->next;
    const Stamp last = uses.last();
    entry->shelf = last ? &shelf_of(&last.stream()) : &first_;
    static_cast<TrackedBlock*>(entry)->uses = std::move(uses);
  }
  entry->data = block;
  return entry;
}

/// Under the lock: the block of an entry that is in no list any more.
[[gnu::always_inline]] inline Pool::Block Pool::hand_out(CachedBlock* entry, std::size_t bytes) noexcept {
  count_used(bytes, true);
  Block block{entry->data, {}};
  if (options_.links_in_blocks) {
    ASAN_UNPOISON_MEMORY_REGION(block.data, bytes);
  } else {
    block.uses = std::move(static_cast<TrackedBlock*>(entry)->uses);
    entry->next = spare_;
    spare_ = entry;
  }
  return block;
}

/// Back to the source with a block that is in no list any more. Without the lock.
void Pool::give_back(CachedBlock* entry, std::size_t bytes) noexcept {
  std::byte* block = entry->data;
  if (options_.links_in_blocks) {
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
    return source_.free(block, bytes, {});
  }
  const std::unique_ptr<TrackedBlock> tracked(static_cast<TrackedBlock*>(entry));
  source_.free(block, bytes, tracked->uses);
}

/// Under the lock, as the next two.
[[gnu::always_inline]] inline Pool::CachedBlock* Pool::take(Shelf& shelf, const SizeClass& size) noexcept {
  CachedBlock*& newest = size.small ? shelf.small[size.index] : shelf.large[size.index];
  CachedBlock* entry = newest;
  if (!entry) return nullptr;
  if (size.small) {
    newest = entry->next;
    small_cached_ -= size.bytes;
  } else {
    unlink(entry);
  }
  return entry;
}

/// A block of another stream's shelf, of which all uses are done, or any.
Pool::CachedBlock* Pool::take_elsewhere(const Stream& own, const SizeClass& size, bool finished) noexcept {
  for (const std::unique_ptr<Shelf>& shelf : shelves_) {
    if (!shelf || shelf->stream == &own) continue;
    const CachedBlock* newest = size.small ? shelf->small[size.index] : shelf->large[size.index];
    if (!newest || (finished && !static_cast<const TrackedBlock*>(newest)->uses.finished())) continue;
    return take(*shelf, size);
  }
  return nullptr;
}

Pool::Block Pool::allocate(std::size_t nbytes, Stream* stream) {
  if (nbytes >= kAbsurd) raise(nbytes, "no machine has that much");
  const SizeClass size = size_class(nbytes);
  {
    std::lock_guard guard(lock_);
    if (CachedBlock* entry = take(stream ? shelf_of(stream) : first_, size)) [[likely]]
      return hand_out(entry, size.bytes);
  }
  if (stream) {
    poll_others(*stream);
    std::lock_guard guard(lock_);
    if (CachedBlock* entry = take_elsewhere(*stream, size, true)) return hand_out(entry, size.bytes);
  }
  return allocate_fresh(nbytes, size, stream);
}

/// Asks the streams of the other shelves what they have done.
void Pool::poll_others(const Stream& own) {
  std::vector<Stream*> streams;
  {
    std::lock_guard guard(lock_);
    for (const std::unique_ptr<Shelf>& shelf : shelves_) {
      if (shelf && shelf->stream != &own) streams.push_back(shelf->stream);
    }
  }
  for (Stream* stream : streams) stream->poll();
}

Pool::Block Pool::allocate_fresh(std::size_t nbytes, const SizeClass& size, Stream* stream) {
  const std::size_t bytes = size.bytes;
  CachedBlock* found = nullptr;  // a block of another stream, which is better than none
  const auto look_elsewhere = [&] {
    std::lock_guard guard(lock_);
    found = stream ? take_elsewhere(*stream, size, false) : nullptr;
    return found != nullptr;
  };
  const auto over_limit = [&] {
    std::lock_guard guard(lock_);
    if (stats_.limit_bytes != 0 && stats_.total_bytes + bytes > stats_.limit_bytes) return true;
    stats_.total_bytes += bytes;
    return false;
  };
  const auto use_found = [&] {
    std::lock_guard guard(lock_);
    return hand_out(found, bytes);
  };
  if (over_limit()) {
    if (look_elsewhere()) return use_found();
    free_all_blocks();
    if (over_limit()) raise(nbytes, "it would exceed the limit");
  }
  const auto take_back = [&] {
    std::lock_guard guard(lock_);
    stats_.total_bytes -= bytes;
  };
  const auto give_up = [&](const char* why) {
    take_back();
    raise(nbytes, why);
  };
  if (bytes >= kCheckAvailable && bytes > source_.available()) {
    free_all_blocks();
    // Linux, for one, would grant the request, and end the process when the pages are touched.
    if (bytes > source_.available()) give_up("the system has less than that available");
  }
  std::byte* block = source_.allocate(bytes, stream);
  if (!block && look_elsewhere()) {
    take_back();
    return use_found();
  }
  if (!block) {
    free_all_blocks();
    block = source_.allocate(bytes, stream);
    if (!block) give_up("there is not so much");
  }
  CachedBlock* entry = options_.links_in_blocks ? nullptr : new TrackedBlock;
  std::lock_guard guard(lock_);
  if (entry) {
    entry->next = spare_;
    spare_ = entry;
  }
  count_used(bytes, false);
  Block fresh{block, {}};
  if (stream && source_.stream_ordered()) fresh.uses.written_at(stream->mark());
  return fresh;
}

void Pool::free(std::byte* data, std::size_t nbytes, Uses& uses) noexcept {
  const SizeClass size = size_class(nbytes);
  CachedBlock* evicted = nullptr;
  {
    std::lock_guard guard(lock_);
    stats_.used_bytes -= size.bytes;
    CachedBlock* entry = attach(data, size.bytes, uses);
    entry->bytes = size.bytes;
    if (size.small) {
      if (keep_small(entry, size)) return;
      entry->next = nullptr;
      evicted = entry;
    } else {
      keep_large(entry, size);
      evicted = take_oldest_beyond(cache_bound());
    }
  }
  while (evicted) {
    CachedBlock* next = evicted->next;
    give_back(evicted, evicted->bytes);
    evicted = next;
  }
}

bool Pool::keep_small(CachedBlock* entry, const SizeClass& size) noexcept {
  if (small_cached_ + size.bytes > kSmallCache || small_cached_ + size.bytes > options_.cache_limit) {
    stats_.total_bytes -= size.bytes;
    return false;
  }
  CachedBlock*& newest = entry->shelf->small[size.index];
  entry->next = std::exchange(newest, entry);
  small_cached_ += size.bytes;
  ++stats_.free_blocks;
  return true;
}

void Pool::keep_large(CachedBlock* entry, const SizeClass& size) noexcept {
  CachedBlock*& newest = entry->shelf->large[size.index];
  entry->cls = static_cast<std::int64_t>(size.index);
  entry->prev = entry->newer = nullptr;
  entry->next = std::exchange(newest, entry);
  if (entry->next) entry->next->prev = entry;
  entry->older = newest_;
  (newest_ ? newest_->newer : oldest_) = entry;
  newest_ = entry;
  large_cached_ += size.bytes;
  ++stats_.free_blocks;
}

void Pool::unlink(CachedBlock* entry) noexcept {
  if (entry->next) entry->next->prev = entry->prev;
  (entry->prev ? entry->prev->next : entry->shelf->large[entry->cls]) = entry->next;
  (entry->newer ? entry->newer->older : newest_) = entry->older;
  (entry->older ? entry->older->newer : oldest_) = entry->newer;
  large_cached_ -= entry->bytes;
}

/// Takes blocks out of the cache, longest waiting first, until at most `cached` bytes of large blocks remain. Returns them
/// linked by next: the caller frees them without holding the lock.
Pool::CachedBlock* Pool::take_oldest_beyond(std::size_t cached) noexcept {
  CachedBlock* taken = nullptr;
  while (oldest_ && large_cached_ > cached) {
    CachedBlock* entry = oldest_;
    unlink(entry);
    stats_.total_bytes -= entry->bytes;
    --stats_.free_blocks;
    entry->next = taken;
    taken = entry;
  }
  return taken;
}

/// Under the lock: takes all small blocks, as take_oldest_beyond does.
Pool::CachedBlock* Pool::take_small() noexcept {
  CachedBlock* taken = nullptr;
  const auto empty = [&](Shelf& shelf) {
    for (std::size_t index = 0; index < kSmallClasses; ++index) {
      while (CachedBlock* entry = shelf.small[index]) {
        shelf.small[index] = entry->next;
        entry->bytes = small_bytes(index);
        entry->next = taken;
        taken = entry;
      }
    }
  };
  empty(first_);
  for (const std::unique_ptr<Shelf>& shelf : shelves_) {
    if (shelf) empty(*shelf);
  }
  stats_.total_bytes -= small_cached_;
  small_cached_ = 0;
  return taken;
}

void Pool::free_all_blocks() noexcept {
  CachedBlock* lists[2];
  {
    std::lock_guard guard(lock_);
    lists[0] = take_oldest_beyond(0);
    lists[1] = take_small();
    stats_.free_blocks = 0;
  }
  for (CachedBlock* entry : lists) {
    while (entry) {
      CachedBlock* next = entry->next;
      give_back(entry, entry->bytes);
      entry = next;
    }
  }
  source_.trim();
#if defined(__GLIBC__)
  malloc_trim(
      0);  // small blocks and everything that arrays are made of come from malloc, which keeps what was freed
#endif
}

MemoryStats Pool::stats() const {
  std::lock_guard guard(lock_);
  return stats_;
}

void Pool::reset_peak() {
  std::lock_guard guard(lock_);
  stats_.peak_bytes = stats_.used_bytes;
}

void Pool::set_limit(std::size_t nbytes) {
  std::lock_guard guard(lock_);
  stats_.limit_bytes = nbytes;
}

void Pool::set_cache_limit(std::size_t nbytes) {
  {
    std::lock_guard guard(lock_);
    options_.cache_limit = nbytes;
  }
  free_all_blocks();
}

void Pool::raise(std::size_t nbytes, const char* why) const {
  if (const std::string problem = source_.problem(); !problem.empty()) throw Error("cuprum: " + problem);
  const MemoryStats now = stats();
  const std::string limit =
      now.limit_bytes == 0 ? "no limit is set" : "the limit is " + human_bytes(now.limit_bytes);
  const std::size_t largest = source_.largest_free();
  const std::string free_text =
      largest == SIZE_MAX ? "" : "the largest free block has " + human_bytes(largest) + ", ";
  throw OutOfMemoryError("cuprum: cannot allocate " + human_bytes(nbytes) + " (" + std::to_string(nbytes) +
                         " bytes) of " + source_.describe() + ": " + why + "; " +
                         human_bytes(now.used_bytes) + " are in use by arrays, " +
                         human_bytes(now.total_bytes - now.used_bytes) + " are cached, " + free_text + limit);
}

}  // namespace cuprum
