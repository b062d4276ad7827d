// Blocks that share a row: a cluster, whose blocks write into each other's shared memory.
//
// A push is seen by its receiver after the next barrier of the cluster. Emulated on the host by tests/cpp/cuda_on_host.h.
#pragma once

#include "device/index.cuh"

namespace cuprum::cuda::device {

#ifdef CUPRUM_ON_HOST
using cuprum::testing::block_memory;
using cuprum::testing::cluster_arrive;
using cuprum::testing::cluster_wait;
using cuprum::testing::in_block;
#else
/// The block's shared memory whose size the launch decides.
CUPRUM_DEVICE char* block_memory() {
  extern __shared__ uint4 memory[];
  return reinterpret_cast<char*>(memory);
}
CUPRUM_DEVICE void cluster_arrive() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
CUPRUM_DEVICE void cluster_wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }

/// The place in block `rank` of the cluster that `place` is in this one.
template <class T>
CUPRUM_DEVICE T* in_block(T* place, int rank) {
  T* there;
  asm("mapa.u64 %0, %1, %2;" : "=l"(there) : "l"(place), "r"(rank));
  return there;
}
#endif

CUPRUM_DEVICE void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

}  // namespace cuprum::cuda::device
