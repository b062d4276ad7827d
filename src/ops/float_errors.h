// Floating-point errors of elementwise operations, sums and products: division by zero, overflow, invalid values.
//
// Devices keep no flags of them, so results are looked at: only while somebody watches, since looking computes every
// operation by itself. Values tell what happened: a NaN that no operand was is an invalid value, an infinity that no
// operand was is a division by zero at a pole of the operation and an overflow elsewhere. Underflow leaves no trace.
#pragma once

#include <optional>
#include <span>

#include "ops/elementwise.h"

namespace cuprum::ops {

enum FloatError : unsigned { kDivideByZero = 1, kOverflow = 2, kInvalidValue = 8 };  // NumPy's bits

/// Who is told; Python's layer sets it once.
struct FloatErrorHandler {
  unsigned (*wanted)() = nullptr;                                   // which errors matter to the caller now
  void (*report)(const char* operation, unsigned found) = nullptr;  // may throw
};
void set_float_error_handler(const FloatErrorHandler& handler);

/// Counts those who watch, in all threads; the handler is asked only while there are any.
void watch_float_errors(int change);
bool watches_float_errors();

/// Looks at the result of an operation on these operands, where `where` is true if given, and tells the handler.
void report_float_errors(Op op, std::span<const Value> args, const Array& result,
                         const Array* where = nullptr);

/// The same for a sum or a product over these axes.
void report_float_errors_of_fold(const Array& operand, const Array& result, const std::optional<Dims>& axes);

}  // namespace cuprum::ops
