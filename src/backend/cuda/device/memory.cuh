// Reading and writing V consecutive elements.
//
// An operand has one of the accesses of device/space.cuh, chosen by the plan (codegen/plan.h).
// `count` < V marks the last elements of a row: those beyond it are neither read nor written.
#pragma once

#include "device/index.cuh"
#include "kernels/small_float.h"

namespace cuprum::cuda::device {

template <int bytes>
struct Word;
template <>
struct Word<1> {
  using type = kernels::uint8;
};
template <>
struct Word<2> {
  using type = kernels::uint16;
};
template <>
struct Word<4> {
  using type = uint32;
};
template <>
struct Word<8> {
  using type = uint2;
};
template <>
struct Word<16> {
  using type = uint4;
};

/// The elements of one vector access, as the words that it is made of: 16 bytes, or fewer where those do not divide it.
template <class T, int V>
struct Words {
  static constexpr int kBytes = sizeof(T) * V;
  static constexpr int kWord = kBytes % 16 == 0 ? 16 : kBytes & -kBytes;
  static constexpr int kCount = kBytes / kWord;
  using type = typename Word<kWord>::type;
};

// Memory that one kernel reads is never written by it, except element by element in place by the thread that has read it:
// so the read-only path is right.
template <class T, int V>
CUPRUM_DEVICE void load_vector(const char* from, T* to) {
  using W = Words<T, V>;
  typename W::type word[W::kCount];
#pragma unroll
  for (int i = 0; i < W::kCount; ++i) word[i] = __ldg(reinterpret_cast<const typename W::type*>(from) + i);
  memcpy(to, word, W::kBytes);
}

template <class T, int V>
CUPRUM_DEVICE void store_vector(char* to, const T* from) {
  using W = Words<T, V>;
  typename W::type word[W::kCount];
  memcpy(word, from, W::kBytes);
#pragma unroll
  for (int i = 0; i < W::kCount; ++i) reinterpret_cast<typename W::type*>(to)[i] = word[i];
}

template <class T>
CUPRUM_DEVICE T load_one(const char* from) {
  T value;
  load_vector<T, 1>(from, &value);
  return value;
}
// Complex numbers are aligned to their parts.
template <kernels::complex_number T>
CUPRUM_DEVICE T load_one(const char* from) {
  using R = decltype(T::re);
  return T{load_one<R>(from), load_one<R>(from + sizeof(R))};
}
// A bool may have any bits but 0 for true in memory that others wrote.
template <kernels::boolean T>
CUPRUM_DEVICE T load_one(const char* from) {
  return load_one<kernels::uint8>(from) != 0;
}

template <class T>
CUPRUM_DEVICE void store_one(char* to, T value) {
  if constexpr (kernels::complex_number<T>) {
    store_one(to, value.re);
    store_one(to + sizeof(value.re), value.im);
  } else {
    store_vector<T, 1>(to, &value);
  }
}

/// float16 as the operand, and the result, of an operation that gives one NaN for all: kernels/small_float.h keeps the bits of
/// NaN, which takes ten times as long.
CUPRUM_DEVICE float widen_number(kernels::float16 h) {
#ifdef CUPRUM_ON_HOST
  return kernels::widen(h);
#else
  float number;
  asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(h.bits));
  return number;
#endif
}
CUPRUM_DEVICE kernels::float16 narrow_number(float x) {
#ifdef CUPRUM_ON_HOST
  return kernels::narrow<kernels::float16>(x);
#else
  kernels::float16 number;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(number.bits) : "f"(x));
  return number;
#endif
}

/// V elements from `from` on; those beyond `count` become T{}. For Access::broadcast `to` is one element.
template <Access access, bool whole, int V, class T>
CUPRUM_DEVICE void load_elements(const char* from, int64 stride, int count, T* to) {
  if constexpr (access == Access::broadcast) {
    to[0] = T{};
    if (count > 0) to[0] = load_one<T>(from);
    return;
  }
  if constexpr (access == Access::vector) {
    if (count == V) {
      if constexpr (kernels::boolean<T>) {
        kernels::uint8 byte[V];
        load_vector<kernels::uint8, V>(from, byte);
#pragma unroll
        for (int i = 0; i < V; ++i) to[i] = byte[i] != 0;
      } else {
        load_vector<T, V>(from, to);
      }
      return;
    }
    if constexpr (whole) return;
  }
  const int64 step = access == Access::strided ? stride : static_cast<int64>(sizeof(T));
#pragma unroll
  for (int i = 0; i < V; ++i) {
    to[i] = T{};
    if (i < count) to[i] = load_one<T>(from + i * step);
  }
}

template <Access access, bool whole, int V, class T>
CUPRUM_DEVICE void store_elements(char* to, int64 stride, int count, const T* from) {
  if constexpr (access == Access::vector) {
    if (count == V) {
      store_vector<T, V>(to, from);
      return;
    }
    if constexpr (whole) return;
  }
  const int64 step = access == Access::strided ? stride : static_cast<int64>(sizeof(T));
#pragma unroll
  for (int i = 0; i < V; ++i) {
    if (i < count) store_one<T>(to + i * step, from[i]);
  }
}

}  // namespace cuprum::cuda::device
