// The numbers of linear algebra on the device: what kernels over float, double and complex numbers are
// written in, once for all four. Products are added in one rounding (fma), which nvcc does not do by itself
// in this library.
#pragma once

#include "backend/cuda/primitives/common/element.cuh"
#include "kernels/arithmetic.h"
#include "kernels/complex.h"

namespace cuprum::cuda::primitives {

using kernels::complex;
using kernels::complex_number;

template <class T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<complex<R>> {
  using type = R;
};
template <class T>
using Real = typename RealOf<T>::type;

/// f(T()) for one of the four dtypes.
template <class F>
auto with_number(dtype type, F&& f) {
  switch (type) {
    case dtype::float32: return f(float());
    case dtype::float64: return f(double());
    case dtype::complex64: return f(kernels::complex64());
    default: return f(kernels::complex128());
  }
}

inline __device__ float fma_of(float a, float b, float c) { return __fmaf_rn(a, b, c); }
inline __device__ double fma_of(double a, double b, double c) { return __fma_rn(a, b, c); }

template <class T>
__device__ T number(Real<T> x) {
  if constexpr (complex_number<T>)
    return {x, 0};
  else
    return x;
}
template <class T>
__device__ Real<T> real_part(T x) {
  if constexpr (complex_number<T>)
    return x.re;
  else
    return x;
}
template <class T>
__device__ T conjugated(T x) {
  if constexpr (complex_number<T>)
    return {x.re, -x.im};
  else
    return x;
}
template <class T>
__device__ T negated(T x) {
  if constexpr (complex_number<T>)
    return {-x.re, -x.im};
  else
    return -x;
}

/// c + a b
template <class T>
__device__ T add_product(T c, T a, T b) {
  if constexpr (complex_number<T>) {
    return {fma_of(a.re, b.re, fma_of(-a.im, b.im, c.re)), fma_of(a.re, b.im, fma_of(a.im, b.re, c.im))};
  } else {
    return fma_of(a, b, c);
  }
}
/// c - a b
template <class T>
__device__ T subtract_product(T c, T a, T b) {
  return add_product(c, negated(a), b);
}
template <class T>
__device__ T scaled(T x, Real<T> by) {
  if constexpr (complex_number<T>)
    return {x.re * by, x.im * by};
  else
    return x * by;
}
/// sum + |x|^2
template <class T>
__device__ Real<T> add_square(Real<T> sum, T x) {
  if constexpr (complex_number<T>)
    return fma_of(x.re, x.re, fma_of(x.im, x.im, sum));
  else
    return fma_of(x, x, sum);
}

/// |re| + |im|: what pivots are compared by.
template <class T>
__device__ Real<T> size_of_number(T x) {
  if constexpr (complex_number<T>)
    return fabs(x.re) + fabs(x.im);
  else
    return fabs(x);
}
template <class T>
__device__ Real<T> modulus(T x) {
  if constexpr (complex_number<T>)
    return hypot(x.re, x.im);
  else
    return fabs(x);
}
template <class T>
__device__ bool is_zero(T x) {
  return size_of_number(x) == 0;
}
template <class T>
__device__ bool is_real(T x) {
  if constexpr (complex_number<T>)
    return x.im == 0;
  else
    return true;
}
template <class T>
__device__ T not_a_number() {
  return number<T>(static_cast<Real<T>>(__longlong_as_double(0x7ff8ll << 48)));
}

/// The value of another lane, of groups of `width` lanes; all lanes of the warp take part.
template <class T>
__device__ T from_lane(T x, int lane, int width) {
  if constexpr (complex_number<T>)
    return {__shfl_sync(~0u, x.re, lane, width), __shfl_sync(~0u, x.im, lane, width)};
  else
    return __shfl_sync(~0u, x, lane, width);
}

/// A matrix of a stack where it lies.
struct MatrixAt {
  char* data;
  std::int64_t row, column;  // bytes

  template <class T>
  __device__ T get(std::int64_t i, std::int64_t j) const {
    return read_element<T>(data + i * row + j * column);
  }
  template <class T>
  __device__ void set(std::int64_t i, std::int64_t j, T x) const {
    write_element(data + i * row + j * column, x);
  }
  __device__ MatrixAt behind(std::int64_t offset) const { return {data + offset, row, column}; }
  CUPRUM_FN MatrixAt t() const { return {data, column, row}; }
};

}  // namespace cuprum::cuda::primitives
