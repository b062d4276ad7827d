#include "backend/cpu/pool.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "backend/cpu/system_memory.h"
#include "cuprum/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
// Without AddressSanitizer a cached block looks like any other memory.
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

namespace cuprum::cpu {

namespace {

constexpr std::size_t kPadding = 64;
constexpr std::size_t kLink = 64;  // bytes at the start of a cached block that stay readable for its links
constexpr std::size_t kAbsurd = std::size_t{1} << 47;            // more than an address space
constexpr std::size_t kCheckAvailable = std::size_t{256} << 20;  // from here on asking the system first pays

std::size_t small_bytes(std::size_t index) { return index * 64 + kPadding; }

std::string human(std::size_t bytes) {
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

std::size_t default_cache_limit() {
  if (const char* text = std::getenv("CUPRUM_CPU_POOL_LIMIT")) {
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text, &end, 10);
    if (end != text && *end == '\0') return static_cast<std::size_t>(value);
  }
  return std::clamp(total_memory() / 8, std::size_t{256} << 20, std::size_t{4} << 30);
}

}  // namespace

Pool::Pool() : cache_limit_(default_cache_limit()) {}

Pool::SizeClass Pool::large_class(std::size_t nbytes) {
  const std::size_t wanted = nbytes + kPadding;
  const int exponent = 63 - __builtin_clzll(wanted);
  const int bits = wanted >= kHugePage ? 4 : 2;  // 2^bits classes per doubling
  const std::size_t step = std::size_t{1} << (exponent - bits);
  const std::size_t bytes = (wanted + step - 1) & ~(step - 1);
  const int rounded = 63 - __builtin_clzll(bytes);
  const auto sub = static_cast<int>((bytes >> (rounded - 4)) & 15);
  return {bytes, rounded * 16 + sub};
}

void Pool::count_used(std::size_t bytes, bool hit) noexcept {
  stats_.used_bytes += bytes;
  if (stats_.used_bytes > stats_.peak_bytes) stats_.peak_bytes = stats_.used_bytes;
  ++stats_.allocations;
  stats_.hits += hit;
}

std::byte* Pool::allocate(std::size_t nbytes) {
  if (nbytes > kSmall) return allocate_large(nbytes);
  const std::size_t index = (nbytes + 63) / 64;
  const std::size_t bytes = small_bytes(index);
  {
    std::lock_guard guard(lock_);
    if (SmallBlock* block = small_[index]) {
      small_[index] = block->next;
      small_cached_ -= bytes;
      count_used(bytes, true);
      ASAN_UNPOISON_MEMORY_REGION(block, bytes);
      return reinterpret_cast<std::byte*>(block);
    }
  }
  return allocate_fresh(nbytes, bytes);
}

std::byte* Pool::allocate_large(std::size_t nbytes) {
  if (nbytes >= kAbsurd) raise(nbytes, "no machine has that much");
  const SizeClass size = large_class(nbytes);
  {
    std::lock_guard guard(lock_);
    if (LargeBlock* block = large_[size.index]) {
      unlink(block);
      count_used(size.bytes, true);
      ASAN_UNPOISON_MEMORY_REGION(block, size.bytes);
      return reinterpret_cast<std::byte*>(block);
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
  if (bytes >= kCheckAvailable && bytes > available_memory()) {
    free_all_blocks();
    // Linux would grant the request, and end the process when the pages are touched.
    if (bytes > available_memory()) give_up("the system has less than that available");
  }
  std::byte* block = system_allocate(bytes);
  if (!block) {
    free_all_blocks();
    block = system_allocate(bytes);
    if (!block) give_up("the system refused it");
  }
  std::lock_guard guard(lock_);
  count_used(bytes, false);
  return block;
}

void Pool::free(std::byte* data, std::size_t nbytes) noexcept {
  if (nbytes > kSmall) return free_large(data, nbytes);
  const std::size_t index = (nbytes + 63) / 64;
  const std::size_t bytes = small_bytes(index);
  {
    std::lock_guard guard(lock_);
    stats_.used_bytes -= bytes;
    if (small_cached_ + bytes <= kSmallCache && small_cached_ + bytes <= cache_limit_) {
      auto* block = reinterpret_cast<SmallBlock*>(data);
      block->next = small_[index];
      small_[index] = block;
      small_cached_ += bytes;
      ASAN_POISON_MEMORY_REGION(data + sizeof(SmallBlock), bytes - sizeof(SmallBlock));
      return;
    }
    stats_.total_bytes -= bytes;
  }
  system_free(data, bytes);
}

void Pool::free_large(std::byte* data, std::size_t nbytes) noexcept {
  const SizeClass size = large_class(nbytes);
  LargeBlock* evicted = nullptr;
  {
    std::lock_guard guard(lock_);
    stats_.used_bytes -= size.bytes;
    auto* block = reinterpret_cast<LargeBlock*>(data);
    *block = {large_[size.index], nullptr, nullptr, newest_, size.bytes, size.index};
    if (block->class_next) block->class_next->class_prev = block;
    large_[size.index] = block;
    (newest_ ? newest_->newer : oldest_) = block;
    newest_ = block;
    large_cached_ += size.bytes;
    ASAN_POISON_MEMORY_REGION(data + kLink, size.bytes - kLink);
    evicted = take_oldest_beyond(cache_limit_);
  }
  while (evicted) {
    LargeBlock* next = evicted->class_next;
    const std::size_t bytes = evicted->bytes;
    ASAN_UNPOISON_MEMORY_REGION(evicted, bytes);
    system_free(reinterpret_cast<std::byte*>(evicted), bytes);
    evicted = next;
  }
}

void Pool::unlink(LargeBlock* block) noexcept {
  if (block->class_next) block->class_next->class_prev = block->class_prev;
  (block->class_prev ? block->class_prev->class_next : large_[block->cls]) = block->class_next;
  (block->newer ? block->newer->older : newest_) = block->older;
  (block->older ? block->older->newer : oldest_) = block->newer;
  large_cached_ -= block->bytes;
}

/// Takes blocks out of the cache, longest waiting first, until at most `cached` bytes of large blocks remain. Returns them
/// linked by class_next: the caller frees them without holding the lock.
Pool::LargeBlock* Pool::take_oldest_beyond(std::size_t cached) noexcept {
  LargeBlock* taken = nullptr;
  while (oldest_ && large_cached_ > cached) {
    LargeBlock* block = oldest_;
    unlink(block);
    stats_.total_bytes -= block->bytes;
    block->class_next = taken;
    taken = block;
  }
  return taken;
}

void Pool::free_all_blocks() noexcept {
  LargeBlock* large = nullptr;
  SmallBlock* small[kSmallClasses];
  {
    std::lock_guard guard(lock_);
    large = take_oldest_beyond(0);
    std::copy(std::begin(small_), std::end(small_), small);
    std::fill(std::begin(small_), std::end(small_), nullptr);
    stats_.total_bytes -= small_cached_;
    small_cached_ = 0;
  }
  while (large) {
    LargeBlock* next = large->class_next;
    const std::size_t bytes = large->bytes;
    ASAN_UNPOISON_MEMORY_REGION(large, bytes);
    system_free(reinterpret_cast<std::byte*>(large), bytes);
    large = next;
  }
  for (int index = 0; index < kSmallClasses; ++index) {
    const std::size_t bytes = small_bytes(static_cast<std::size_t>(index));
    while (SmallBlock* block = small[index]) {
      small[index] = block->next;
      ASAN_UNPOISON_MEMORY_REGION(block, bytes);
      system_free(reinterpret_cast<std::byte*>(block), bytes);
    }
  }
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
    cache_limit_ = nbytes;
  }
  free_all_blocks();
}

void Pool::raise(std::size_t nbytes, const char* why) const {
  const MemoryStats now = stats();
  const std::string limit =
      now.limit_bytes == 0 ? "no limit is set" : "the limit is " + human(now.limit_bytes);
  throw OutOfMemoryError("cuprum: cannot allocate " + human(nbytes) + " (" + std::to_string(nbytes) +
                         " bytes) of host memory: " + why + "; " + human(now.used_bytes) +
                         " are in use by arrays, " + human(now.total_bytes - now.used_bytes) +
                         " are cached, " + limit);
}

}  // namespace cuprum::cpu
