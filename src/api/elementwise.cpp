// Every function of elementwise.h is the operation of the same name in the table.
#include "cuprum/elementwise.h"

#include "api/handle.h"
#include "ops/adjust.h"
#include "ops/elementwise.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

array call(Op op, const operand& a) {
  array result(ops::unary(op, operand_access::value(a), &default_backend()));
  operand_access::release(a);
  return result;
}
array call(Op op, const operand& a, const operand& b) {
  array result(ops::binary(op, operand_access::value(a), operand_access::value(b), &default_backend()));
  operand_access::release(a);
  operand_access::release(b);
  return result;
}

}  // namespace

#define CUPRUM_UNARY(name) \
  array name(const operand& a) { return call(Op::name, a); }
#define CUPRUM_BINARY(name) \
  array name(const operand& a, const operand& b) { return call(Op::name, a, b); }

CUPRUM_UNARY(negative)
CUPRUM_UNARY(positive)
CUPRUM_UNARY(absolute)
CUPRUM_UNARY(sign)
CUPRUM_UNARY(square)
CUPRUM_UNARY(reciprocal)
CUPRUM_UNARY(logical_not)
CUPRUM_UNARY(invert)
CUPRUM_UNARY(bitwise_count)
CUPRUM_UNARY(floor)
CUPRUM_UNARY(ceil)
CUPRUM_UNARY(trunc)
CUPRUM_UNARY(rint)
CUPRUM_UNARY(exp)
CUPRUM_UNARY(exp2)
CUPRUM_UNARY(expm1)
CUPRUM_UNARY(log)
CUPRUM_UNARY(log2)
CUPRUM_UNARY(log10)
CUPRUM_UNARY(log1p)
CUPRUM_UNARY(sqrt)
CUPRUM_UNARY(cbrt)
CUPRUM_UNARY(sin)
CUPRUM_UNARY(cos)
CUPRUM_UNARY(tan)
CUPRUM_UNARY(arcsin)
CUPRUM_UNARY(arccos)
CUPRUM_UNARY(arctan)
CUPRUM_UNARY(sinh)
CUPRUM_UNARY(cosh)
CUPRUM_UNARY(tanh)
CUPRUM_UNARY(arcsinh)
CUPRUM_UNARY(arccosh)
CUPRUM_UNARY(arctanh)
CUPRUM_UNARY(degrees)
CUPRUM_UNARY(radians)
CUPRUM_UNARY(rad2deg)
CUPRUM_UNARY(deg2rad)
CUPRUM_UNARY(isfinite)
CUPRUM_UNARY(isinf)
CUPRUM_UNARY(isnan)
CUPRUM_UNARY(signbit)
CUPRUM_UNARY(spacing)
CUPRUM_UNARY(fabs)
CUPRUM_UNARY(conjugate)

CUPRUM_BINARY(add)
CUPRUM_BINARY(subtract)
CUPRUM_BINARY(multiply)
CUPRUM_BINARY(divide)
CUPRUM_BINARY(floor_divide)
CUPRUM_BINARY(remainder)
CUPRUM_BINARY(fmod)
CUPRUM_BINARY(power)
CUPRUM_BINARY(float_power)
CUPRUM_BINARY(maximum)
CUPRUM_BINARY(minimum)
CUPRUM_BINARY(fmax)
CUPRUM_BINARY(fmin)
CUPRUM_BINARY(gcd)
CUPRUM_BINARY(lcm)
CUPRUM_BINARY(equal)
CUPRUM_BINARY(not_equal)
CUPRUM_BINARY(less)
CUPRUM_BINARY(less_equal)
CUPRUM_BINARY(greater)
CUPRUM_BINARY(greater_equal)
CUPRUM_BINARY(logical_and)
CUPRUM_BINARY(logical_or)
CUPRUM_BINARY(logical_xor)
CUPRUM_BINARY(bitwise_and)
CUPRUM_BINARY(bitwise_or)
CUPRUM_BINARY(bitwise_xor)
CUPRUM_BINARY(left_shift)
CUPRUM_BINARY(right_shift)
CUPRUM_BINARY(logaddexp)
CUPRUM_BINARY(logaddexp2)
CUPRUM_BINARY(arctan2)
CUPRUM_BINARY(hypot)
CUPRUM_BINARY(copysign)
CUPRUM_BINARY(nextafter)
CUPRUM_BINARY(heaviside)
CUPRUM_BINARY(ldexp)

array clip(const operand& a, const operand& b, const operand& c) {
  const Value args[] = {operand_access::value(a), operand_access::value(b), operand_access::value(c)};
  ops::UfuncOptions options;
  options.device = &default_backend();
  return array(ops::call(Op::clip, args, options));
}

array where(const operand& condition, const operand& a, const operand& b) {
  return array(ops::where(operand_access::value(condition), operand_access::value(a),
                          operand_access::value(b), &default_backend()));
}

#undef CUPRUM_UNARY
#undef CUPRUM_BINARY

array round(const array& a, std::int64_t decimals) { return array(ops::round(a.implementation(), decimals)); }

}  // namespace cuprum
