#include "ops/index.h"

#include "expr/record.h"
#include "ops/assign.h"
#include "ops/index_advanced.h"
#include "ops/index_plan.h"
#include "runtime/debug.h"

namespace cuprum::ops {

Array element(const Array& a, std::int64_t offset) {
  Array value = copy_of_element(a, offset);
  value.set_value(true);
  return value;
}

std::optional<HostNumber> element_number(const Array& a, std::int64_t offset) {
  std::optional<HostNumber> result;
  if (watched()) return result;
  if (const std::optional<Scalar> number = element_now(a, offset)) result.emplace(beside(a, *number));
  return result;
}

Array item_first(const Array& a, std::int64_t i) {
  if (a.ndim() == 0) throw_too_many_indices(0, 1);
  const std::int64_t offset = a.offset() + check_index(i, a.shape()[0], 0) * a.strides()[0];
  if (a.ndim() == 1) return element(a, offset);
  return a.view(Dims(a.shape().begin() + 1, a.shape().end()),
                Dims(a.strides().begin() + 1, a.strides().end()), offset);
}

Array get_item(const Array& a, Index index) {
  if (names_element(a, index)) return element(a, element_offset(a, index));
  if (is_advanced(index)) return get_advanced(a, index);
  return basic_index(a, index);
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
