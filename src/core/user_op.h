// Operations that a program brings, made of its own text: elementwise loops for devices whose work the host does, functions of CUDA C++
// that generated kernels call for others.
//
// They are numbered behind those of the table, so that nodes, instructions, the search for equal ones and the names in a trace know
// them without a field more; `info` describes them like any other. An operation is never forgotten: pending expressions,
// captures and caches name it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/op.h"
#include "kernels/reduce_blocks.h"

namespace cuprum {

/// dst[i] = op(a[i], b[i], c[i]) for i in [0, n), as backend/cpu/loops.h says of its loops; compiled for the host.
using UserLoop = void (*)(std::int64_t n, void* dst, const void* a, const void* b, const void* c);

constexpr bool is_user_op(Op op) { return op > Op::count_; }

/// r = scope::_apply(a, b, c), whose operands are scope::_A0 to scope::_A2: of the bytes of the signature's dtypes, whatever they are called.
/// One that reductions fold with has scope::_identity() too, where a fold begins.
struct UserFunctionText {
  std::string headers;  // lines that include what the text needs
  std::string text;     // the namespace `scope`
  std::string scope;    // the same for the same text, in every process
};

/// The operation of this loop; the same one for the same loop. `keep` is what the loop's code lives in. `fold`: of one that
/// reductions fold with (ReduceOp::user). Throws Error where all numbers are taken.
Op user_op(const std::string& name, int nin, const Signature& signature, UserLoop loop,
           std::shared_ptr<const void> keep, const FoldLoops* fold = nullptr);
/// The operation of a function, by its text.
Op user_op(const std::string& name, int nin, const Signature& signature, UserFunctionText function);

UserLoop user_loop(Op op);
const FoldLoops& user_fold(Op op);
const UserFunctionText& user_function(Op op);
const OpInfo& user_info(Op op);

}  // namespace cuprum
