// CUPRUM_FN and the element types, for headers that texts of a program's own kernels include. Devices whose work the host does compile
// CUDA's language as C++: there they are those of the host.
#pragma once

#if __has_include("cuprum_language/machine.h")
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#include "kernels/types.h"
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
#else
#include "kernels/types.h"
#endif
