#include "ops/merged_axes.h"

#include <algorithm>

#include "core/texts.h"
#include "core/warning.h"
#include "ops/manipulate.h"
#include "ops/reduce_plan.h"
#include "ops/search.h"
#include "ops/support.h"

namespace cuprum::ops {

MergedAxes merge_axes(const char* function, const Array& a, const std::optional<Dims>& axes) {
  Dims reduced, kept;
  if (axes) reduced = normalize_axes(function, *axes, a.ndim());
  for (int d = 0; d < a.ndim(); ++d) {
    if (!axes)
      reduced.push_back(d);
    else if (std::find(reduced.begin(), reduced.end(), d) == reduced.end())
      kept.push_back(d);
  }
  std::sort(reduced.begin(), reduced.end());
  if (!axes) return {ravel(a), reduced};
  if (reduced.size() == 1) return {move_last(a, static_cast<int>(reduced[0])), reduced};
  Dims order = kept, shape;
  for (const std::int64_t d : kept) shape.push_back(a.shape()[d]);
  for (const std::int64_t d : reduced) order.push_back(d);
  shape.push_back(-1);
  return {reshape(transpose(a, order), shape), reduced};
}

Array deliver_reduced(const char* function, const Array& result, const Dims& axes, const Delivery& delivery) {
  Array shaped = result;
  if (delivery.keepdims) {
    Dims places = axes;
    for (std::int64_t& d : places) d += delivery.leading;
    shaped = expand_dims(result, places);
  }
  if (!delivery.out) return value_if_0d(std::move(shaped));
  if (delivery.out->shape() != shaped.shape()) {
    throw ValueError(prefix(function) + "output array has shape " + to_string(delivery.out->shape()) +
                     ", the result has " + to_string(shaped.shape()));
  }
  copyto(*delivery.out, shaped, nullptr, delivery.casting);
  return *delivery.out;
}

void warn_of_empty_mean(const Array& a, const std::optional<Dims>& axes) {
  if (a.size() == 0 && ReducePlan("", a, axes).count == 0) warn("Mean of empty slice");
}

}  // namespace cuprum::ops
