// Words for tables and what reads them, and for what rarely happens in a short function.
#pragma once

#include "kernels/types.h"

#if defined(__CUDACC__)
#pragma nv_diag_suppress 20091  // what reads tables is compiled for the host too, and never called there
#define CUPRUM_TABLE static __device__ const
#define CUPRUM_TABLE_FN __device__ inline
#define CUPRUM_FN_HARD __host__ __device__ inline
#else
#define CUPRUM_TABLE inline constexpr
#define CUPRUM_TABLE_FN inline __attribute__((always_inline))
#define CUPRUM_FN_HARD inline __attribute__((noinline, cold))
#endif
