// Index arithmetic of kernels: division by extents that the host has prepared, and loops over lists of types.
//
// Everything in device/ is CUDA C++ without standard headers, compiled ahead of time by nvcc (the interpreter) and at run
// time by NVRTC (generated kernels). The skeletons here are the one definition of how work is cut, hence of the order of
// reductions: two bodies that compute the same values in one skeleton give the same bits.
#pragma once

#include "device/space.cuh"

#define CUPRUM_DEVICE __device__ __forceinline__

namespace cuprum::cuda::device {

CUPRUM_DEVICE int quotient(int n, const Divisor<int>& by) {
  const uint32 u = static_cast<uint32>(n);
  return static_cast<int>((__umulhi(u, by.magic) + u) >> by.shift);
}
CUPRUM_DEVICE int64 quotient(int64 n, const Divisor<int64>& by) {
  const uint64 u = static_cast<uint64>(n);
  return static_cast<int64>((__umul64hi(u, by.magic) + u) >> by.shift);
}

/// n = quotient * divisor + rest: n becomes the quotient, the rest is returned.
template <class Index>
CUPRUM_DEVICE Index split(Index& n, const Divisor<Index>& by) {
  const Index times = quotient(n, by);
  const Index rest = n - times * static_cast<Index>(by.divisor);
  n = times;
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

/// The same at compile time.
template <int N, int I = 0, class F>
__host__ __device__ constexpr void each_constant(F&& f) {
  if constexpr (I < N) {
    f.template operator()<I>();
    each_constant<N, I + 1>(f);
  }
}

/// The I-th of a list of types.
template <int I, class T, class... Rest>
struct TypeAt {
  using type = typename TypeAt<I - 1, Rest...>::type;
};
template <class T, class... Rest>
struct TypeAt<0, T, Rest...> {
  using type = T;
};

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

template <int I, class T, class... Rest>
CUPRUM_DEVICE const auto& get(const Tuple<T, Rest...>& tuple) {
  if constexpr (I == 0) {
    return tuple.head;
  } else {
    return get<I - 1>(tuple.tail);
  }
}

}  // namespace cuprum::cuda::device
