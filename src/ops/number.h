// Number: what the host computes with as NumPy does with its scalars. It has a dtype, every operation rounds to it, and a plain
// double or int beside it is weak.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/promotion.h"
#include "ops/value.h"

namespace cuprum::ops {

class Number {
 public:
  /// Rounded to `type`, which is real.
  Number(double value, dtype type) : value_(rounded(value, type)), type_(type) {}

  double value() const { return value_; }
  dtype type() const { return type_; }
  Scalar scalar() const { return make_scalar(type_, value_); }
  Number as(dtype type) const { return {value_, type}; }

 private:
  static double rounded(double value, dtype type) {
    if (type == dtype::float64) return value;
    return Value(make_scalar(type, value)).to_scalar(dtype::float64).as<double>();
  }

  double value_;
  dtype type_;
};

/// The dtype that a number meets another, a weak float or a weak integer in.
inline dtype company(const Number& a, const Number& b) { return promote_types(a.type(), b.type()); }
inline dtype company(const Number& a, double) { return is_floating(a.type()) ? a.type() : dtype::float64; }
inline dtype company(const Number& a, std::int64_t) { return is_bool(a.type()) ? dtype::int64 : a.type(); }
inline dtype company(const Number& a, int) { return company(a, std::int64_t{0}); }

inline Number in_company(const Number& a, dtype type) { return a.as(type); }
inline Number in_company(double a, dtype type) { return {a, type}; }

#define CUPRUM_OPERATOR(symbol)                                                                          \
  template <class B>                                                                                     \
  Number operator symbol(const Number& a, const B& b) {                                                  \
    const dtype type = company(a, b);                                                                    \
    return {in_company(a, type).value() symbol in_company(b, type).value(), type};                       \
  }                                                                                                      \
  inline Number operator symbol(double a, const Number& b) { return Number(a, company(b, a)) symbol b; } \
  inline Number operator symbol(std::int64_t a, const Number& b) {                                       \
    return Number(static_cast<double>(a), company(b, a)) symbol b;                                       \
  }                                                                                                      \
  inline Number operator symbol(int a, const Number& b) { return std::int64_t{a} symbol b; }
CUPRUM_OPERATOR(+)
CUPRUM_OPERATOR(-)
CUPRUM_OPERATOR(*)
#undef CUPRUM_OPERATOR

/// Of integers in float64.
template <class B>
Number operator/(const Number& a, const B& b) {
  const dtype common = company(a, b), type = is_floating(common) ? common : dtype::float64;
  return {in_company(a, type).value() / in_company(b, type).value(), type};
}

/// With the sign of the divisor.
inline Number operator%(const Number& a, int b) {
  return {a.value() - b * std::floor(a.value() / b), a.type()};
}

inline bool operator==(const Number& a, double b) { return a.value() == b; }
inline bool operator>=(const Number& a, double b) { return a.value() >= b; }

inline Number floor(const Number& a) { return {std::floor(a.value()), a.type()}; }
inline Number ceil(const Number& a) { return {std::ceil(a.value()), a.type()}; }
inline Number rint(const Number& a) { return {std::nearbyint(a.value()), a.type()}; }
inline Number where(bool condition, const Number& a, const Number& b) { return condition ? a : b; }

}  // namespace cuprum::ops
