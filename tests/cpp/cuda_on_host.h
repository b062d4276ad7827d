// Enough of CUDA C++ for the interpreter's text to compile for the host, one thread at a time.
#pragma once

#pragma GCC diagnostic ignored "-Wunknown-pragmas"  // nvcc's `unroll`

#define __device__
#define __host__
#define __forceinline__ inline

inline unsigned __umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32);
}
inline unsigned long __umul64hi(unsigned long a, unsigned long b) {
  return static_cast<unsigned long>(static_cast<unsigned __int128>(a) * b >> 64);
}
