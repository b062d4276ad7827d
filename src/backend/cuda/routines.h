// Routines of NVIDIA's libraries that exist under one name per dtype, called as one.
#pragma once

#include <cuda_runtime_api.h>

#include "backend/cuda/libraries.h"
#include "cuprum/dtype.h"

namespace cuprum::cuda {

/// An argument that becomes a pointer to whatever the routine's form of one dtype takes.
struct Pointer {
  const void* address;
  template <class T>
  operator T*() const {
    return static_cast<T*>(const_cast<void*>(address));
  }
};

/// The forms for float32, float64, complex64 and complex128.
template <class S, class D, class C, class Z>
struct Routine {
  S s;
  D d;
  C c;
  Z z;
  template <class... Args>
  auto operator()(dtype type, Args... args) const {
    switch (type) {
      case dtype::float32: return s(args...);
      case dtype::float64: return d(args...);
      case dtype::complex64: return c(args...);
      default: return z(args...);
    }
  }
};

/// A member of a struct that has the library's handle in `handle`.
#define CUPRUM_ROUTINE(member, S, D, C, Z)                                        \
  Routine<decltype(&::S), decltype(&::D), decltype(&::C), decltype(&::Z)> member{ \
      symbol<decltype(&::S)>(handle, #S), symbol<decltype(&::D)>(handle, #D),     \
      symbol<decltype(&::C)>(handle, #C), symbol<decltype(&::Z)>(handle, #Z)};

/// A dtype as NVIDIA's libraries name it.
constexpr cudaDataType_t cuda_type(dtype type) {
  switch (type) {
    case dtype::float16: return CUDA_R_16F;
    case dtype::bfloat16: return CUDA_R_16BF;
    case dtype::float32: return CUDA_R_32F;
    case dtype::complex64: return CUDA_C_32F;
    case dtype::complex128: return CUDA_C_64F;
    default: return CUDA_R_64F;
  }
}

/// 0 and 1 in the type that a product of this dtype is computed in. Complex ones are read as vectors, so they
/// are aligned.
struct Factors {
  const void* zero;
  const void* one;
};
inline Factors factors_of(dtype type) {
  alignas(16) static constexpr float f[2][4] = {{0}, {1}};
  alignas(16) static constexpr double d[2][2] = {{0}, {1}};
  if (type == dtype::float64 || type == dtype::complex128) return {d[0], d[1]};
  return {f[0], f[1]};
}

}  // namespace cuprum::cuda
