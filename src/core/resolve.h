// Which loop a ufunc call runs: NumPy's type resolution, rule by rule, and its exceptions.
//
// Unless an operation has a rule of its own, its operands are promoted to their common dtype and the first
// signature of the table to which that casts safely is the loop. The answer for one or two operands is a
// table lookup.
#pragma once

#include <optional>
#include <span>

#include "core/op.h"
#include "core/promotion.h"

namespace cuprum {

/// The loop for these operands: each is to be cast to `in[i]`; nullptr where there is none (`throw_no_loop`
/// says why). Comparisons of a signed integer with uint64 have an exact operation: `op` is changed to it.
const Signature* resolve(Op& op, OperandType a);
const Signature* resolve(Op& op, OperandType a, OperandType b);
const Signature* resolve(Op& op, std::span<const OperandType> operands);

/// The loop of the call `ufunc(*operands, dtype=type, casting=casting)`, with all checks that NumPy makes of
/// the operands. Throws what NumPy throws; `ufunc` is the name in its text.
const Signature& resolve_call(const char* ufunc, Op& op, std::span<const OperandType> operands,
                              std::optional<dtype> type = {}, Casting casting = Casting::same_kind);

/// The loop of `ufunc.reduce` (and `accumulate`, `reduceat`) over elements of dtype `in`: they are cast to
/// `in[1]` and the result is `out`. `type` is `dtype=`, `out` the dtype of `out=`.
const Signature& resolve_reduce(Op& op, dtype in, std::optional<dtype> type = {},
                                std::optional<dtype> out = {});

/// Throws what NumPy does where `resolve` finds no loop.
[[noreturn]] void throw_no_loop(const char* ufunc, Op op, std::span<const OperandType> operands);

/// Throws UFuncTypeError unless the result of a ufunc may be cast to the dtype of its `out=`. `index` is the
/// position among all operands, for a ufunc of two results.
void check_output_cast(const char* ufunc, dtype from, dtype to, Casting casting, int index = -1);

/// The dtype of `mean` over elements of dtype `in`.
constexpr dtype mean_type(dtype in) { return is_bool(in) || is_integer(in) ? dtype::float64 : in; }

/// The dtype of `var` and `std` over elements of dtype `in`.
constexpr dtype var_type(dtype in) { return real_type(mean_type(in)); }

/// What a comparison gives where one side is a Python int that no value of the other side's dtype reaches.
/// `scalar_first`: it is the left operand; `above`: it is greater than every value (else less).
bool compare_out_of_range(Op op, bool scalar_first, bool above);

}  // namespace cuprum
