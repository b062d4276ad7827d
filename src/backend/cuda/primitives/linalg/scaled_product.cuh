// A product that neither overflows nor vanishes on its way: a number near 1 and a power of two.
#pragma once

#include "backend/cuda/primitives/linalg/number.cuh"

namespace cuprum::cuda::primitives {

template <class T>
struct ScaledProduct {
  using R = Real<T>;

  T value = number<T>(1);
  std::int64_t exponent = 0;

  __device__ void multiply(const ScaledProduct& other) {
    value = add_product(T{}, value, other.value);
    exponent += other.exponent;
    normalize();
  }
  __device__ void multiply(T factor) {
    ScaledProduct other;
    other.value = factor;
    other.normalize();
    multiply(other);
  }
  __device__ T result() const {
    constexpr std::int64_t kBeyond = 100000;  // any number is zero or infinite there
    const std::int64_t e = exponent < -kBeyond ? -kBeyond : exponent > kBeyond ? kBeyond : exponent;
    return shifted(value, static_cast<int>(e));
  }
  /// Of modulus 1, or 0.
  __device__ T sign() const {
    if constexpr (complex_number<T>) {
      const R modulus = kernels::absolute(value);
      return modulus == 0 ? T{} : T{value.re / modulus, value.im / modulus};
    } else {
      return value > 0 ? R(1) : value < 0 ? R(-1) : value == 0 ? R(0) : value;
    }
  }
  __device__ R log() const {
    double modulus;
    if constexpr (complex_number<T>)
      modulus = kernels::absolute(complex<double>{value.re, value.im});
    else
      modulus = fabs(static_cast<double>(value));
    return static_cast<R>(::log(modulus) + static_cast<double>(exponent) * 0.69314718055994530942);
  }

 private:
  /// The larger part between 1 and 2; what is 0, infinite or NaN stays.
  __device__ void normalize() {
    R size;
    if constexpr (complex_number<T>)
      size = fmax(fabs(value.re), fabs(value.im));
    else
      size = fabs(value);
    if (size == 0 || !(size < R(INFINITY))) return;
    const int e = ilogb(size);
    value = shifted(value, -e);
    exponent += e;
  }
  static __device__ T shifted(T x, int e) {
    if constexpr (complex_number<T>)
      return {ldexp(x.re, e), ldexp(x.im, e)};
    else
      return ldexp(x, e);
  }
};

/// Writes the determinant, or its sign and logarithm.
template <class T>
__device__ void put_determinant(const ScaledProduct<T>& product, T* first, Real<T>* second) {
  *first = second ? product.sign() : product.result();
  if (second) *second = product.log();
}

}  // namespace cuprum::cuda::primitives
