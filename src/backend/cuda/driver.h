// The CUDA driver's functions. libcuda.so.1 is opened at run time: the plug-in loads on machines without a driver, and
// says there what is missing.
//
//   driver().cuLaunchKernel(...)
//
// The names are those of <cuda.h>; the table holds the version of each function that this header's macros select.
#pragma once

#include <cuda.h>

#include <string>

namespace cuprum::cuda {

// clang-format off
#define CUPRUM_DRIVER_FUNCTIONS(X)                                                                              \
  X(cuInit) X(cuDriverGetVersion) X(cuGetErrorName) X(cuGetErrorString)                                         \
  X(cuDeviceGet) X(cuDeviceGetCount) X(cuDeviceGetName) X(cuDeviceGetAttribute) X(cuDeviceTotalMem)             \
  X(cuDeviceGetUuid) X(cuDeviceGetPCIBusId) X(cuDevicePrimaryCtxRetain) X(cuCtxGetCurrent) X(cuCtxSetCurrent)                          \
  X(cuLibraryLoadData) X(cuLibraryUnload) X(cuLibraryGetKernel) X(cuLibraryGetModule) X(cuLibraryGetGlobal)     \
  X(cuKernelGetFunction) X(cuKernelSetAttribute) X(cuKernelGetAttribute)                                        \
  X(cuModuleLoadDataEx) X(cuModuleUnload) X(cuModuleGetFunction) X(cuModuleGetGlobal)                           \
  X(cuFuncGetAttribute) X(cuFuncSetAttribute) X(cuLaunchKernel) X(cuLaunchKernelEx) X(cuLaunchCooperativeKernel) \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor)
// Those of younger drivers; null where this one lacks them.
#if CUDA_VERSION >= 12040
#define CUPRUM_YOUNG_DRIVER_FUNCTIONS(X) X(cuFuncGetParamInfo)
#else
#define CUPRUM_YOUNG_DRIVER_FUNCTIONS(X)
#endif
// clang-format on

struct Driver {
#define CUPRUM_DECLARE(name) decltype(&::name) name = nullptr;
  CUPRUM_DRIVER_FUNCTIONS(CUPRUM_DECLARE)
  CUPRUM_YOUNG_DRIVER_FUNCTIONS(CUPRUM_DECLARE)
#undef CUPRUM_DECLARE
};

/// Opens the driver and initialises it. Empty when it works; else the reason with its remedy.
const std::string& driver_problem();

/// The functions; throws with driver_problem() where there is no driver.
const Driver& driver();

}  // namespace cuprum::cuda
