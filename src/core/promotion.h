// Which dtypes meet in which dtype: NumPy 2's promotion (NEP 50) and its casting rules.
//
// One fact decides all: from which dtype to which a cast is safe. It is kept as a bit set per dtype, the bits
// in an order (the ladder) in which a smaller or more specific dtype stands first. The common dtype of any
// number of operands is the first bit that all their sets share; it does not depend on the order of the
// operands.
//
// bfloat16 follows the rules of float16 throughout; the two meet in float32.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cuprum/dtype.h"

namespace cuprum {

/// NumPy's casting rules, each allowing what the one before it allows.
enum class Casting : std::uint8_t { no, equiv, safe, same_kind, unsafe };

/// NumPy's name of the rule, such as "same_kind".
const char* name(Casting casting);

/// The rule of this name; throws ValueError with NumPy's text.
Casting parse_casting(const char* text);

/// What promotion sees of an operand. Weak operands (Python's int, float, complex; a bool is strong) take the
/// dtype of their company unless its kind is lower; `type` is what they are in no company: int64, float64,
/// complex128.
enum class Weak : std::uint8_t { strong, integer, floating, complex };
struct OperandType {
  dtype type;
  Weak weak = Weak::strong;

  constexpr bool is_weak() const { return weak != Weak::strong; }
  /// Position in a table indexed by operands: the dtypes, then weak int, float and complex.
  constexpr int index() const {
    return is_weak() ? kDTypeCount - 1 + static_cast<int>(weak) : static_cast<int>(type);
  }
  constexpr bool operator==(const OperandType&) const = default;
};

inline constexpr OperandType kWeakInt = {dtype::int64, Weak::integer};
inline constexpr OperandType kWeakFloat = {dtype::float64, Weak::floating};
inline constexpr OperandType kWeakComplex = {dtype::complex128, Weak::complex};
inline constexpr int kOperandTypeCount = kDTypeCount + 3;

namespace detail {

inline constexpr dtype kLadder[kDTypeCount] = {
    dtype::bool_,    dtype::int8,    dtype::uint8,   dtype::int16,     dtype::uint16,
    dtype::int32,    dtype::uint32,  dtype::int64,   dtype::uint64,    dtype::float16,
    dtype::bfloat16, dtype::float32, dtype::float64, dtype::complex64, dtype::complex128};

/// Every value of the source has a counterpart in the target (float64 counts as holding 64-bit integers).
constexpr bool is_safe(dtype from, dtype to) {
  const std::size_t from_size = itemsize(real_type(from));
  const std::size_t to_size = itemsize(real_type(to));
  if (from == to || is_bool(from)) return true;
  if (is_complex(from)) return is_complex(to) && to_size >= from_size;
  if (is_floating(from))
    return is_floating(to) ? to_size > from_size : is_complex(to) && to_size >= from_size;
  if (is_floating(to) || is_complex(to)) return to_size > from_size || to_size == 8;
  if (is_signed_integer(from) == is_signed_integer(to)) return is_integer(to) && to_size >= from_size;
  return is_signed_integer(to) && to_size > from_size;
}

struct SafeCasts {
  std::uint16_t to[kDTypeCount];  // of each source: bit i, the dtype at rung i of the ladder
};

constexpr SafeCasts make_safe_casts() {
  SafeCasts casts = {};
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int rung = 0; rung < kDTypeCount; ++rung) {
      if (is_safe(static_cast<dtype>(from), kLadder[rung])) casts.to[from] |= 1u << rung;
    }
  }
  return casts;
}

inline constexpr SafeCasts kSafeCasts = make_safe_casts();

}  // namespace detail

/// The smallest dtype to which both cast safely: numpy.promote_types.
constexpr dtype promote_types(dtype a, dtype b) {
  const unsigned common =
      detail::kSafeCasts.to[static_cast<int>(a)] & detail::kSafeCasts.to[static_cast<int>(b)];
  return detail::kLadder[std::countr_zero(common)];
}

/// Whether the rule allows the cast: numpy.can_cast.
bool can_cast(dtype from, dtype to, Casting casting = Casting::safe);

/// The same of an operand: a weak one may become any dtype of its kind or of a higher one, under every rule.
bool can_cast(OperandType from, dtype to, Casting casting = Casting::safe);

/// The common dtype of at least one operand: numpy.result_type.
dtype result_type(std::span<const OperandType> operands);

/// bool 0, unsigned 1, signed 2, floating 3, complex 4: a `same_kind` cast may not go down.
constexpr int kind_order(dtype t) {
  return is_bool(t) ? 0 : is_unsigned_integer(t) ? 1 : is_signed_integer(t) ? 2 : is_floating(t) ? 3 : 4;
}

/// The values of bool or of an integer dtype. A Python int outside raises OverflowError where it would become
/// one.
struct IntegerRange {
  std::int64_t min;
  std::uint64_t max;
};

constexpr IntegerRange integer_range(dtype t) {
  const int bits = static_cast<int>(itemsize(t)) * 8;
  if (is_bool(t)) return {0, 1};
  if (is_unsigned_integer(t)) return {0, ~std::uint64_t{0} >> (64 - bits)};
  const std::uint64_t max = (std::uint64_t{1} << (bits - 1)) - 1;
  return {-static_cast<std::int64_t>(max) - 1, max};
}

}  // namespace cuprum
