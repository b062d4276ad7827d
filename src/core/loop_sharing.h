// Which loops are the same: signed and unsigned integers share one where the result has the same bits, what returns
// its argument is a copy, and most operations on float16 and bfloat16 are those of float32 between two conversions.
#pragma once

#include "core/op_signatures.h"

namespace cuprum {

constexpr bool is_small_float(dtype t) { return t == dtype::float16 || t == dtype::bfloat16; }

constexpr dtype unsigned_of_size(std::size_t size) {
  return size == 1 ? dtype::uint8 : size == 2 ? dtype::uint16 : size == 4 ? dtype::uint32 : dtype::uint64;
}

/// The result has the bits of the (only) argument.
constexpr bool returns_argument(Op op, dtype key) {
  switch (op) {
    case Op::copy:
    case Op::positive: return true;
    case Op::conjugate: return !is_complex(key);
    case Op::floor:
    case Op::ceil:
    case Op::trunc: return !is_floating(key);
    case Op::absolute: return is_bool(key) || is_unsigned_integer(key);
    default: return false;
  }
}

/// The result does not depend on whether integers of this size are signed.
constexpr bool ignores_sign(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::negative:
    case Op::square:
    case Op::equal:
    case Op::not_equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::logical_xor:
    case Op::logical_not:
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
    case Op::invert:
    case Op::left_shift: return true;
    default: return false;
  }
}

/// The key of the loop that serves (op, key).
constexpr dtype shared_key(Op op, dtype key) {
  if (op == Op::where) return key == dtype::complex128 ? key : unsigned_of_size(itemsize(key));
  if (is_signed_integer(key) && ignores_sign(op)) return unsigned_of_size(itemsize(key));
  return key;
}

/// Which operations on small floats are defined as widen, compute in float32, round; all others treat the bits directly.
constexpr bool computes_in_float(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::floor_divide:
    case Op::remainder:
    case Op::fmod:
    case Op::power:
    case Op::square:
    case Op::reciprocal:
    case Op::floor:
    case Op::ceil:
    case Op::trunc:
    case Op::rint:
    case Op::exp:
    case Op::exp2:
    case Op::expm1:
    case Op::log:
    case Op::log2:
    case Op::log10:
    case Op::log1p:
    case Op::logaddexp:
    case Op::logaddexp2:
    case Op::sqrt:
    case Op::cbrt:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::arcsin:
    case Op::arccos:
    case Op::arctan:
    case Op::arctan2:
    case Op::hypot:
    case Op::sinh:
    case Op::cosh:
    case Op::tanh:
    case Op::arcsinh:
    case Op::arccosh:
    case Op::arctanh:
    case Op::degrees:
    case Op::radians:
    case Op::rad2deg:
    case Op::deg2rad:
    case Op::heaviside:
    case Op::ldexp:
    case Op::modf_frac:
    case Op::modf_int:
    case Op::frexp_mantissa:
    case Op::frexp_exponent: return true;
    default: return false;
  }
}

}  // namespace cuprum
