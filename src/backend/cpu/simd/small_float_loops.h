// Loops over float16 and bfloat16 that compute in float32: a chunk of each input is widened into a buffer on the
// stack, the float32 loop of the same operation runs over the buffers, and the result is rounded. The values are
// those of the scalar meaning; the conversions are single instructions where the machine has them (F16C).
#pragma once

#include "backend/cpu/simd/intrinsics.h"
#include "backend/cpu/simd/map.h"
#include "kernels/small_float.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

inline constexpr int64 kChunk = 512;

template <class T>
inline void widen_all(int64 n, float* to, const T* from) {
  int64 i = 0;
#if defined(__F16C__)
  if constexpr (kernels::same<T, kernels::float16>) {
    for (; i + 8 <= n; i += 8) {
      const __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
      _mm256_storeu_ps(to + i, _mm256_cvtph_ps(bits));
    }
  }
#endif
  CUPRUM_VECTORIZE
  for (int64 j = i; j < n; ++j) to[j] = kernels::widen(from[j]);
}

template <class T>
inline void narrow_all(int64 n, T* to, const float* from) {
  int64 i = 0;
#if defined(__F16C__)
  if constexpr (kernels::same<T, kernels::float16>) {
    for (; i + 8 <= n; i += 8) {
      const __m128i bits = _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), bits);
    }
  }
#endif
  CUPRUM_VECTORIZE
  for (int64 j = i; j < n; ++j) to[j] = kernels::narrow<T>(from[j]);
}

template <LoopFn float_loop, Op op, dtype key>
void via_float(int64 n, void* dst, const void* a, const void* b, const void*) {
  using T = Element<key>;
  constexpr Signature s = signature_of(op, key);
  constexpr bool widen_b = input_count(op) > 1 && s.in[1] == key;
  alignas(64) float wide_a[kChunk], wide_b[kChunk], result[kChunk];
  for (int64 done = 0; done < n; done += kChunk) {
    const int64 m = n - done < kChunk ? n - done : kChunk;
    widen_all(m, wide_a, static_cast<const T*>(a) + done);
    if constexpr (widen_b) widen_all(m, wide_b, static_cast<const T*>(b) + done);
    const void* second = widen_b || input_count(op) == 1 ? wide_b : advance<itemsize(s.in[1])>(b, done);
    if constexpr (s.out == key) {
      float_loop(m, result, wide_a, second, nullptr);
      narrow_all(m, static_cast<T*>(dst) + done, result);
    } else {
      float_loop(m, static_cast<Element<s.out>*>(dst) + done, wide_a, second, nullptr);
    }
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
