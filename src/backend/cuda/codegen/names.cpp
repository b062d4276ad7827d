#include "codegen/names.h"

#include <cstring>

#include "codegen/plan.h"
#include "core/user_op.h"

namespace cuprum::cuda {

namespace {

/// The family of each operation, which is the name of its header unless `header_of` knows better.
constexpr const char* kFamily[kOpCount] = {
#define CUPRUM_OP(name, family, ...) #family,
#include "core/op_table.def"
#undef CUPRUM_OP
};

std::string header_of(Op op, dtype key) {
  if (is_complex(key)) return "kernels/all.h";
  switch (op) {
    case Op::floor_divide:
    case Op::remainder:
    case Op::fmod: return "kernels/division.h";
    case Op::power:
    case Op::float_power: return is_integer(key) ? "kernels/integer.h" : "kernels/exponential.h";
    case Op::gcd:
    case Op::lcm: return "kernels/integer.h";
    case Op::maximum:
    case Op::minimum:
    case Op::fmax:
    case Op::fmin:
    case Op::clip: return "kernels/minmax.h";
    case Op::cast: return "kernels/cast.h";
    case Op::copy:
    case Op::where: return "kernels/selection.h";
    default: return std::string("kernels/") + kFamily[static_cast<int>(op)] + ".h";
  }
}

const char* bool_fold(ReduceOp op) {
  switch (op) {
    case ReduceOp::any:
    case ReduceOp::sum:
    case ReduceOp::max:
    case ReduceOp::fmax:
    case ReduceOp::bitwise_or: return "Any";
    case ReduceOp::logical_xor:
    case ReduceOp::bitwise_xor: return "Odd";
    default: return "All";
  }
}

const char* fold_name(ReduceOp op) {
  switch (op) {
    case ReduceOp::prod: return "Multiply";
    case ReduceOp::min: return "Minimum";
    case ReduceOp::max: return "Maximum";
    case ReduceOp::fmin: return "FMin";
    case ReduceOp::fmax: return "FMax";
    case ReduceOp::bitwise_and: return "BitAnd";
    case ReduceOp::bitwise_or: return "BitOr";
    case ReduceOp::bitwise_xor: return "BitXor";
    default: return "Add";
  }
}

const char* order_name(ReduceOp op) {
  switch (op) {
    case ReduceOp::argmin: return "Smallest";
    case ReduceOp::argmax: return "Largest";
    case ReduceOp::nanargmin: return "SmallestNumber";
    default: return "LargestNumber";
  }
}

}  // namespace

const char* type_name(dtype t) {
  static constexpr const char* names[kDTypeCount] = {"bool",      "k::int8",      "k::int16",     "k::int32",
                                                     "k::int64",  "k::uint8",     "k::uint16",    "k::uint32",
                                                     "k::uint64", "k::float16",   "k::bfloat16",  "float",
                                                     "double",    "k::complex64", "k::complex128"};
  return names[static_cast<int>(t)];
}

void add_headers(const Kernel& kernel, std::set<std::string>& headers) {
  headers.insert("kernels/cast.h");
  for (const Instr& i : kernel.code) {
    if (!is_user_op(i.op)) headers.insert(header_of(i.op, i.key));
  }
  for (const Reduction& r : kernel.reductions) {
    if (r.op == ReduceOp::generic) headers.insert(header_of(r.fold, r.type));
  }
}

std::string reducer_name(const Reduction& reduction, bool ordered, const std::string& fold) {
  const dtype type = folded_type(reduction);
  const std::string name = type_name(type);
  switch (reduction.op) {
    case ReduceOp::generic: return "InOrder<" + fold + ", " + name + ">";
    case ReduceOp::user: return "Fold<" + fold + ", " + name + ">";
    case ReduceOp::var: return "Variance<" + name + ">";
    case ReduceOp::argmin:
    case ReduceOp::argmax:
    case ReduceOp::nanargmin:
    case ReduceOp::nanargmax:
      return std::string("Arg<") + order_name(reduction.op) + ", " + name + ", I, " +
             (ordered ? "true" : "false") + ">";
    case ReduceOp::mean: return "Fold<Add, " + name + ", true>";
    default: break;
  }
  const char* operation = is_bool(type) ? bool_fold(reduction.op) : fold_name(reduction.op);
  return std::string("Fold<") + operation + ", " + name + ">";
}

}  // namespace cuprum::cuda
