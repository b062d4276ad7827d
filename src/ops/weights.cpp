#include "ops/weights.h"

#include <algorithm>
#include <numeric>

#include "core/texts.h"
#include "ops/creation.h"
#include "ops/formula.h"
#include "ops/manipulate.h"
#include "ops/merged_axes.h"
#include "ops/reduce.h"

namespace cuprum::ops {

using namespace formula;

Array spread_weights(const char* function, const Array& weights, const Array& a,
                     const std::optional<Dims>& given) {
  const Dims axes = given ? normalize_axes(function, *given, a.ndim()) : Dims{};
  if (weights.shape() == a.shape()) return weights;
  if (!given) {
    throw TypeError(prefix(function) + "Axis must be specified when shapes of a and weights differ: given " +
                    to_string(a.shape()) + " and " + to_string(weights.shape()));
  }
  Dims along, shape(static_cast<std::size_t>(a.ndim()), 1), order;
  for (const std::int64_t axis : axes) {
    along.push_back(a.shape()[axis]);
    shape[axis] = a.shape()[axis];
    order.push_back(static_cast<std::int64_t>(order.size()));
  }
  if (weights.shape() != along) {
    throw ValueError(prefix(function) +
                     "Shape of weights must be consistent with shape of a along specified axis: given " +
                     to_string(weights.shape()) + " for axis " + to_string(*given) + " of " +
                     to_string(a.shape()));
  }
  std::sort(order.begin(), order.end(), [&](auto i, auto j) { return axes[i] < axes[j]; });
  return reshape(transpose(weights, order), shape);
}

Average average(const Array& a, const std::optional<Dims>& axes, const Array* given, bool keepdims) {
  ReduceArgs over;
  over.axes = axes;
  over.keepdims = keepdims;
  if (!given) {
    const Array result = mean(a, over);
    warn_of_empty_mean(a, axes);
    const double count =
        result.size() ? static_cast<double>(a.size()) / static_cast<double>(result.size()) : 0;
    return {result, value_if_0d(full_like(result, make_scalar(result.type(), count)))};
  }
  const Array weights = broadcast_to(spread_weights("average", *given, a, axes), a.shape());
  dtype type = promote_types(a.type(), weights.type());
  if (is_bool(a.type()) || is_integer(a.type())) type = promote_types(type, dtype::float64);
  ReduceArgs summed = over;
  summed.type = type;
  const Array weight = sum(weights, summed);
  if (to_truth(any(weight == 0)))
    throw ZeroDivisionError("cuprum.average: Weights sum to zero, can't be normalized");
  UfuncOptions in_type;
  in_type.type = type;
  const Value factors[] = {a, weights};
  return {sum(call(Op::multiply, factors, in_type), over) / weight, weight};
}

}  // namespace cuprum::ops
