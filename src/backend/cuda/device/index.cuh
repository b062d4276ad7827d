// Index arithmetic of kernels: division by extents that the host has prepared, and loops over template indices.
//
// Everything in device/ is CUDA C++ without standard headers, compiled ahead of time by nvcc (the interpreter) and at run
// time by NVRTC (generated kernels). The skeletons here are the one definition of how work is cut, hence of the order of
// reductions: two bodies that compute the same values in one skeleton give the same bits.
#pragma once

#include "kernels/types.h"

#define CUPRUM_DEVICE __device__ __forceinline__

namespace cuprum::cuda::device {

using kernels::int64;
using kernels::uint32;
using kernels::uint64;

inline constexpr int kBlock = 256;  // threads of every block of every skeleton

/// n / divisor for 0 <= n < 2^31 (Index int) or 2^63 (int64): (mulhi(n, magic) + n) >> shift, which is exact
/// (codegen/divisor.h fills it in, on the host).
template <class Index>
struct Divisor;
template <>
struct Divisor<int> {
  uint32 divisor, magic, shift, unused;

  CUPRUM_DEVICE int quotient(int n) const {
    const uint32 u = static_cast<uint32>(n);
    return static_cast<int>((__umulhi(u, magic) + u) >> shift);
  }
};
template <>
struct Divisor<int64> {
  uint64 divisor, magic;
  uint32 shift, unused;

  CUPRUM_DEVICE int64 quotient(int64 n) const {
    const uint64 u = static_cast<uint64>(n);
    return static_cast<int64>((__umul64hi(u, magic) + u) >> shift);
  }
};

/// n = quotient * divisor + rest: n becomes the quotient, the rest is returned.
template <class Index>
CUPRUM_DEVICE Index split(Index& n, const Divisor<Index>& by) {
  const Index quotient = by.quotient(n);
  const Index rest = n - quotient * static_cast<Index>(by.divisor);
  n = quotient;
  return rest;
}

/// f.template operator()<I>() for I in [0, N).
template <int N, int I = 0, class F>
CUPRUM_DEVICE void each(F&& f) {
  if constexpr (I < N) {
    f.template operator()<I>();
    each<N, I + 1>(f);
  }
}

/// A list of values of different types.
template <class... T>
struct Tuple {};
template <class T, class... Rest>
struct Tuple<T, Rest...> {
  T head;
  Tuple<Rest...> tail;
};
template <int I, class T, class... Rest>
CUPRUM_DEVICE auto& get(Tuple<T, Rest...>& tuple) {
  if constexpr (I == 0) {
    return tuple.head;
  } else {
    return get<I - 1>(tuple.tail);
  }
}

}  // namespace cuprum::cuda::device
