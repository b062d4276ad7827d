// Reductions of a warp or a block, through shared memory. All threads come to the call; the result is that of the first.
#pragma once

#include "kernels/jit/meanings.h"

namespace jit {

template <class T>
struct warp_storage {
  T values[32 * 32];  // 32 warps of a block may use one
};
template <class T, int threads>
struct block_storage {
  T values[threads];
};

CUPRUM_FN unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

template <class T, class Combine>
CUPRUM_FN T warp_reduce(warp_storage<T>& storage, T value, Combine combine) {
  const unsigned rank = thread_rank(), lane = rank % 32;
  storage.values[rank] = value;
  for (unsigned step = 16; step > 0; step /= 2) {
    __syncwarp();
    if (lane < step) storage.values[rank] = combine(storage.values[rank], storage.values[rank + step]);
  }
  const T result = storage.values[rank];
  __syncwarp();
  return result;
}

template <class T, int threads, class Combine>
CUPRUM_FN T block_reduce(block_storage<T, threads>& storage, T value, Combine combine) {
  const unsigned rank = thread_rank();
  storage.values[rank] = value;
  for (unsigned count = threads; count > 1; count = (count + 1) / 2) {
    __syncthreads();
    const unsigned other = rank + (count + 1) / 2;
    if (other < count) storage.values[rank] = combine(storage.values[rank], storage.values[other]);
  }
  const T result = storage.values[rank];
  __syncthreads();
  return result;
}

}  // namespace jit
