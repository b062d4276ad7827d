// The operations: an enumeration and a description of each, both made from `op_table.def`.
//
// An operation is a scalar function of one, two or three arguments with one result. Its meaning is
// the functor of the same name in `src/kernels/`; a loop of it is identified by (operation, key), where
// the key is the dtype T that the functor is instantiated with: the dtype of its first input, except for
// `where` (bool, T, T -> T), whose key is T. All other dtypes follow from the table's signature.
#pragma once

#include <cstdint>
#include <span>

#include "cuprum/dtype.h"

namespace cuprum {

enum class Op : std::uint16_t {
#define CUPRUM_OP(name, ...) name,
#include "core/op_table.def"
#undef CUPRUM_OP
  count_,
};

inline constexpr int kOpCount = static_cast<int>(Op::count_);
inline constexpr int kMaxInputs = 3;

/// What `reduce` starts from. `none`: from the first element, and an empty reduction is an error.
enum class Identity : std::uint8_t { none, zero, one, minus_one, true_, false_, minus_inf };

enum OpFlags : std::uint32_t {
  kCommutative = 1 << 0,     // swapped operands give the same bits, -0.0 included (but any of two NaNs)
  kReorderable = 1 << 1,     // reduce may regroup: associative, as NumPy defines it for this ufunc
  kTranscendental = 1 << 2,  // costs tens of cycles: recomputing it is not free
  kInternal = 1 << 3,        // not a public ufunc (cast, where, the halves of divmod/modf/frexp)
  kMayFault = 1 << 4,        // on some values, which the call looks at: integers to negative powers

  // Which loop a call means (resolve.h).
  kComparison = 1 << 5,  // the row `<name>_mixed` compares a signed with an unsigned integer exactly
  kLogical = 1 << 6,     // elements of any dtype are tested for truth
  // Operands are cast one by one, not promoted to a common dtype first: hypot of int8 and uint8 is float16, to
  // which both cast safely, although their common dtype int16 does not.
  kCastsSeparately = 1 << 7,
  kRefusesBool = 1 << 8,  // although bool casts safely to the first signature

  // Which loops are the same (loop_sharing.h).
  kIgnoresSign = 1 << 9,     // the bits do not depend on whether integers are signed
  kWidens = 1 << 10,         // float16 and bfloat16 are computed in float32 and rounded; else by their bits
  kKeepsUnsigned = 1 << 11,  // the result is the (only) argument, for bool and unsigned integers
  kKeepsSigned = 1 << 12,    // ... for signed integers
  kKeepsFloats = 1 << 13,
  kKeepsComplex = 1 << 14,
  kKeepsIntegers = kKeepsUnsigned | kKeepsSigned,
  kKeepsReals = kKeepsIntegers | kKeepsFloats,
  kKeepsAll = kKeepsReals | kKeepsComplex,

  // What errstate hears of it (ops/float_errors.h): at a pole an infinity is exact, elsewhere an overflow.
  kPoleAtZero = 1 << 15,  // of the last argument; integers have no other error
  kPoleAtOne = 1 << 16,   // of the magnitude
  kPoleAtMinusOne = 1 << 17,
  kPoleOfPower = 1 << 18,  // zero to a negative power, unless one of them is complex
  kQuiet = 1 << 19,        // NaN and infinity are answers, no errors: `spacing` of infinity is NaN
};

inline constexpr std::uint32_t kOpFlags[kOpCount] = {
#define CUPRUM_OP(name, family, nin, signatures, identity, flags, doc) flags,
#include "core/op_table.def"
#undef CUPRUM_OP
};

/// Has the operation one of these flags?
constexpr bool has(Op op, std::uint32_t flags) { return (kOpFlags[static_cast<int>(op)] & flags) != 0; }

/// One loop of an operation: dtypes of the inputs and of the result.
struct Signature {
  dtype in[kMaxInputs];
  dtype out;
  dtype key;
};

struct OpInfo {
  const char* name;
  std::uint8_t nin;
  Identity identity;
  std::uint32_t flags;
  std::span<const Signature> signatures;  // in NumPy's search order; bfloat16 stands before float32
  const char* doc;
};

const OpInfo& info(Op op);

/// The loop with this key, or nullptr.
const Signature* find_signature(Op op, dtype key);

/// The operation with this name, or Op::count_.
Op find_op(const char* name);

/// A ufunc with two results. Each result is an operation of its own, so that one that is never used is
/// never computed.
struct PairUfunc {
  const char* name;
  Op first;
  Op second;
  const char* doc;
};

/// divmod, modf and frexp.
std::span<const PairUfunc> pair_ufuncs();

}  // namespace cuprum
