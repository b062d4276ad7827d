// The loops by number (loop_numbers.h), as the interpreter calls them. Defined in loop.cuh, instantiated in loops_*.cu.
#pragma once

#include "backend/cuda/bytecode/loop_numbers.h"
#include "backend/cuda/bytecode/registers.cuh"

namespace cuprum::cuda::bytecode {

/// dst may be one of the sources if the registers have the same number of planes. Unused sources are ignored.
using LoopFn = void (*)(Shared dst, Shared a, Shared b, Shared c);

template <Op op, dtype key>
CUPRUM_CALL void run_loop(Shared dst, Shared a, Shared b, Shared c);
template <dtype from, dtype to>
CUPRUM_CALL void run_cast(Shared dst, Shared a, Shared b, Shared c);

inline constexpr int kLoopTableSize = 1024;

/// The loop of this number.
template <int number>
constexpr LoopFn loop_at() {
  constexpr LoopName name = kLoopNumbers.names[number];
  if constexpr (name.op == Op::cast) {
    return &run_cast<name.key, name.to>;
  } else {
    return &run_loop<name.op, name.key>;
  }
}

#if defined(__CUDACC__)
extern __constant__ LoopFn loop_table[kLoopTableSize];
#else
extern const LoopFn* loop_table;
#endif

}  // namespace cuprum::cuda::bytecode
