// The scalar meanings (src/kernels) as the text of a Python kernel names them: np::add, np::float16, np::cast<int>.
//
// Devices whose work the host does compile CUDA's language as C++: there the meanings are those of the host.
#pragma once

#if __has_include("cuprum_language/machine.h")
#pragma push_macro("__CUDACC__")
#pragma push_macro("__CUDA_ARCH__")
#undef __CUDACC__
#undef __CUDA_ARCH__
#include "kernels/all.h"
#pragma pop_macro("__CUDA_ARCH__")
#pragma pop_macro("__CUDACC__")
#else
#include "kernels/all.h"
#endif

namespace np = cuprum::kernels;
