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
    delete entry;
  }
}

std::size_t Pool::small_bytes(std::size_t index) const {
  return std::max<std::size_t>(64, index * 64 + options_.padding);
}

Pool::SizeClass Pool::large_class(std::size_t nbytes) const {
  const std::size_t wanted = nbytes + options_.padding;
  const int exponent = 63 - __builtin_clzll(wanted);
  const int bits = wanted >= kFine ? 4 : 2;  // 2^bits classes per doubling
  const std::size_t step = std::size_t{1} << (exponent - bits);
  const std::size_t bytes = (wanted + step - 1) & ~(step - 1);
  const int rounded = 63 - __builtin_clzll(bytes);
  const auto sub = static_cast<int>((bytes >> (rounded - 4)) & 15);
  return {bytes, rounded * 16 + sub};
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
Pool::CachedBlock* Pool::attach(std::byte* block, std::size_t bytes) noexcept {
  if (options_.links_in_blocks) {
    ASAN_POISON_MEMORY_REGION(block + kLink, bytes - kLink);
    auto* entry = reinterpret_cast<CachedBlock*>(block);
    entry->data = block;
    return entry;
  }
  CachedBlock* entry = spare_;
  spare_ = entry->next;
  entry->data = block;
  return entry;
}

std::byte* Pool::detach(CachedBlock* entry, std::size_t bytes) noexcept {
  std::byte* block = entry->data;
  if (options_.links_in_blocks) {
    ASAN_UNPOISON_MEMORY_REGION(block, bytes);
  } else {
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
  } else {
    delete entry;
  }
  source_.free(block, bytes);
}

std::byte* Pool::allocate(std::size_t nbytes) {
  if (nbytes > kSmall) return allocate_large(nbytes);
  const std::size_t index = (nbytes + 63) / 64;
  const std::size_t bytes = small_bytes(index);
  {
    std::lock_guard guard(lock_);
    if (CachedBlock* entry = small_[index]) {
      small_[index] = entry->next;
      small_cached_ -= bytes;
      count_used(bytes, true);
      return detach(entry, bytes);
    }
  }
  return allocate_fresh(nbytes, bytes);
}

std::byte* Pool::allocate_large(std::size_t nbytes) {
  if (nbytes >= kAbsurd) raise(nbytes, "no machine has that much");
  const SizeClass size = large_class(nbytes);
  {
    std::lock_guard guard(lock_);
    if (CachedBlock* entry = large_[size.index]) {
      unlink(entry);
      count_used(size.bytes, true);
      return detach(entry, size.bytes);
    }
  }
  return allocate_fresh(nbytes, size.bytes);
}

std::byte* Pool::allocate_fresh(std::size_t nbytes, std::size_t bytes) {
  const auto over_limit = [&] {
    std::lock_guard guard(lock_);
    if (stats_.limit_bytes != 0 && stats_.total_bytes + bytes > stats_.limit_bytes) return true;
    stats_.total_bytes += bytes;
    return false;
  };
  if (over_limit()) {
    free_all_blocks();
    if (over_limit()) raise(nbytes, "it would exceed the limit");
  }
  const auto give_up = [&](const char* why) {
    {
      std::lock_guard guard(lock_);
      stats_.total_bytes -= bytes;
    }
    raise(nbytes, why);
  };
  if (bytes >= kCheckAvailable && bytes > source_.available()) {
    free_all_blocks();
    // Linux, for one, would grant the request, and end the process when the pages are touched.
    if (bytes > source_.available()) give_up("the system has less than that available");
  }
  std::byte* block = source_.allocate(bytes);
  if (!block) {
    free_all_blocks();
    block = source_.allocate(bytes);
    if (!block) give_up("there is not so much");
  }
  CachedBlock* entry = options_.links_in_blocks ? nullptr : new CachedBlock;
  std::lock_guard guard(lock_);
  if (entry) {
    entry->next = spare_;
    spare_ = entry;
  }
  count_used(bytes, false);
  return block;
}

void Pool::free(std::byte* data, std::size_t nbytes) noexcept {
  if (nbytes > kSmall) return free_large(data, nbytes);
  const std::size_t index = (nbytes + 63) / 64;
  const std::size_t bytes = small_bytes(index);
  CachedBlock* entry = nullptr;
  {
    std::lock_guard guard(lock_);
    stats_.used_bytes -= bytes;
    entry = attach(data, bytes);
    if (small_cached_ + bytes <= kSmallCache && small_cached_ + bytes <= options_.cache_limit) {
      entry->next = small_[index];
      small_[index] = entry;
      small_cached_ += bytes;
      ++stats_.free_blocks;
      return;
    }
    stats_.total_bytes -= bytes;
  }
  give_back(entry, bytes);
}

void Pool::free_large(std::byte* data, std::size_t nbytes) noexcept {
  const SizeClass size = large_class(nbytes);
  CachedBlock* evicted = nullptr;
  {
    std::lock_guard guard(lock_);
    stats_.used_bytes -= size.bytes;
    CachedBlock* entry = attach(data, size.bytes);
    *entry = {large_[size.index], nullptr, nullptr, newest_, size.bytes, data, size.index};
    if (entry->next) entry->next->prev = entry;
    large_[size.index] = entry;
    (newest_ ? newest_->newer : oldest_) = entry;
    newest_ = entry;
    large_cached_ += size.bytes;
    ++stats_.free_blocks;
    evicted = take_oldest_beyond(cache_bound());
  }
  while (evicted) {
    CachedBlock* next = evicted->next;
    give_back(evicted, evicted->bytes);
    evicted = next;
  }
}

void Pool::unlink(CachedBlock* entry) noexcept {
  if (entry->next) entry->next->prev = entry->prev;
  (entry->prev ? entry->prev->next : large_[entry->cls]) = entry->next;
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

void Pool::free_all_blocks() noexcept {
  CachedBlock* large = nullptr;
  CachedBlock* small[kSmallClasses];
  {
    std::lock_guard guard(lock_);
    large = take_oldest_beyond(0);
    std::copy(std::begin(small_), std::end(small_), small);
    std::fill(std::begin(small_), std::end(small_), nullptr);
    stats_.total_bytes -= small_cached_;
    stats_.free_blocks = 0;
    small_cached_ = 0;
  }
  while (large) {
    CachedBlock* next = large->next;
    give_back(large, large->bytes);
    large = next;
  }
  for (int index = 0; index < kSmallClasses; ++index) {
    while (CachedBlock* entry = small[index]) {
      small[index] = entry->next;
      give_back(entry, small_bytes(static_cast<std::size_t>(index)));
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
