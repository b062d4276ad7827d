// The device's memory: where the caching pool (runtime/pool.h) gets its segments.
//
// The driver gives and takes memory in the order of a stream, that of the request. The driver's pool behind it maps physical pages
// as needed (no fragmentation of address space) and keeps what it has: segments go back to the system only by
// free_all_blocks, or before a request fails. Devices without such pools use plain cudaMalloc.
//
// CUPRUM_CUDA_POOL_LIMIT bounds the bytes that are cached; by default half of the device's memory.
#pragma once

#include <memory>

#include "runtime/pool.h"

namespace cuprum::cuda {

std::unique_ptr<MemorySource> device_memory(int device);
/// Memory that moves between host and device by itself.
std::unique_ptr<MemorySource> managed_memory_of(int device);
/// What the pool of the current device may cache.
std::size_t cache_limit();

}  // namespace cuprum::cuda
