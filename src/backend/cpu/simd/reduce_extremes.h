// The largest or smallest of a column of floats, in the order of reduce_loops.h. Nearly all columns hold numbers alone,
// of which one instruction tells the larger: NaNs are looked for beside it, and a column with one is folded anew by its
// whole meaning. (float32 in the second-level cache, one AVX-512 thread: 75 GB/s; by the whole meaning 31.)
#pragma once

#include "backend/cpu/simd/elements.h"
#include "backend/cpu/simd/register_bytes.h"
#include "kernels/minmax.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

/// A fold that has a simpler form for numbers, of scalars and of vectors.
template <class Fold, class T>
concept extreme_fold = kernels::native_float<T> && requires(T x) {
  Fold::of_numbers(x, x);
};

struct Larger {
  template <class T>
  CUPRUM_FN static T of_numbers(T a, T b) {
    return kernels::first_is_larger(a, b) ? a : b;
  }
};
struct Smaller {
  template <class T>
  CUPRUM_FN static T of_numbers(T a, T b) {
    return kernels::first_is_smaller(a, b) ? a : b;
  }
};

// Of one register: gcc takes the selections of longer vectors apart into scalars.
template <class T, int bytes>
struct RegisterOf {
  typedef T type __attribute__((vector_size(bytes)));
};
template <class T, int bytes = kRegisterBytes>
using Register = typename RegisterOf<T, bytes>::type;

/// The lanes of a register folded in halves.
template <class Fold, class T, int bytes>
CUPRUM_FN T fold_register(Register<T, bytes> a) {
  if constexpr (bytes > 16) {
    Register<T, bytes / 2> half[2];
    __builtin_memcpy(half, &a, sizeof a);
    return fold_register<Fold, T, bytes / 2>(Fold::of_numbers(half[0], half[1]));
  } else if constexpr (sizeof(T) == 4) {
    const T even = Fold::of_numbers(a[0], a[2]), odd = Fold::of_numbers(a[1], a[3]);
    return Fold::of_numbers(even, odd);
  } else {
    return Fold::of_numbers(a[0], a[1]);
  }
}

template <class Mask>
CUPRUM_FN bool any_lane(const Mask& mask) {
  int64 words[sizeof mask / 8], any = 0;
  __builtin_memcpy(words, &mask, sizeof mask);
  for (const int64 word : words) any |= word;
  return any != 0;
}

/// p[0..n), n at least `lanes`, into *result. False: there is a NaN, and *result means nothing.
template <class Fold, int lanes, class T>
CUPRUM_FN bool fold_numbers(int64 n, const T* p, T* result) {
  using Lanes = Register<T>;
  constexpr int size = kRegisterBytes / sizeof(T), registers = lanes / size;
  Lanes best[registers], x;
  decltype(x != x) nan = {};
  int64 i = lanes;
#pragma GCC unroll 16
  for (int k = 0; k < registers; ++k) {
    __builtin_memcpy(&best[k], p + k * size, sizeof x);
    nan |= kernels::holds_nan(best[k]);
  }
  for (; i + lanes <= n; i += lanes) {
    decltype(nan) found = {};  // of this row: masks are merged before they become a vector
#pragma GCC unroll 16
    for (int k = 0; k < registers; ++k) {
      __builtin_memcpy(&x, p + i + k * size, sizeof x);
      best[k] = Fold::of_numbers(best[k], x);
      found |= kernels::holds_nan(x);
    }
    nan |= found;
  }
#pragma GCC unroll 16
  for (int k = 0; k < registers; ++k) {  // the last row ends anywhere: behind it, lanes meet themselves
    const int64 rest = n - i - k * size;
    if (rest <= 0) break;
    x = best[k];
    if (rest >= size) {
      __builtin_memcpy(&x, p + i + k * size, sizeof x);
    } else {
      __builtin_memcpy(&x, p + i + k * size, static_cast<unsigned long>(rest) * sizeof(T));
    }
    best[k] = Fold::of_numbers(best[k], x);
    nan |= kernels::holds_nan(x);
  }
#pragma GCC unroll 4
  for (int half = registers / 2; half > 0; half /= 2) {
#pragma GCC unroll 8
    for (int k = 0; k < half; ++k) best[k] = Fold::of_numbers(best[k], best[k + half]);
  }
  *result = fold_register<Fold, T, kRegisterBytes>(best[0]);
  return !any_lane(nan);
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
