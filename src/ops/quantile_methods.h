// Where a quantile lies among n sorted elements, by each of NumPy's methods (Hyndman and Fan, 1996, and five more).
//
// Indices count from zero. The formulas are written once: fractions are Numbers where all slices have one count, which the host
// knows, and arrays where every slice has its own.
#pragma once

#include <algorithm>
#include <string>

#include "core/texts.h"
#include "ops/adjust.h"
#include "ops/formula.h"
#include "ops/number.h"

namespace cuprum::ops {

enum class QuantileMethod : std::uint8_t {
  inverted_cdf,
  averaged_inverted_cdf,
  closest_observation,
  interpolated_inverted_cdf,
  hazen,
  weibull,
  linear,
  median_unbiased,
  normal_unbiased,
  lower,
  higher,
  midpoint,
  nearest,
};
inline constexpr const char* kQuantileMethods[] = {"inverted_cdf",
                                                   "averaged_inverted_cdf",
                                                   "closest_observation",
                                                   "interpolated_inverted_cdf",
                                                   "hazen",
                                                   "weibull",
                                                   "linear",
                                                   "median_unbiased",
                                                   "normal_unbiased",
                                                   "lower",
                                                   "higher",
                                                   "midpoint",
                                                   "nearest"};

inline QuantileMethod parse_quantile_method(const char* function, const std::string& method) {
  const auto* found = std::find(std::begin(kQuantileMethods), std::end(kQuantileMethods), method);
  if (found != std::end(kQuantileMethods))
    return static_cast<QuantileMethod>(found - std::begin(kQuantileMethods));
  std::string names;
  for (const char* name : kQuantileMethods) names += (names.empty() ? "'" : ", '") + std::string(name) + "'";
  throw ValueError(prefix(function) + "'" + method + "' is not a valid method. Use one of: dict_keys([" +
                   names + "])");
}

/// Those that give the index of an element, with nothing to interpolate.
constexpr bool is_discrete(QuantileMethod method) {
  using enum QuantileMethod;
  return method == inverted_cdf || method == closest_observation || method == lower || method == higher ||
         method == nearest;
}

/// One of two numbers, in the dtype of `like`.
inline Number pick(bool condition, double yes, double no, const Number& like) {
  return {condition ? yes : no, like.type()};
}
inline Array pick(const Array& condition, double yes, double no, const Array& like) {
  return where(condition, make_scalar(like.type(), yes), make_scalar(like.type(), no));
}

/// As an index among `last` + 1 elements.
inline std::int64_t clipped(const Number& index, std::int64_t last) {
  return static_cast<std::int64_t>(
      std::clamp(index.value(), 0.0, static_cast<double>(std::max<std::int64_t>(last, 0))));
}
inline Array clipped(const Array& index, const Array& last) {
  const Value zero = Value::integer(0);
  const Array most = binary(Op::maximum, last, zero);
  const Value high(most);
  return record_cast(clip(index, &zero, &high), dtype::int64);
}

/// Counts do not widen the fractions: an array of them behaves as the one number that it is to a single slice.
inline std::int64_t as_narrow(std::int64_t n, const Number&) { return n; }
inline Array as_narrow(const Array& n, const Array& q) {
  return is_floating(q.type()) ? record_cast(n, q.type()) : n;
}

/// The element before or after a virtual index: the one before it where `stay` says so.
template <class X, class Stay>
X step_from(const X& index, Stay stay) {
  using namespace formula;
  const X before = floor(index);
  return where(stay(index - before, before), before, before + 1);
}

/// The index, which may lie between two elements, of the fraction q of n elements; `last` is n - 1.
template <class N, class X>
X virtual_index(QuantileMethod method, const N& n, const N& last, const X& q) {
  using namespace formula;
  const auto fitted = [&](auto alpha, auto beta) -> X {
    return n * q + (alpha + q * (1 - alpha - beta)) - 1;
  };
  switch (method) {
    using enum QuantileMethod;
    case inverted_cdf: return step_from(X(n * q - 1), [](const X& gamma, const X&) { return gamma == 0; });
    case averaged_inverted_cdf: return n * q - 1;
    case closest_observation:
      return step_from(X(n * q - 1 - 0.5),
                       [](const X& gamma, const X& before) { return (gamma == 0) & (before % 2 == 1); });
    case interpolated_inverted_cdf: return fitted(0, 1);
    case hazen: return fitted(0.5, 0.5);
    case weibull: return fitted(0, 0);
    case linear: return last * q;
    case median_unbiased: return fitted(1 / 3.0, 1 / 3.0);
    case normal_unbiased: return fitted(3 / 8.0, 3 / 8.0);
    case lower: return floor(X(last * q));
    case higher: return ceil(X(last * q));
    case midpoint: return 0.5 * (floor(X(last * q)) + ceil(X(last * q)));
    case nearest: return rint(X(last * q));
  }
  return last * q;
}

/// The elements at two indices and what is between them: `I` is int64, or an array of them.
template <class X, class I>
struct QuantilePosition {
  I low, high;
  X gamma;     // how far the quantile lies from the one to the other
  bool exact;  // it is the element at `low`
};

template <class N, class X>
auto quantile_position(QuantileMethod method, const N& n, const X& q) {
  using namespace formula;
  const N last = n - 1;
  const X index = virtual_index(method, as_narrow(n, q), as_narrow(last, q), q);
  using Position = QuantilePosition<X, decltype(clipped(index, last))>;
  // An integer q is the smallest or the largest.
  if (is_discrete(method) || (method == QuantileMethod::linear && !is_floating(index.type()))) {
    const auto element = clipped(index, last);
    return Position{element, element, index, true};
  }
  const X before = floor(index);
  X gamma = index - before;
  if (method == QuantileMethod::averaged_inverted_cdf) {
    gamma = pick(gamma == 0, 0.5, 1.0, index);
  } else if (method == QuantileMethod::midpoint) {
    gamma = pick(index % 1 == 0, 0.0, 0.5, index);
  }
  return Position{clipped(before, last), clipped(before + 1, last), gamma, false};
}

}  // namespace cuprum::ops
