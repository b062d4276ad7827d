// A product that neither overflows nor vanishes on its way: a number near 1 and a power of two.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

#include "backend/cpu/lapack/lapack.h"

namespace cuprum::cpu {

template <class T>
class ScaledProduct {
 public:
  using R = lapack::Real<T>;

  void multiply(T factor) {
    if (is_moderate(factor) && is_moderate(value_)) {
      value_ *= factor;
      return;
    }
    const int e = exponent(factor);
    value_ *= scaled(factor, -e);
    const int f = exponent(value_);
    value_ = scaled(value_, -f);
    exponent_ += e + f;
  }
  bool is_zero() const { return value_ == T(); }
  void negate() { value_ = -value_; }

  T value() const {
    return scaled(value_, static_cast<int>(std::clamp<std::int64_t>(exponent_, -100000, 100000)));
  }
  T sign() const {
    if constexpr (lapack::kIsComplex<T>) {
      const R modulus = std::abs(value_);
      return modulus == 0 ? T() : value_ / modulus;
    } else {
      return value_ > 0 ? R(1) : value_ < 0 ? R(-1) : value_ == 0 ? R(0) : value_;
    }
  }
  R log() const {
    return static_cast<R>(std::log(static_cast<double>(std::abs(value_))) +
                          static_cast<double>(exponent_) * 0.69314718055994530942);
  }

 private:
  static R size(T x) {
    if constexpr (lapack::kIsComplex<T>) {
      return std::max(std::abs(x.real()), std::abs(x.imag()));
    } else {
      return std::abs(x);
    }
  }
  /// The product of two such numbers is in range.
  static bool is_moderate(T x) {
    constexpr R kHigh = sizeof(R) == 4 ? R(0x1p30) : R(0x1p500);
    const R s = size(x);
    return s < kHigh && s > 1 / kHigh;
  }
  /// 0 for what has none.
  static int exponent(T x) {
    const R s = size(x);
    return s == 0 || !std::isfinite(s) ? 0 : std::ilogb(s);
  }
  static T scaled(T x, int e) {
    if constexpr (lapack::kIsComplex<T>) {
      return {std::ldexp(x.real(), e), std::ldexp(x.imag(), e)};
    } else {
      return std::ldexp(x, e);
    }
  }

  T value_ = T(1);
  std::int64_t exponent_ = 0;
};

}  // namespace cuprum::cpu
