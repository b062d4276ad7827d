#include "ops/quantile.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "ops/manipulate.h"
#include "ops/merged_axes.h"
#include "ops/ordered.h"
#include "ops/quantile_methods.h"
#include "ops/scan.h"
#include "ops/search.h"
#include "ops/weights.h"

namespace cuprum::ops {

namespace {

using namespace formula;

/// Which of the four functions is called.
struct Kind {
  const char* name;
  bool percent;
  bool skips_nan;
};

/// What is asked for, as the host knows it.
struct Fractions {
  std::vector<Number> values;
  Dims shape;
  dtype type;
  bool weak;  // a plain number does not widen the result

  bool is_scalar() const { return shape.empty(); }
};

void check_fractions(const Kind& kind, const Fractions& q) {
  for (const Number& x : q.values) {
    if (x.value() >= 0 && x.value() <= 1) continue;
    throw ValueError(prefix(kind.name) + (kind.percent ? "Percentiles must be in the range [0, 100]"
                                                       : "Quantiles must be in the range [0, 1]"));
  }
}

Fractions read_fractions(const Kind& kind, const Value& q) {
  Fractions read{{}, q.shape(), q.type(), q.is_weak()};
  if (is_complex(read.type)) {
    throw TypeError(prefix(kind.name) + "q must be real, given " + name(read.type));
  }
  if (q.is_array()) {
    std::vector<double> values(static_cast<std::size_t>(q.array().size()));
    if (!values.empty()) copy_to_host(record_cast(q.array(), dtype::float64), values.data());
    for (const double x : values) read.values.emplace_back(x, read.type);
  } else {
    read.values.emplace_back(q.to_scalar(dtype::float64).as<double>(), read.type);
  }
  if (kind.percent) {
    for (Number& x : read.values) x = x / 100;
    if (!is_floating(read.type)) read.type = dtype::float64;
  }
  check_fractions(kind, read);
  return read;
}

/// The fractions as an array of the device.
Array uploaded(const std::vector<Number>& values, const Dims& shape, dtype type, Backend& backend) {
  std::vector<double> doubles;
  for (const Number& x : values) doubles.push_back(x.value());
  const Array a = make_array(backend, dtype::float64, shape);
  if (!doubles.empty()) upload(a, doubles.data());
  return record_cast(a, type);
}

/// The dimensions of `q` before ones for those of a slice.
Dims spread(const Fractions& q, int slice_ndim) {
  Dims shape = q.shape;
  for (int d = 0; d < slice_ndim; ++d) shape.push_back(1);
  return shape;
}

/// Interpolated from the nearer end, so that both ends are exact and the result rises with gamma.
Array between(const Array& low, const Array& high, const Value& gamma, const Value& back,
              const Value& near_high) {
  const Array step = high - low;
  return where(near_high, high - step * back, low + step * gamma);
}

/// The dtype of a fraction beside elements of `type`; unset: its own.
std::optional<dtype> narrowed(const Fractions& q, dtype type) {
  if (!q.weak) return std::nullopt;
  const OperandType both[] = {{type}, kWeakFloat};
  return result_type(both);
}

Array between(const Array& low, const Array& high, const Array& gamma, std::optional<dtype> type) {
  const Array back = 1 - gamma, near_high = gamma >= 0.5;
  if (!type) return between(low, high, gamma, back, near_high);
  const Array narrow = record_cast(gamma, *type), narrow_back = record_cast(back, *type);
  return between(low, high, narrow, narrow_back, near_high);
}

Array between(const Array& low, const Array& high, const Number& gamma, std::optional<dtype> type) {
  const Number back = 1 - gamma;
  const dtype used = type.value_or(gamma.type());
  return between(low, high, gamma.as(used).scalar(), back.as(used).scalar(),
                 make_scalar(dtype::bool_, std::int64_t{gamma >= 0.5}));
}

// -- Of all elements ------------------------------------------------------------------------------------

using Places = std::vector<QuantilePosition<Number, std::int64_t>>;

Dims named_places(const Places& places, std::int64_t n) {
  Dims kth{n - 1};
  for (const auto& place : places) {
    kth.push_back(place.low);
    kth.push_back(place.high);
  }
  std::sort(kth.begin(), kth.end());
  return Dims(kth.begin(), std::unique(kth.begin(), kth.end()));
}

/// The slices in order along the first axis: all, or those alone that the places name, which then count among these.
Array in_order(const Array& a, Places& places, std::int64_t n, bool overwrite) {
  constexpr std::size_t kFew = 4;
  const std::int64_t length = a.shape().back();
  if (!overwrite && a.size() >= kLongRow && length >= kRowOfSelection && places.size() <= kFew) {
    const Dims kth = named_places(places, n);
    if (const std::optional<Array> found = order_statistics(a, kth)) {
      const auto place_of = [&](std::int64_t i) {
        return std::lower_bound(kth.begin(), kth.end(), i) - kth.begin();
      };
      for (auto& place : places) {
        place.low = place_of(place.low);
        place.high = place_of(place.high);
      }
      return moveaxis(*found, Dims{-1}, Dims{0});
    }
    if (length >= kLongRow) return moveaxis(partition(a, kth, -1), Dims{-1}, Dims{0});
  }
  return moveaxis(sorted_last(a, overwrite), Dims{-1}, Dims{0});
}

/// The slices at the lower or the upper places, in the shape of `q` before that of a slice.
Array take_slices(const Array& ordered, const Places& places, const Fractions& q, bool upper) {
  const auto index = [&](const auto& place) { return upper ? place.high : place.low; };
  if (q.is_scalar()) return at(ordered, 0, index(places[0]));
  std::vector<std::int64_t> indices;
  for (const auto& place : places) indices.push_back(index(place));
  Dims shape = q.shape;
  for (int d = 1; d < ordered.ndim(); ++d) shape.push_back(ordered.shape()[d]);
  return reshape(take(ordered, from_integers(indices, ordered.backend()), 0), shape);
}

Array interpolate(const Array& low, const Array& high, const Places& places, const Fractions& q,
                  int slice_ndim) {
  const std::optional<dtype> type = narrowed(q, low.type());
  if (q.is_scalar()) return between(low, high, places[0].gamma, type);
  std::vector<Number> gammas;
  for (const auto& place : places) gammas.push_back(place.gamma);
  const dtype own = gammas.empty() ? q.type : gammas[0].type();
  return between(low, high, uploaded(gammas, spread(q, slice_ndim), own, low.backend()), type);
}

/// Quantiles of the n smallest along the last axis.
Array picked(const Array& a, const Fractions& q, QuantileMethod method, bool overwrite, std::int64_t n) {
  Places places;
  for (const Number& x : q.values) places.push_back(quantile_position(method, n, x));
  const bool exact = quantile_position(method, n, Number(0, q.type)).exact;
  const Array ordered = in_order(a, places, n, overwrite);
  const Array low = take_slices(ordered, places, q, false);
  const Array result =
      exact ? low : interpolate(low, take_slices(ordered, places, q, true), places, q, a.ndim() - 1);
  if (n < a.shape().back() || !is_floating(a.type())) return result;
  const Array largest = at(ordered, 0, -1);
  return where(isnan(largest), record_cast(largest, result.type()), result);
}

// -- Of those that are not NaN, or have weights ---------------------------------------------------------

/// Elements at `index`, which has the dimensions of `q` before one for every dimension of a slice.
Array take_along(const Array& ordered, const Array& index, const Fractions& q) {
  Dims full = q.shape, flat{static_cast<std::int64_t>(q.values.size())};
  for (int d = 1; d < ordered.ndim(); ++d) {
    full.push_back(ordered.shape()[d]);
    flat.push_back(ordered.shape()[d]);
  }
  return reshape(take_along_axis(ordered, reshape(broadcast_to(index, full), flat), 0), full);
}

/// Every slice may have another number of elements that are not NaN.
Array picked_of_numbers(const Array& a, const Fractions& q, QuantileMethod method, bool overwrite) {
  const Array n = count_numbers(a, false);
  if (const std::int64_t count = one_count(n, a)) return picked(a, q, method, overwrite, count);
  const Array fractions = uploaded(q.values, spread(q, a.ndim() - 1), q.type, a.backend());
  const auto [low, high, gamma, exact] = quantile_position(method, n, fractions);
  const Array ordered = moveaxis(sorted_last(a, overwrite), Dims{-1}, Dims{0});
  const Array lower = take_along(ordered, low, q);
  return exact ? lower : between(lower, take_along(ordered, high, q), gamma, narrowed(q, lower.type()));
}

/// The first elements at which the cumulated weight reaches the fractions `q` of the whole.
Array picked_by_weight(const Kind& kind, const Array& a, const Fractions& q, const Array& given, bool skip) {
  const Array order = argsort(a, -1);
  const auto in_this_order = [&](const Array& x) {
    return moveaxis(take_along_axis(x, order, -1), Dims{-1}, Dims{0});
  };
  const Array ordered = in_this_order(a), missing = isnan(ordered);
  Array weights = in_this_order(given);
  if (skip) weights = where(missing, Value::integer(0), weights);
  ReduceArgs first;
  first.axes = Dims{0};
  const Array blank = skip ? all(missing, first) : at(missing, 0, -1);
  Array cumulated = cumsum(weights, {0, dtype::float64, nullptr});
  cumulated = cumulated / at(cumulated, 0, -1);
  Array invalid = isnan(at(cumulated, 0, -1));
  if (skip) invalid = invalid & logical_not(blank);
  if (to_truth(any(invalid)))
    throw ValueError(prefix(kind.name) + "Weights included NaN, inf or were all zero.");
  if (is_floating(q.type)) cumulated = record_cast(cumulated, q.type);
  cumulated = where(cumulated == 0, Value::integer(-1), cumulated);  // without weight, not the quantile of 0
  const Array fractions = uploaded(q.values, spread(q, ordered.ndim()), q.type, a.backend());
  ReduceArgs over_elements;
  over_elements.axes = Dims{static_cast<std::int64_t>(q.shape.size())};
  const Array index =
      binary(Op::minimum, sum(cumulated < fractions, over_elements), Value::integer(ordered.shape()[0] - 1));
  return where(blank, at(ordered, 0, -1), take_along(ordered, index, q));
}

/// In a shape that broadcasts with `a`.
Array valid_weights(const Kind& kind, const Array& a, const QuantileArgs& args) {
  if (args.method != "inverted_cdf") {
    throw ValueError(prefix(kind.name) + "Only method 'inverted_cdf' supports weights. Got: " + args.method +
                     ".");
  }
  const Array weights = spread_weights(kind.name, *args.weights, a, args.axes);
  if (to_truth(any(weights < 0))) throw ValueError(prefix(kind.name) + "Weights must be non-negative.");
  return weights;
}

Array of_nothing(const Array& a, const QuantileArgs& args) {
  ReduceArgs reduced;
  reduced.axes = args.axes;
  reduced.out = args.out;
  reduced.keepdims = args.keepdims;
  warn_of_empty_mean(a, args.axes);
  return nanmean(a, reduced);
}

Array quantiles(const Kind& kind, const Array& given, const Value& fractions, const QuantileArgs& args) {
  if (is_complex(given.type())) {
    throw TypeError(prefix(kind.name) + "a must be an array of real numbers, given " + name(given.type()));
  }
  const Fractions q = read_fractions(kind, fractions);
  std::optional<Array> weights;
  if (args.weights) weights = valid_weights(kind, given, args);
  // Of nothing, NumPy answers NaN of the reduced shape alone, whatever `q`.
  if (kind.skips_nan && given.size() == 0) return of_nothing(given, args);
  const QuantileMethod method = parse_quantile_method(kind.name, args.method);
  if (q.shape.size() > 2)
    throw ValueError(prefix(kind.name) + "q must be a scalar or 1d, given shape " + to_string(q.shape));
  const auto [a, axes] = merge_axes(kind.name, given, args.axes);
  if (a.shape().back() == 0)
    throw IndexError(prefix(kind.name) + "index -1 is out of bounds for axis 0 with size 0");
  const bool skip = kind.skips_nan && is_floating(a.type());
  Array result;
  if (weights) {
    const Array along = merge_axes(kind.name, broadcast_to(*weights, given.shape()), args.axes).array;
    result = picked_by_weight(kind, a, q, along, skip);
  } else if (skip) {
    result = picked_of_numbers(a, q, method, args.overwrite_input);
  } else {
    result = picked(a, q, method, args.overwrite_input, a.shape().back());
  }
  Delivery delivery{args.out, args.keepdims, Casting::same_kind, static_cast<int>(q.shape.size())};
  if (kind.skips_nan) delivery.casting = Casting::unsafe;  // NumPy assigns these to `out`
  return deliver_reduced(kind.name, result, axes, delivery);
}

}  // namespace

Array quantile(const Array& a, const Value& q, const QuantileArgs& args) {
  return quantiles({"quantile", false, false}, a, q, args);
}
Array percentile(const Array& a, const Value& q, const QuantileArgs& args) {
  return quantiles({"percentile", true, false}, a, q, args);
}
Array nanquantile(const Array& a, const Value& q, const QuantileArgs& args) {
  return quantiles({"nanquantile", false, true}, a, q, args);
}
Array nanpercentile(const Array& a, const Value& q, const QuantileArgs& args) {
  return quantiles({"nanpercentile", true, true}, a, q, args);
}

}  // namespace cuprum::ops
