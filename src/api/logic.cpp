#include "cuprum/logic.h"

#include "api/handle.h"
#include "ops/logic.h"
#include "ops/numeric.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

ops::Closeness closeness(const close_options& o) {
  return {Value::floating(o.rtol), Value::floating(o.atol), o.equal_nan};
}

/// Of two numbers the first one is an array.
template <class F>
auto with_array(const operand& first, const operand& second, F&& compare) {
  const Value a = operand_access::value(first), b = operand_access::value(second);
  if (a.is_array() || b.is_array()) return compare(a, b);
  const Array number = to_array(a, a.type(), default_backend());
  return compare(Value(number), b);
}

}  // namespace

array isclose(const operand& first, const operand& second, const close_options& o) {
  return with_array(first, second,
                    [&](const Value& a, const Value& b) { return array(ops::isclose(a, b, closeness(o))); });
}
bool allclose(const operand& first, const operand& second, const close_options& o) {
  return with_array(first, second,
                    [&](const Value& a, const Value& b) { return ops::allclose(a, b, closeness(o)); });
}
bool array_equal(const array& a, const array& b, bool equal_nan) {
  return ops::array_equal(of(a), of(b), equal_nan);
}
bool array_equiv(const array& a, const array& b) { return ops::array_equiv(of(a), of(b)); }

array isposinf(const array& x) { return array(ops::isposinf(of(x))); }
array isneginf(const array& x) { return array(ops::isneginf(of(x))); }
array isreal(const array& x) { return array(ops::isreal(of(x))); }
array iscomplex(const array& x) { return array(ops::iscomplex(of(x))); }

array nan_to_num(const array& x, const nan_to_num_options& o) {
  ops::Replacements by;
  by.nan = Value::floating(o.nan);
  if (o.posinf) by.posinf = Value::floating(*o.posinf);
  if (o.neginf) by.neginf = Value::floating(*o.neginf);
  return array(ops::nan_to_num(of(x), o.copy, by));
}
array real_if_close(const array& a, double tol) {
  std::optional<Array> real = ops::real_if_close(of(a), tol);
  return real ? array(*std::move(real)) : a;
}
array sort_complex(const array& a) { return array(ops::sort_complex(of(a))); }

}  // namespace cuprum
