#include "ops/pools.h"

#include <unistd.h>

#include <algorithm>

#include "cuprum/error.h"

namespace cuprum::ops {

namespace {

// Bytes of a chunk's inputs. A bus of 50 GB/s takes 1.3 ms for the most of them, ten times the cost of a hand-over; on the CPU a
// result that stays in the cache is copied for nothing. Fewer than eight chunks would not overlap.
constexpr std::size_t kMost = std::size_t{64} << 20;
constexpr std::size_t kMostHere = std::size_t{2} << 20;
constexpr std::size_t kLeast = std::size_t{1} << 20;
constexpr std::size_t kParts = 8;
constexpr std::size_t kOfMemory =
    16;  // chunks in flight, their results and what the function needs meanwhile

std::size_t total_memory(const Backend& device) {
  if (const std::size_t bytes = device.info().memory_bytes) return bytes;
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

MemoryPool make_pool(bool managed, bool caches) {
  return {
      std::make_shared<PoolAllocator>([=](Backend& device) { return device.make_pool(managed, caches); })};
}

std::size_t limit_of_fraction(const Backend& device, double fraction) {
  if (!(fraction >= 0 && fraction <= 1))
    throw ValueError("cuprum.MemoryPool.set_limit: fraction must lie between 0 and 1");
  return static_cast<std::size_t>(fraction * static_cast<double>(total_memory(device)));
}

std::size_t chunk_bytes(const Backend& device, std::size_t total) {
  const std::size_t most = device.host_accessible() ? kMostHere : kMost;
  const std::size_t size = std::min(most, std::max(total / kParts, kLeast));
  const MemoryStats stats = device.pool().stats();
  std::size_t free = device.info().free_bytes;
  if (free != 0) free += stats.total_bytes - stats.used_bytes;
  if (stats.limit_bytes != 0) {
    const std::size_t left = stats.limit_bytes - std::min(stats.limit_bytes, stats.used_bytes);
    free = free != 0 ? std::min(free, left) : left;
  }
  return free != 0 ? std::max<std::size_t>(std::min(size, free / kOfMemory), 1) : size;
}

}  // namespace cuprum::ops
