#include "ops/index_advanced.h"

#include <optional>

#include "expr/engine.h"
#include "ops/assign.h"
#include "ops/index_mask.h"
#include "ops/index_now.h"
#include "ops/index_plan.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

using Kind = IndexItem::Kind;

bool is_whole_mask(const Array& a, Index index) {
  return index.size() == 1 && index[0].kind == Kind::array && is_bool(index[0].array->type()) &&
         index[0].array->shape() == a.shape() && a.ndim() > 0;
}

}  // namespace

void bring_together(const Array& a, Index index, const Value* value) {
  if (!host_sides_are_used()) [[likely]]
    return;
  SmallVector<const Array*, 8> all{&a};
  for (const IndexItem& item : index) {
    if (item.kind == Kind::array) all.push_back(item.array);
  }
  if (value && value->is_array()) all.push_back(&value->array());
  static_cast<void>(OnePlace(all));
}

bool is_advanced(Index index) {
  for (const IndexItem& item : index) {
    if (item.kind == Kind::array) return true;
  }
  return false;
}

Array get_advanced(const Array& a, Index given, const char* function, char order) {
  if (std::optional<Array> now = gathered_now(a, given)) return *std::move(now);
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return value_if_0d(record_copy(basic_index(a, index), a.type()));
  if (is_whole_mask(a, index)) return select(a, *index[0].array);
  bring_together(a, index);
  const Plan plan = make_plan(a, index);
  plan.check_known(a, function);
  if (plan.index.empty()) return record_copy(plan.plain_view(), a.type(), 'C');
  check_shape(function, plan.result, a.type());
  const Dims strides = plan.new_strides(order);
  const EngineLock lock;            // what was checked is what is recorded
  const Backend* looked = nullptr;  // where all are in bounds
  if (const OnePlace here(plan.arrays()); element_count(plan.broadcast) == 0 || plan.check_now(function))
    looked = &a.backend();
  const OnePlace there(plan.arrays(), bytes_of(plan.result, a.type()));
  const bool checked = looked == &a.backend();  // who moves may let others write
  if (element_count(plan.result) == 0) return make_array(a.backend(), a.type(), plan.result, strides);
  SmallVector<const Array*, 4> in{&plan.view};
  for (const Array& i : plan.index) in.push_back(&i);
  const Array seen = record_call(a.backend(), Gather{plan.site(function), checked}, in, a.type(),
                                 plan.seen_first(plan.result), plan.seen_first(strides));
  return value_if_0d(seen.view(plan.result, strides));
}

void set_advanced(const Array& a, Index given, const Value& value, const char* function) {
  if (!a.writeable()) throw_read_only();
  if (scattered_now(a, given, value)) return;
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) return set_basic(a, index, value);
  if (is_whole_mask(a, index)) return masked_fill(a, *index[0].array, value);
  bring_together(a, index, &value);
  Plan plan = make_plan(a, index, &value);
  const Array v = plan.value_for(a, value, a.type());
  plan.check_known(a, function);
  if (plan.index.empty()) {
    if (element_count(plan.result) != 0) assign(plan.plain_view(), Input(v));
    return;
  }
  if (element_count(plan.broadcast) == 0) return;
  plan.detach_index(a);
  BackendCall call(plan.arrays(&v));
  const std::vector<View> in = plan.readable_with_index(plan.seen_first(v));
  const View to = writable(plan.view);
  plan.check(call(Scatter{plan.site(function)}, in, to), function);
}

}  // namespace cuprum::ops
