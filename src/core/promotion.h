// Which dtypes meet in which dtype: NumPy 2's promotion (NEP 50), its casting rules, and the choice of an operation's
// loop. All of it is tables and short searches, tested against NumPy over the full cross product.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/op.h"
#include "cuprum/dtype.h"

namespace cuprum {

/// NumPy's casting rules, each allowing what the one before it allows.
enum class Casting : std::uint8_t { no, equiv, safe, same_kind, unsafe };
const char* name(Casting casting);

bool can_cast(dtype from, dtype to, Casting casting = Casting::safe);

/// The smallest dtype to which both cast safely.
dtype promote_types(dtype a, dtype b);

/// What promotion sees of an operand. Weak operands (Python's int, float, complex) have no dtype of their own;
/// `type` is then what they are in no company: int64, float64, complex128.
enum class Weak : std::uint8_t { strong, integer, floating, complex };
struct OperandType {
  dtype type;
  Weak weak = Weak::strong;
};

/// np.result_type.
dtype result_type(std::span<const OperandType> operands);

/// The loop that a call of `op` runs: NumPy's promotion first, then its search for the first loop to which all
/// operands cast safely. nullptr: no loop. Comparisons of int64 with uint64 have their exact `_mixed` operation:
/// `op` is changed to it.
const Signature* resolve(Op& op, std::span<const OperandType> operands);

/// The loop for dtype=`out`: the loop with that result dtype. nullptr: no loop.
const Signature* resolve_output(Op op, dtype out);

}  // namespace cuprum
