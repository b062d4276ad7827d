#include "ops/host_numbers.h"

#include <bit>

#include "core/cast.h"
#include "core/resolve.h"
#include "ops/float_errors.h"
#include "ops/value_checks.h"
#include "runtime/debug.h"
#include "runtime/host_element.h"

namespace cuprum::ops {

namespace {

void cast_to(dtype t, Scalar& number) {
  if (number.type != t) number = cast_scalar(number, t);
}

// Python's int as `t`; false: it does not fit, or is read in a way of its own.
bool convert_integer(std::uint64_t bits, dtype t, Scalar& to) {
  if (is_bool(t)) return false;
  const auto integer = static_cast<std::int64_t>(bits);
  if (!is_integer(t)) {
    set_bits(to, dtype::float64, std::bit_cast<std::uint64_t>(static_cast<double>(integer)));
    cast_to(t, to);
    return true;
  }
  const IntegerRange range = integer_range(t);
  if (integer < range.min || (integer > 0 && bits > range.max)) return false;
  set_bits(to, t, bits);  // the low bytes count, whatever the sign
  return true;
}

bool convert(const Numeral& n, dtype t, Scalar& to) {
  if (n.weak == Weak::integer) return convert_integer(n.low, t, to);
  set_bits(to, n.type, n.low, n.high);
  cast_to(t, to);
  return true;
}

}  // namespace

void Numerals::add(double number) { put(kWeakFloat, std::bit_cast<std::uint64_t>(number)); }

bool Numerals::add(const Value& v) {
  switch (v.kind()) {
    case Value::Kind::array: return add(v.array());
    case Value::Kind::scalar: add(v.scalar()); return true;
    case Value::Kind::weak_int:
      if (!v.fits(dtype::int64)) return false;
      add(static_cast<std::int64_t>(v.integer()));
      return true;
    case Value::Kind::weak_float: add(v.real()); return true;
    default: return false;
  }
}

std::optional<HostNumber> compute_numbers(Op op, const Signature& signature, const Numerals& operands) {
  std::optional<HostNumber> result;  // what every way returns, so that it is made where the caller has it
  if (!operands.place() || looks_at_values(op) || watches_float_errors() || watched()) return result;
  const ElementLoop loop = element_loop(op, signature.key);
  if (!loop) return result;
  Scalar in[2];
  for (int i = 0; i < operands.size(); ++i) {
    if (!convert(operands[i], signature.in[i], in[i])) return result;
  }
  alignas(16) unsigned char bits[sizeof in[0].bytes];
  loop(1, bits, in[0].bytes, in[1].bytes, nullptr);
  result.emplace().place = operands.place();
  take_bits(bits, signature.out, result->number);
  return result;
}

std::optional<HostNumber> binary_number(Op op, const Numerals& operands) {
  if (op == Op::power) return std::nullopt;  // a power may be a root
  const Signature* signature = resolve(op, operands[0].operand_type(), operands[1].operand_type());
  if (!signature) return std::nullopt;
  return compute_numbers(op, *signature, operands);
}

}  // namespace cuprum::ops
