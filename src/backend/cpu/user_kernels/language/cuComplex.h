// cuComplex, cuDoubleComplex and their functions. A function without an f at its end takes either: CuPy's translate_cucomplex makes
// such texts of them. Products and quotients are those of the array library (kernels/complex.h).
#pragma once

#include "cuprum_language/vector_types.h"

#pragma push_macro("__CUDACC__")
#undef __CUDACC__  // the host's form
#include "kernels/complex.h"
#pragma pop_macro("__CUDACC__")

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define CUPRUM_COMPLEX(C, R, f)                                                                        \
  inline C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                                      \
  inline C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                                      \
  inline C cuCmul##f(C a, C b) {                                                                       \
    const auto c = cuprum::kernels::multiply(cuprum::kernels::complex<R>{a.x, a.y},                    \
                                             cuprum::kernels::complex<R>{b.x, b.y});                   \
    return {c.re, c.im};                                                                               \
  }                                                                                                    \
  inline C cuCdiv##f(C a, C b) {                                                                       \
    const auto c = cuprum::kernels::divide(cuprum::kernels::complex<R>{a.x, a.y},                      \
                                           cuprum::kernels::complex<R>{b.x, b.y});                     \
    return {c.re, c.im};                                                                               \
  }                                                                                                    \
  inline C cuCfma##f(C a, C b, C c) { return cuCadd##f(cuCmul##f(a, b), c); }                          \
  inline C cuConj##f(C z) { return {z.x, -z.y}; }                                                      \
  inline R cuCabs##f(C z) { return cuprum::kernels::absolute(cuprum::kernels::complex<R>{z.x, z.y}); } \
  inline R cuCreal##f(C z) { return z.x; }                                                             \
  inline R cuCimag##f(C z) { return z.y; }
CUPRUM_COMPLEX(cuFloatComplex, float, f)
CUPRUM_COMPLEX(cuFloatComplex, float, )
CUPRUM_COMPLEX(cuDoubleComplex, double, )
#undef CUPRUM_COMPLEX

inline cuFloatComplex make_cuFloatComplex(float re, float im) { return {re, im}; }
inline cuComplex make_cuComplex(float re, float im) { return {re, im}; }
inline cuDoubleComplex make_cuDoubleComplex(double re, double im) { return {re, im}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {static_cast<float>(z.x), static_cast<float>(z.y)};
}
