// Reductions of a warp or a block, through shared memory. All threads come to the call; the result is that of the first.
#pragma once

#include "kernels/jit/meanings.h"

namespace jit {

/// What numbers are combined in: float16 and bfloat16 as float, so that a sum is rounded once, as NumPy's is.
template <class T>
using combined = np::conditional<np::small_float<T>, float, T>;

template <class T>
struct warp_storage {
  combined<T> values[32 * 32];  // 32 warps of a block may use one
};
template <class T, int threads>
struct block_storage {
  combined<T> values[threads];
};

CUPRUM_FN unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

template <class T, class Combine>
CUPRUM_FN T warp_reduce(warp_storage<T>& storage, T value, Combine combine) {
  const unsigned rank = thread_rank(), lane = rank % 32;
  combined<T>* const values = storage.values;
  values[rank] = np::cast<combined<T>>(value);
  for (unsigned step = 16; step > 0; step /= 2) {
    __syncwarp();
    if (lane < step) values[rank] = combine(values[rank], values[rank + step]);
  }
  const combined<T> result = values[rank];
  __syncwarp();
  return np::cast<T>(result);
}

template <class T, int threads, class Combine>
CUPRUM_FN T block_reduce(block_storage<T, threads>& storage, T value, Combine combine) {
  const unsigned rank = thread_rank();
  combined<T>* const values = storage.values;
  values[rank] = np::cast<combined<T>>(value);
  for (unsigned count = threads; count > 1; count = (count + 1) / 2) {
    __syncthreads();
    const unsigned other = rank + (count + 1) / 2;
    if (other < count) values[rank] = combine(values[rank], values[other]);
  }
  const combined<T> result = values[rank];
  __syncthreads();
  return np::cast<T>(result);
}

}  // namespace jit
