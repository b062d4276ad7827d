#include "ops/value_checks.h"

#include "expr/engine.h"
#include "ops/elementwise.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

[[noreturn]] void throw_negative_power() {
  throw ValueError(
      "cuprum.power: Integers to negative integer powers are not allowed.; "
      "write a floating-point exponent or a.astype(float)");
}

void check_exponents(const Array& exponents, const Array* where) {
  if (!is_signed_integer(exponents.type()) || exponents.size() == 0) return;
  Array below = binary(Op::less, exponents, Value::integer(0));
  if (where) below = binary(Op::logical_and, below, *where);
  if (to_truth(any(below))) throw_negative_power();
}

void check_integer_power(const Signature& signature, std::span<const Value> args, const Dims& shape,
                         const Array* where) {
  if (!is_signed_integer(signature.in[1])) return;
  for (const Value& v : args) {
    if (v.is_array() && v.array().size() == 0) return;
  }
  for (int i = 0; i < 2; ++i) {  // an integer out of range is the first mistake
    if (!args[i].is_array()) args[i].to_scalar(signature.in[i]);
  }
  if (element_count(shape) == 0) return;
  const Value& exponent = args[1];
  if (exponent.is_array()) return check_exponents(exponent.array(), where);
  const bool negative = exponent.kind() == Value::Kind::weak_int
                            ? exponent.is_negative()
                            : exponent.to_scalar(dtype::int64).as<std::int64_t>() < 0;
  if (negative) throw_negative_power();
}

}  // namespace

void check_values(Op op, const Signature& signature, std::span<const Value> args, const Dims& shape,
                  const Array* where) {
  if (op == Op::power) return check_integer_power(signature, args, shape, where);
  // ldexp: in the company of numbers, a Python integer is an exponent of NumPy's first loop.
  const bool company = !args[0].is_weak() && !is_bool(args[0].type());
  if (company && args[1].kind() == Value::Kind::weak_int) args[1].to_scalar(dtype::int32);
}

void check_folded(Op op, const Array& exponents, const Array* where) {
  if (op == Op::power) check_exponents(exponents, where);
}

}  // namespace cuprum::ops
