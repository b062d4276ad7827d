#include "ops/index.h"

#include "expr/engine.h"
#include "ops/assign.h"
#include "ops/index_advanced.h"
#include "ops/index_plan.h"

namespace cuprum::ops {

Array item_first(const Array& a, std::int64_t i) {
  if (a.ndim() == 0) throw_too_many_indices(0, 1);
  const std::int64_t offset = a.offset() + check_index(i, a.shape()[0], 0) * a.strides()[0];
  if (a.ndim() == 1) return as_value(a.view(Dims{}, Dims{}, offset));
  return a.view(Dims(a.shape().begin() + 1, a.shape().end()),
                Dims(a.strides().begin() + 1, a.strides().end()), offset);
}

Array as_value(const Array& view) {
  Array value = record_copy(view, view.type());
  value.set_value(true);
  return value;
}

Array get_item(const Array& a, Index index) {
  if (is_advanced(index)) return get_advanced(a, index);
  Array view = basic_index(a, index);
  return names_element(a, index) ? as_value(view) : view;
}

void check_target(const Array& a, Index index) {
  if (!a.writeable()) throw_read_only();
  const ScalarsRead read(index);
  if (is_advanced(read))
    check_items(a, read);
  else
    basic_index(a, read);
}

void set_item(const Array& a, Index index, const Value& value) {
  if (is_advanced(index)) return set_advanced(a, index, value);
  set_basic(a, index, value);
}

}  // namespace cuprum::ops
