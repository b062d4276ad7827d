#include "runtime/program.h"

#include "core/cast.h"

namespace cuprum {

namespace {

double identity_number(const Reduction& reduction) {
  switch (reduction.op) {
    case ReduceOp::prod:
    case ReduceOp::all: return 1;
    case ReduceOp::bitwise_and: return -1;
    case ReduceOp::mean:
    case ReduceOp::var: return __builtin_nan("");
    case ReduceOp::generic: break;
    default: return 0;
  }
  switch (info(reduction.fold).identity) {
    case Identity::one:
    case Identity::true_: return 1;
    case Identity::minus_one: return -1;
    case Identity::minus_inf: return -__builtin_inf();
    default: return 0;
  }
}

}  // namespace

const Gathered* gathered(const Kernel& kernel, std::size_t leaf) {
  for (const Gathered& g : kernel.gathers) {
    if (g.leaf == leaf) return &g;
  }
  return nullptr;
}

const Drawn* drawn(const Kernel& kernel, std::size_t leaf) {
  for (const Drawn& d : kernel.draws) {
    if (d.leaf == leaf) return &d;
  }
  return nullptr;
}

dtype folded_type(const Reduction& reduction) {
  switch (reduction.op) {
    case ReduceOp::generic:
    case ReduceOp::user: return reduction.type;
    case ReduceOp::any:
    case ReduceOp::all:
    case ReduceOp::logical_xor: return dtype::bool_;
    default: break;
  }
  const bool half = reduction.type == dtype::float16 || reduction.type == dtype::bfloat16;
  return half ? dtype::float32 : reduction.type;
}

Scalar identity_value(const Reduction& reduction) {
  const double number = identity_number(reduction);
  if (!is_integer(reduction.out)) return cast_scalar(Scalar::of(dtype::float64, number), reduction.out);
  const auto integer = static_cast<std::int64_t>(number == number && number > -2 ? number : 0);
  return cast_scalar(Scalar::of(dtype::int64, integer), reduction.out);
}

}  // namespace cuprum
