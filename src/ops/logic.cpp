#include "ops/logic.h"

#include <cmath>

#include "core/texts.h"
#include "ops/formula.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"

namespace cuprum::ops {

namespace {

using namespace formula;

/// A plain number, or an array: what comes of numbers alone stays weak.
class Term {
 public:
  explicit Term(double number) : number_(Value::floating(number)) {}
  explicit Term(Array array) : number_(Value::integer(0)), array_(std::move(array)) {}
  /// A number with a dtype becomes an array of the device.
  Term(const Value& v, Backend& device) : number_(v) {
    if (!v.is_weak()) array_ = v.is_array() ? v.array() : to_array(v, v.type(), device);
  }

  bool is_number() const { return !array_; }
  operator Value() const { return array_ ? Value(*array_) : number_; }
  const Array& array() const { return *array_; }
  double magnitude() const { return std::hypot(number_.real(), number_.imag()); }
  bool is_nan() const { return std::isnan(number_.real()) || std::isnan(number_.imag()); }
  bool is_finite() const { return std::isfinite(number_.real()) && std::isfinite(number_.imag()); }

 private:
  Value number_;
  std::optional<Array> array_;
};

bool is_inexact(dtype type) { return is_floating(type) || is_complex(type); }

Term with_fraction(const Term& b) {
  const Value value = b;
  if (b.is_number() || is_inexact(value.type()))
    return value.kind() == Value::Kind::weak_int ? Term(value.real()) : b;
  const OperandType operands[] = {value.operand_type(), kWeakFloat};
  return Term(record_cast(b.array(), result_type(operands)));
}

Term absolute(const Term& x) {
  return x.is_number() ? Term(x.magnitude()) : Term(formula::absolute(x.array()));
}

Term multiply(const Term& a, const Term& b) {
  if (a.is_number() && b.is_number()) return Term(Value(a).real() * Value(b).real());
  return Term(binary(Op::multiply, a, b));
}
Term add(const Term& a, const Term& b) {
  if (a.is_number() && b.is_number()) return Term(Value(a).real() + Value(b).real());
  return Term(binary(Op::add, a, b));
}

Term isnan(const Term& x, Backend& device) {
  if (x.is_number()) return Term(Value(make_scalar(dtype::bool_, std::int64_t{x.is_nan()})), device);
  return Term(formula::isnan(x.array()));
}

Backend& device_of(const Value& a, const Value& b) {
  return a.is_array() ? a.array().backend() : b.array().backend();
}

Array signed_infinity(const char* function, const Array& x, const Array* out, bool positive) {
  if (is_complex(x.type())) {
    throw TypeError(prefix(function) + "This operation is not supported for " + name(x.type()) +
                    " values because it would be ambiguous.");
  }
  UfuncOptions into;
  into.out = out;
  const Value operand[] = {x};
  if (!is_floating(x.type())) return call(Op::isinf, operand, into);
  const Array negative = unary(Op::signbit, x), infinite = unary(Op::isinf, x);
  const Array sign = positive ? logical_not(negative) : negative;
  const Value both[] = {infinite, sign};
  return call(Op::logical_and, both, into);
}

}  // namespace

Array isclose(const Value& given_a, const Value& given_b, const Closeness& closeness) {
  Backend& device = device_of(given_a, given_b);
  const Term a(given_a, device), b = with_fraction(Term(given_b, device));
  const Term rtol(closeness.rtol, device), atol(closeness.atol, device);
  const Array distance = formula::absolute(binary(Op::subtract, a, b));
  const Array near = binary(Op::less_equal, distance, add(atol, multiply(rtol, absolute(b))));
  Array result = binary(Op::equal, a, b);
  if (!b.is_number())
    result = (near & unary(Op::isfinite, b)) | result;
  else if (b.is_finite())
    result = near | result;
  if (!closeness.equal_nan) return result;
  return result | binary(Op::logical_and, isnan(a, device), isnan(b, device), &device);
}

bool allclose(const Value& a, const Value& b, const Closeness& closeness) {
  return to_truth(all(isclose(a, b, closeness)));
}

bool array_equal(const Array& a, const Array& b, bool equal_nan) {
  if (a.shape() != b.shape()) return false;
  Array same = a == b;
  if (equal_nan && is_inexact(a.type()) && is_inexact(b.type())) same = same | ((a != a) & (b != b));
  return to_truth(all(same));
}

bool array_equiv(const Array& a, const Array& b) {
  const Dims shapes[] = {a.shape(), b.shape()};
  try {
    broadcast_shapes("array_equiv", shapes, 2);
  } catch (const ValueError&) {
    return false;
  }
  return to_truth(all(a == b));
}

Array isposinf(const Array& x, const Array* out) { return signed_infinity("isposinf", x, out, true); }
Array isneginf(const Array& x, const Array* out) { return signed_infinity("isneginf", x, out, false); }
Array isreal(const Array& x) { return imag(x) == 0; }
Array iscomplex(const Array& x) { return imag(x) != 0; }

}  // namespace cuprum::ops
