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
  return has(op, is_complex(key)          ? kKeepsComplex
                 : is_floating(key)       ? kKeepsFloats
                 : is_signed_integer(key) ? kKeepsSigned
                                          : kKeepsUnsigned);
}

/// The key of the loop that serves (op, key).
constexpr dtype shared_key(Op op, dtype key) {
  if (op == Op::where) return key == dtype::complex128 ? key : unsigned_of_size(itemsize(key));
  if (is_signed_integer(key) && has(op, kIgnoresSign)) return unsigned_of_size(itemsize(key));
  return key;
}

/// Operations on small floats that widen, compute in float32 and round; all others treat the bits directly.
constexpr bool computes_in_float(Op op) { return has(op, kWidens); }

}  // namespace cuprum
