// Pools of memory as a program holds them: what cuprum.MemoryPool and cuprum::memory_pool are made of.
#pragma once

#include <cstddef>
#include <memory>

#include "runtime/allocator.h"
#include "runtime/pool.h"

namespace cuprum::ops {

/// Pools of a program, one for every device, or those that the devices have.
struct MemoryPool {
  std::shared_ptr<PoolAllocator> own;  // null: those of the devices

  Pool& on(Backend& device) const { return own ? own->pool(device) : device.pool(); }
};

/// Further pools: over memory that host and device share, or the devices' own; without a cache they give back at once.
MemoryPool make_pool(bool managed, bool caches);

/// So much of a device's memory as a limit, in bytes. Throws ValueError for what is no fraction.
std::size_t limit_of_fraction(const Backend& device, double fraction);

/// How many bytes of inputs a chunk of map_chunks has, by default, where all of them have `total`: it follows from the memory that
/// is free.
std::size_t chunk_bytes(const Backend& device, std::size_t total);

}  // namespace cuprum::ops
