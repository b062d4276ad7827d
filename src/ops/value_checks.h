// What a call must know of the values of its operands before it is recorded.
#pragma once

#include <span>

#include "core/op.h"
#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

constexpr bool looks_at_values(Op op) { return has(op, kMayFault); }

/// Throws what NumPy does of values that `op` refuses: integers to negative integer powers, exponents of ldexp that are
/// no int32. `where`: the others do not count. Arrays of exponents are evaluated.
void check_values(Op op, const Signature& signature, std::span<const Value> args, const Dims& shape,
                  const Array* where);

/// The same of the elements that a fold of `op` (reduce, accumulate) takes as second operand; they have dtype `exponents.type()`.
void check_folded(Op op, const Array& exponents, const Array* where);

}  // namespace cuprum::ops
