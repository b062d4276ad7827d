// CUDA's keywords that a macro can say. Those that need a look at the declaration, __global__, __shared__, __device__, __noinline__, are
// translated in the text (translate.h).
#pragma once

#define __host__
#define __managed__
#define __grid_constant__
#define __nv_pure__
#define __tile_static__
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __cdecl
#define CUDARTAPI
#define CUDART_CB

#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 12090
#define CUDA_VERSION 12090
#define __CUDA_ARCH__ 900
#define __CUDA_ARCH_LIST__ 900
