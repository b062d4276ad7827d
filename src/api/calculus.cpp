#include "cuprum/calculus.h"

#include "api/handle.h"
#include "ops/calculus.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }
const Array* of(const std::optional<array>& a) { return a ? &a->implementation() : nullptr; }

}  // namespace

array diff(const array& a, std::int64_t n, const diff_options& o) {
  return array(ops::diff(of(a), n, o.axis, of(o.prepend), of(o.append)));
}
array diff(const array& a, std::int64_t n, std::int64_t axis) { return array(ops::diff(of(a), n, axis)); }
array ediff1d(const array& a, const ediff1d_options& o) {
  return array(ops::ediff1d(of(a), of(o.to_end), of(o.to_begin)));
}

std::vector<array> gradient(const array& f, const std::vector<operand>& spacings, const gradient_options& o) {
  std::vector<Value> values;
  for (const operand& spacing : spacings) values.push_back(operand_access::value(spacing));
  return to_handles(ops::gradient(of(f), values, to_axes(o.axis), o.edge_order));
}

array trapezoid(const array& y, const trapezoid_options& o) {
  return array(ops::trapezoid(of(y), of(o.x), Value::floating(o.dx), o.axis));
}
array trapezoid(const array& y, const array& x, std::int64_t axis) {
  return array(ops::trapezoid(of(y), &of(x), Value::floating(1.0), axis));
}

array unwrap(const array& p, const unwrap_options& o) {
  std::optional<Value> discont;
  if (o.discont) discont = Value::floating(*o.discont);
  return array(ops::unwrap(of(p), discont, o.axis, Value::floating(o.period)));
}

}  // namespace cuprum
