// Registers of 64 bytes and the fused multiply-add, for float32 and float64: what products are made of.
#pragma once

#if defined(__AVX512F__)

#include "backend/cpu/simd/elements.h"
#include "backend/cpu/simd/intrinsics.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

inline constexpr int kRegister = 64;

template <class R>
struct Lanes;

template <>
struct Lanes<float> {
  using V = __m512;
  static constexpr int kWidth = 16;
  using Some = __mmask16;  // the lanes that a partial register has
  CUPRUM_FN static V load(const unsigned char* p) { return _mm512_loadu_ps(p); }
  CUPRUM_FN static V load(Some some, const unsigned char* p) { return _mm512_maskz_loadu_ps(some, p); }
  CUPRUM_FN static void store(unsigned char* p, V x) { _mm512_storeu_ps(p, x); }
  CUPRUM_FN static void store(Some some, unsigned char* p, V x) { _mm512_mask_storeu_ps(p, some, x); }
  CUPRUM_FN static V all(float x) { return _mm512_set1_ps(x); }
  CUPRUM_FN static V add(V x, V y) { return _mm512_add_ps(x, y); }
  CUPRUM_FN static float sum(V x) { return _mm512_reduce_add_ps(x); }
  CUPRUM_FN static V fused(V x, V y, V sum) { return _mm512_fmadd_ps(x, y, sum); }
};

template <>
struct Lanes<double> {
  using V = __m512d;
  static constexpr int kWidth = 8;
  using Some = __mmask8;
  CUPRUM_FN static V load(const unsigned char* p) { return _mm512_loadu_pd(p); }
  CUPRUM_FN static V load(Some some, const unsigned char* p) { return _mm512_maskz_loadu_pd(some, p); }
  CUPRUM_FN static void store(unsigned char* p, V x) { _mm512_storeu_pd(p, x); }
  CUPRUM_FN static void store(Some some, unsigned char* p, V x) { _mm512_mask_storeu_pd(p, some, x); }
  CUPRUM_FN static V all(double x) { return _mm512_set1_pd(x); }
  CUPRUM_FN static V add(V x, V y) { return _mm512_add_pd(x, y); }
  CUPRUM_FN static double sum(V x) { return _mm512_reduce_add_pd(x); }
  CUPRUM_FN static V fused(V x, V y, V sum) { return _mm512_fmadd_pd(x, y, sum); }
};

}  // namespace cuprum::CUPRUM_SIMD_LEVEL

#endif
