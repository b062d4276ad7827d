// The device's memory: a caching pool (runtime/pool.h) over the driver's stream-ordered allocator.
//
// The driver gives and takes memory in the order of a stream, that of the request. The driver's pool behind it maps physical pages
// as needed (no fragmentation of address space) and keeps what it has: blocks go back to the system only by
// free_all_blocks, or before a request fails. Devices without such pools use plain cudaMalloc.
//
// CUPRUM_CUDA_POOL_LIMIT bounds the bytes that are cached; by default half of the device's memory.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>

#include "runtime/pool.h"

namespace cuprum::cuda {

class Memory {
 public:
  explicit Memory(int device);
  ~Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  Pool& pool() { return pool_; }
  const Pool& pool() const { return pool_; }

 private:
  std::unique_ptr<MemorySource> source_;
  Pool pool_;
};

}  // namespace cuprum::cuda
