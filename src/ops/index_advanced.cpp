#include "ops/index_advanced.h"

#include <string>

#include "expr/engine.h"
#include "ops/elementwise.h"
#include "ops/index_plan.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

using Kind = IndexItem::Kind;

bool is_whole_mask(const Array& a, Index index) {
  return index.size() == 1 && index[0].kind == Kind::array && is_bool(index[0].array->type()) &&
         index[0].array->shape() == a.shape() && a.ndim() > 0;
}

}  // namespace

bool is_advanced(Index index) {
  for (const IndexItem& item : index) {
    if (item.kind == Kind::array) return true;
  }
  return false;
}

Array true_coordinates(const Array& mask) {
  BackendCall call;
  const View view = readable(mask);
  Backend& backend = mask.backend();
  const auto counted = call.run([&] { return backend.count_true(view); });
  const Array rows = make_array(backend, dtype::int64, Dims{counted->count, mask.ndim()});
  if (rows.size() > 0) {
    const View out = writable(rows);
    call(Nonzero{counted.get()}, {}, out);
  }
  return rows;
}

Array select(const Array& a, const Array& mask) {
  check_mask(a, mask, 0);
  BackendCall call;
  const View where = readable(mask), in = readable(a);
  Backend& backend = a.backend();
  const auto counted = call.run([&] { return backend.count_true(where); });
  const Array result = make_array(backend, a.type(), Dims{counted->count});
  if (counted->count > 0) {
    const View out = writable(result);
    call(Select{counted.get()}, {in}, out);
  }
  return result;
}

void masked_fill(const Array& a, const Array& mask, const Value& value) {
  if (!a.writeable()) throw_read_only();
  check_mask(a, mask, 0);
  const std::int64_t given = value.shape().empty() ? 1 : value.shape()[0];
  if (value.shape().size() > 1) {
    throw TypeError(
        "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has " +
        std::to_string(value.shape().size()) + " dimensions");
  }
  if (!value.is_array() && a.covers_storage()) {  // stays pending: no mask in memory, and it fuses
    const Scalar scalar = value.to_scalar(a.type());
    const Input inputs[] = {mask, scalar, a};
    return assign(a, Op::where, *find_signature(Op::where, a.type()), inputs);
  }
  const Array v = detached(to_array(value, a.type(), a.backend()), a), m = detached(mask, a);
  BackendCall call;
  const View where = readable(m);
  const View from = readable(v);
  Backend& backend = a.backend();
  if (given == 1) {
    if (a.size() == 0) return;
    const View to = writable(a);
    call(MaskedFill{}, {where, from}, to);
    return;
  }
  const auto counted = call.run([&] { return backend.count_true(where); });
  if (counted->count != given) {
    throw ValueError("NumPy boolean array indexing assignment cannot assign " + std::to_string(given) +
                     " input values to the " + std::to_string(counted->count) +
                     " output values where the mask is true");
  }
  if (given == 0) return;
  const View to = writable(a);
  call(MaskedAssign{counted.get()}, {from}, to);
}

Array get_advanced(const Array& a, Index given, const char* function) {
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return value_if_0d(record_copy(basic_index(a, index), a.type()));
  if (is_whole_mask(a, index)) return select(a, *index[0].array);
  const Plan plan = make_plan(a, index);
  plan.check_known(a, function);
  if (plan.index.empty()) return record_copy(plan.plain_view(), a.type(), 'C');
  check_shape(function, plan.result, a.type());
  const Array result = plan.new_result();
  if (element_count(plan.broadcast) == 0) return result;
  BackendCall call;
  const std::vector<View> in = plan.readable_with_index(plan.view);
  const View out = writable(plan.seen_first(result));
  plan.check(call(Gather{plan.site(function)}, in, out), function);
  return value_if_0d(result);
}

void set_advanced(const Array& a, Index given, const Value& value, const char* function) {
  if (!a.writeable()) throw_read_only();
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return set_item(a, index, value);
  if (is_whole_mask(a, index)) return masked_fill(a, *index[0].array, value);
  Plan plan = make_plan(a, index, &value);
  const Array v = plan.value_for(a, value, a.type());
  plan.check_known(a, function);
  if (plan.index.empty()) {
    if (element_count(plan.result) != 0) assign(plan.plain_view(), Input(v));
    return;
  }
  if (element_count(plan.broadcast) == 0) return;
  plan.detach_index(a);
  BackendCall call;
  const std::vector<View> in = plan.readable_with_index(plan.seen_first(v));
  const View to = writable(plan.view);
  plan.check(call(Scatter{plan.site(function)}, in, to), function);
}

}  // namespace cuprum::ops
