// Words for tables, and for what rarely happens in a short function.
#pragma once

#include "kernels/types.h"

#if defined(__CUDACC__)
#define CUPRUM_TABLE static __device__ const
#define CUPRUM_FN_HARD __host__ __device__ inline
#else
#define CUPRUM_TABLE inline constexpr
#define CUPRUM_FN_HARD inline __attribute__((noinline, cold))
#endif
