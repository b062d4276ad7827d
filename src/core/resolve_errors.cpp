#include "core/resolve_errors.h"

#include <string>

#include "core/resolve.h"
#include "cuprum/error.h"

namespace cuprum {

namespace {

std::string quoted(dtype t) { return std::string("dtype('") + name(t) + "')"; }

/// The class that NumPy has for an operand.
std::string dtype_class(OperandType o) {
  static constexpr const char* kClasses[kOperandTypeCount] = {
      "numpy.dtypes.BoolDType",    "numpy.dtypes.Int8DType",      "numpy.dtypes.Int16DType",
      "numpy.dtypes.Int32DType",   "numpy.dtypes.Int64DType",     "numpy.dtypes.UInt8DType",
      "numpy.dtypes.UInt16DType",  "numpy.dtypes.UInt32DType",    "numpy.dtypes.UInt64DType",
      "numpy.dtypes.Float16DType", "numpy.dtype[bfloat16]",       "numpy.dtypes.Float32DType",
      "numpy.dtypes.Float64DType", "numpy.dtypes.Complex64DType", "numpy.dtypes.Complex128DType",
      "numpy.dtypes._PyLongDType", "numpy.dtypes._PyFloatDType",  "numpy.dtypes._PyComplexDType"};
  return std::string("<class '") + kClasses[o.index()] + "'>";
}

[[noreturn]] void throw_did_not_contain(const char* ufunc, const std::string& inputs,
                                        const std::string& output) {
  throw UFuncTypeError(std::string("ufunc '") + ufunc +
                       "' did not contain a loop with signature matching types " + inputs + " -> " + output);
}

std::string input_classes(std::span<const OperandType> operands) {
  if (operands.size() == 1) return dtype_class(operands[0]);
  std::string text = "(";
  for (std::size_t k = 0; k < operands.size(); ++k) text += (k ? ", " : "") + dtype_class(operands[k]);
  return text + ")";
}

/// The operations that NumPy dispatches without a search have a text of their own.
bool has_exact_dispatch(Op op) {
  return op == Op::gcd || op == Op::lcm || op == Op::positive || op == Op::sign;
}

void check_boolean_minus(Op op, bool is_boolean) {
  if (op == Op::subtract && is_boolean) {
    throw TypeError(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, "
        "or the "
        "logical_xor function instead.");
  }
  if (op == Op::negative && is_boolean) {
    throw TypeError(
        "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
        "logical_not "
        "function instead.");
  }
}

}  // namespace

void throw_no_loop(const char* ufunc, Op op, std::span<const OperandType> operands) {
  check_boolean_minus(op, is_bool(result_type(operands)));
  if (has_exact_dispatch(op)) throw_did_not_contain(ufunc, input_classes(operands), "None");
  throw TypeError(
      std::string("ufunc '") + ufunc +
      "' not supported for the input types, and the inputs could not be safely coerced to any supported "
      "types according to the casting rule ''safe''");
}

void throw_no_reduce_loop(const char* ufunc, Op op, std::span<const OperandType> operands) {
  if (has_exact_dispatch(op))
    throw_did_not_contain(ufunc, "(None, " + dtype_class(operands[1]) + ")", "None");
  throw_no_loop(ufunc, op, operands);
}

void throw_no_loop_for(const char* ufunc, Op op, std::span<const OperandType> operands, dtype type) {
  check_boolean_minus(op, is_bool(type));
  const bool is_complex_magnitude = op == Op::absolute && is_complex(type) && !is_complex(operands[0].type);
  if (has_exact_dispatch(op) || is_complex_magnitude) {
    throw_did_not_contain(ufunc, input_classes(operands), dtype_class({type}));
  }
  throw TypeError(std::string("No loop matching the specified signature and casting was found for ufunc ") +
                  ufunc);
}

void throw_input_cast(const char* ufunc, std::span<const OperandType> operands, int k, dtype to,
                      Casting casting) {
  throw UFuncTypeError(std::string("Cannot cast ufunc '") + ufunc + "' input " +
                       (operands.size() > 1 ? std::to_string(k) + " " : "") + "from " +
                       quoted(operands[k].type) + " to " + quoted(to) + " with casting rule '" +
                       name(casting) + "'");
}

void check_output_cast(const char* ufunc, dtype from, dtype to, Casting casting, int index) {
  if (can_cast(from, to, casting)) return;
  throw UFuncTypeError(std::string("Cannot cast ufunc '") + ufunc + "' output " +
                       (index >= 0 ? std::to_string(index) + " " : "") + "from " + quoted(from) + " to " +
                       quoted(to) + " with casting rule '" + name(casting) + "'");
}

}  // namespace cuprum
