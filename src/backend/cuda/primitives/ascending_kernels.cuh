// Writes at places that ascend: as they come. Equal places then lie next to each other, and the last of them writes.
//
// Whether places ascend only the device knows, and the host does not wait for it: what was found of an index array is noted
// where the host can read it, and tried when the same array comes again: 2^23 writes into 256 MB take 0.15 ms then, 0.38 by
// windows. A tile that does not ascend says so, and all is written once more in another way.
#pragma once

#include "backend/cuda/primitives/falls.cuh"

namespace cuprum::cuda::primitives {

inline constexpr int kAscendingThreads = 256, kAscendingEach = 8;

/// The last index array of many writes, and whether it ascends. In memory that device and host share.
struct WriteOrder {
  const char* index = nullptr;
  std::int64_t count = 0;
  int ascends = 0;
};

/// target.write(place, position) for the last position of each place, unless they fall.
template <class Positions, class Target>
__global__ void __launch_bounds__(kAscendingThreads)
    write_ascending(const __grid_constant__ Positions positions, const __grid_constant__ Target target,
                    unsigned* falls) {
  const std::int64_t begin = std::int64_t{blockIdx.x} * (kAscendingThreads * kAscendingEach);
  unsigned place[kAscendingEach], next[kAscendingEach];
  if (tile_falls(positions, begin, kAscendingThreads, place, next)) {
    if (threadIdx.x == 0) *falls = 1;
    return;
  }
#pragma unroll
  for (int k = 0; k < kAscendingEach; ++k) {
    if (place[k] != next[k]) target.write(place[k], begin + k * kAscendingThreads + threadIdx.x);
  }
}

/// One thread, after all have been asked.
__global__ void note_order(const char* index, std::int64_t count, const unsigned* falls, WriteOrder* order) {
  order->ascends = 0;
  order->index = index;
  order->count = count;
  order->ascends = *falls == 0;
}

}  // namespace cuprum::cuda::primitives
