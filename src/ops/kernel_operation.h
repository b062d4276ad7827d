// Bodies of a program's text as operations of the engine (core/user_op.h): what is made of elements alone is recorded and fused like
// any other operation. Devices whose work the host does compile loops over blocks of elements, others a function each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/op.h"
#include "ops/kernel_call.h"
#include "ops/kernel_parameters.h"

namespace cuprum::ops {

/// One operation: at most kMaxInputs elements in, one out.
struct OperationBody {
  std::string name;  // as a trace shows it
  std::vector<KernelParameter> in;
  KernelParameter out;
  bool reads_out = false;  // the output's element is one more operand
  std::string statements;
  /// Where a reduction by this operation begins: an expression. Of an operation that is none of a reduction: none.
  std::optional<std::string> identity;
  Signature signature{};

  std::size_t count() const { return in.size() + (reads_out ? 1 : 0); }
};

/// What is common to the operations of one text.
struct OperationTexts {
  const ParameterTypes& types;  // whose placeholders the text names
  std::string preamble;         // the program's
  std::string helpers;          // behind it
  const std::vector<std::string>& options;
  std::vector<OperationBody> bodies;
};

/// The operations, one per body, compiled by one call of the compiler. `text` becomes what it was given. Throws CompileError.
std::vector<Op> compile_operations(Backend& device, const OperationTexts& texts, std::string& text);

/// Can the text be a part of another, as it must be on a GPU?
bool is_portable_text(std::string_view text, std::span<const std::string> options);

/// Does a text know of CUDA's threads?
bool names_threads(std::string_view text);

/// op(arguments), recorded; into the last of them where that is an output.
Array record_operation(Op op, std::span<const Value> arguments, bool has_output, const Dims& shape,
                       char order);

}  // namespace cuprum::ops
