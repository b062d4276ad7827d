// How a program reaches the shared memory of the blocks: in the kernel's arguments, or from device memory where it is long.
#pragma once

#include "backend/cuda/bytecode/registers.cuh"

namespace cuprum::cuda::bytecode {

inline constexpr int kNearBytes = 2048;  // the arguments of a launch are copied: short ones are cheaper

struct ProgramArgument {
  const uint4* far;  // null: it is near
  int planes;        // 16 bytes each
  alignas(16) unsigned char near[kNearBytes];
};

/// The dynamic shared memory of the block.
#if defined(__CUDACC__)
CUPRUM_DEVICE Shared shared_memory() {
  extern __shared__ uint4 dynamic_shared[];
  return static_cast<Shared>(__cvta_generic_to_shared(dynamic_shared));
}
#else
extern uint4* dynamic_shared;
CUPRUM_DEVICE Shared shared_memory() { return reinterpret_cast<Shared>(dynamic_shared); }
#endif

/// Copies the program to the beginning of shared memory, as a block. The copy is there after __syncthreads().
CUPRUM_DEVICE void fetch_program(const ProgramArgument& argument) {
  const Shared to = shared_memory();
  const uint4* const near = reinterpret_cast<const uint4*>(argument.near);
  for (int i = static_cast<int>(threadIdx.x); i < argument.planes; i += kThreads) {
    const uint4 v = argument.far ? argument.far[i] : near[i];
    store_plane(to + 16 * i, Plane{{v.x, v.y, v.z, v.w}});
  }
}

}  // namespace cuprum::cuda::bytecode
