// The exceptions of type resolution, with NumPy's texts.
#pragma once

#include <span>

#include "core/op.h"
#include "core/promotion.h"

namespace cuprum {

/// No loop with the result that `dtype=` asks for.
[[noreturn]] void throw_no_loop_for(const char* ufunc, Op op, std::span<const OperandType> operands,
                                    dtype type);

/// No loop of `reduce` for the operands (accumulator, element).
[[noreturn]] void throw_no_reduce_loop(const char* ufunc, Op op, std::span<const OperandType> operands);

/// The casting rule forbids the cast of operand `k` to the dtype of the loop.
[[noreturn]] void throw_input_cast(const char* ufunc, std::span<const OperandType> operands, int k, dtype to,
                                   Casting casting);

}  // namespace cuprum
