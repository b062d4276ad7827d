#include "ops/choosing.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/cast.h"
#include "core/promotion.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// NumPy makes an array of a number before it casts it: one that does not fit wraps.
Array cast_choice(const Value& v, dtype type, Backend& backend) {
  if (v.is_array()) return record_cast(v.array(), type);
  return record_full(backend, Dims{}, cast_scalar(v.to_scalar(v.type()), type));
}

}  // namespace

Array select_first(std::span<const Array> given, std::span<const Value> choices, const Value& otherwise,
                   Backend& backend) {
  if (given.size() != choices.size())
    throw ValueError("cuprum.select: list of cases must be same length as list of conditions");
  if (given.empty()) throw ValueError("cuprum.select: select with an empty condition list is not possible");
  std::vector<OperandType> types;
  for (const Value& v : choices) types.push_back(v.operand_type());
  types.push_back(otherwise.operand_type());
  const dtype type = result_type(types);
  std::vector<Array> values;
  for (const Value& v : choices) values.push_back(cast_choice(v, type, backend));
  values.push_back(cast_choice(otherwise, type, backend));
  const std::vector<Array> conditions = broadcast_arrays(given);
  values = broadcast_arrays(values);
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (is_bool(conditions[i].type())) continue;
    throw TypeError("cuprum.select: invalid entry " + std::to_string(i) +
                    " in condlist: should be boolean ndarray");
  }
  Array result = values.back();
  for (std::size_t i = conditions.size(); i-- > 0;) result = where(conditions[i], values[i], result);
  result.set_value(false);  // NumPy's select gives an array even of numbers
  return result;
}

Array piecewise(const Array& x, std::span<const Array> given, std::span<const Piece> pieces) {
  std::vector<Array> conditions(given.begin(), given.end());
  const std::size_t count = conditions.size();
  if (count + 1 == pieces.size()) {
    const Array taken = any(stack(conditions), {.axes = Dims{0}});
    conditions.push_back(apply(Op::logical_not, dtype::bool_, taken));
  } else if (count != pieces.size()) {
    throw ValueError("cuprum.piecewise: with " + std::to_string(count) + " condition(s), either " +
                     std::to_string(count) + " or " + std::to_string(count + 1) + " functions are expected");
  }
  const Array result = zeros_like(x);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::array index{IndexItem::by(conditions[i])};
    if (const Value* value = std::get_if<Value>(&pieces[i])) {
      set_item(result, index, *value);
      continue;
    }
    const Array elements = get_item(x, index);
    if (elements.size() != 0)
      set_item(result, index, std::get<std::function<Array(const Array&)>>(pieces[i])(elements));
  }
  return result;
}

}  // namespace cuprum::ops
