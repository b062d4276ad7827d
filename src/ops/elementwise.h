// Elementwise operations: what a ufunc call means, from operands and options to a recorded node.
//
// Every function checks at once (dtypes, casting, shapes, read-only outputs) and computes later.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "core/op.h"
#include "core/resolve.h"
#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

struct UfuncOptions {
  const Array* out = nullptr;    // write the result here
  const Array* where = nullptr;  // bool: compute only there; elsewhere `out` keeps its values
  std::optional<dtype> type;     // dtype=: the dtype of the calculation's result
  Casting casting = Casting::same_kind;
  char order = 'K';
  Backend* device = nullptr;  // where numbers alone compute; not asked where there is an array
};

/// op(args...): NumPy's ufunc call. With `out`, the result is `out`.
Array call(Op op, std::span<const Value> args, const UfuncOptions& options = {});

/// The calls without options, at the lowest overhead. `device` as in UfuncOptions.
Array unary(Op op, const Value& a, Backend* device = nullptr);
Array binary(Op op, const Value& a, const Value& b, Backend* device = nullptr);

/// `target op= value`: NumPy's in-place operators.
void inplace(Op op, const Array& target, const Value& value);

/// Both results of divmod, modf and frexp. `outs` may hold null pointers.
std::pair<Array, Array> call_pair(const PairUfunc& ufunc, std::span<const Value> args,
                                  const Array* const outs[2], const UfuncOptions& options = {});

/// `a ** b` as the operator: exponents 2, 1, 0.5 and -1 have their own operations, as in NumPy.
Array power_operator(const Value& a, const Value& b);
void inplace_power(const Array& target, const Value& exponent);

/// where(condition, a, b) of any dtypes; condition is tested for truth. `device` as in UfuncOptions.
Array where(const Value& condition, const Value& a, const Value& b, Backend* device = nullptr);

/// `a` as bool: a != 0 (`a` itself where it is bool).
Array to_bool(const Array& a);

}  // namespace cuprum::ops
