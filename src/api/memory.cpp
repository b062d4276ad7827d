#include "cuprum/memory.h"

#include <utility>

#include "ops/pools.h"
#include "runtime/devices.h"
#include "runtime/spill.h"

namespace cuprum {

memory_pool::memory_pool() : pool_(std::make_shared<const ops::MemoryPool>(ops::make_pool(false, true))) {}
memory_pool::memory_pool(std::shared_ptr<const ops::MemoryPool> pool) : pool_(std::move(pool)) {}
memory_pool get_default_memory_pool() { return memory_pool(std::make_shared<const ops::MemoryPool>()); }

namespace {

Pool& here(const ops::MemoryPool& pool) { return pool.on(current_device()); }

}  // namespace

std::size_t memory_pool::used_bytes() const { return here(*pool_).stats().used_bytes; }
std::size_t memory_pool::free_bytes() const {
  const MemoryStats stats = here(*pool_).stats();
  return stats.total_bytes - stats.used_bytes;
}
std::size_t memory_pool::total_bytes() const { return here(*pool_).stats().total_bytes; }
std::size_t memory_pool::peak_bytes() const { return here(*pool_).stats().peak_bytes; }
std::size_t memory_pool::peak_total_bytes() const { return here(*pool_).stats().peak_total_bytes; }
void memory_pool::reset_peak() const { here(*pool_).reset_peak(); }
std::size_t memory_pool::n_allocations() const { return here(*pool_).stats().allocations; }
std::size_t memory_pool::n_hits() const { return here(*pool_).stats().hits; }
std::size_t memory_pool::n_device_allocations() const { return here(*pool_).stats().source_allocations; }
std::size_t memory_pool::n_free_blocks() const { return here(*pool_).stats().free_blocks; }

std::size_t memory_pool::get_limit() const { return here(*pool_).stats().limit_bytes; }
void memory_pool::set_limit(std::size_t bytes) const { here(*pool_).set_limit(bytes); }
void memory_pool::set_limit_fraction(double fraction) const {
  set_limit(ops::limit_of_fraction(current_device(), fraction));
}
void memory_pool::free_all_blocks() const { here(*pool_).free_all_blocks(); }

void set_allocator(const memory_pool& pool) { choose_allocator(pool.pool_->own); }
allocator_scope::allocator_scope(const memory_pool& pool)
    : chosen_(std::make_unique<ThreadAllocator>(pool.pool_->own)) {}
allocator_scope::~allocator_scope() = default;

void allow_spill(bool on) { set_spill(on); }
bool spill_is_allowed() { return spill_is_on(); }
spill_statistics spilled_bytes() {
  const SpillStats stats = spill_stats();
  return {stats.to_host, stats.from_host, stats.on_host};
}

}  // namespace cuprum
