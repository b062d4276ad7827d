#include <array>

#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/merged_axes.h"
#include "ops/ordered.h"
#include "ops/quantile.h"
#include "ops/search.h"

namespace cuprum::ops {

namespace {

using namespace formula;

Array mean_last(const Array& a) {
  ReduceArgs args;
  args.axes = Dims{-1};
  return mean(a, args);
}

/// The one or two elements in the middle of the last axis, and the largest where it was found with them.
struct Middle {
  Array elements;
  std::optional<Array> largest;
};
/// Of the n smallest.
Middle middle_of(const Array& a, std::int64_t n, bool overwrite) {
  const int last = a.ndim() - 1;
  if (n == 0) return {a, {}};
  const std::int64_t low = (n - 1) / 2, high = n / 2;
  Dims kth{low};
  if (high != low) kth.push_back(high);
  if (overwrite) {
    partition_inplace(a, kth, -1);
    return {between(a, last, low, high + 1), {}};
  }
  if (n >= kRowOfSelection) {
    Dims places = kth;
    places.push_back(n - 1);
    if (const std::optional<Array> found = order_statistics(a, places))
      return {between(*found, last, 0, static_cast<std::int64_t>(kth.size())), at(*found, last, -1)};
  }
  return {between(partition(a, kth, -1), last, low, high + 1), {}};
}

}  // namespace

Array median(const Array& given, const MedianArgs& args) {
  const auto [a, axes] = merge_axes("median", given, args.axes);
  const std::int64_t n = a.shape().back();
  warn_of_empty_mean(a, Dims{-1});
  const bool may_hold_nan = n > 0 && (is_floating(a.type()) || is_complex(a.type()));
  const auto [middle, found] = middle_of(a, n, args.overwrite_input);
  Array result = mean_last(middle);
  if (may_hold_nan) {
    ReduceArgs last;
    last.axes = Dims{-1};
    const Array largest = found ? *found : max(a, last);
    result = where(isnan(largest), largest, result);
  }
  return deliver_reduced("median", result, axes, {.out = args.out, .keepdims = args.keepdims});
}

Array nanmedian(const Array& given, const MedianArgs& args) {
  if (given.size() == 0) {
    ReduceArgs of_nothing;
    of_nothing.axes = args.axes;
    of_nothing.out = args.out;
    of_nothing.keepdims = args.keepdims;
    warn_of_empty_mean(given, args.axes);
    return nanmean(given, of_nothing);
  }
  if (!is_floating(given.type()) && !is_complex(given.type())) return median(given, args);
  const auto [a, axes] = merge_axes("nanmedian", given, args.axes);
  const Delivery delivery = {.out = args.out, .keepdims = args.keepdims};
  const Array count = count_numbers(a, true);
  if (const std::int64_t n = args.overwrite_input ? 0 : one_count(count, a))
    return deliver_reduced("nanmedian", mean_last(middle_of(a, n, false).elements), axes, delivery);
  const Array ordered = sorted_last(a, args.overwrite_input);
  const auto half = [](const Array& x) { return binary(Op::floor_divide, x, Value::integer(2)); };
  const Array first = half(binary(Op::maximum, count - 1, Value::integer(0)));
  const Array second = binary(Op::minimum, half(count), Value::integer(a.shape().back() - 1));
  const Array low = take_along_axis(ordered, first, -1), high = take_along_axis(ordered, second, -1);
  ReduceArgs over_pair;
  over_pair.axes = Dims{0};
  const Array result = where(count % 2 == 1, low, mean(stack(std::array{low, high}), over_pair));
  return deliver_reduced("nanmedian", at(result, a.ndim() - 1, 0), axes, delivery);
}

}  // namespace cuprum::ops
