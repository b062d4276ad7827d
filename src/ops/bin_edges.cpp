#include "ops/bin_edges.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "core/texts.h"
#include "ops/creation.h"
#include "ops/formula.h"
#include "ops/index_mask.h"
#include "ops/reduce.h"
#include "ops/transfer.h"

namespace cuprum::ops {

namespace {

using namespace formula;

double as_double(const Value& v) { return v.to_scalar(dtype::float64).as<double>(); }

/// As Python prints it.
std::string text_of(const Value& v) {
  char text[32];
  const std::to_chars_result end = std::to_chars(text, text + sizeof text, as_double(v));
  std::string digits(text, end.ptr);
  const bool whole = digits.find_first_not_of("-0123456789") == std::string::npos;
  return whole && !is_integer(v.type()) ? digits + ".0" : digits;
}

/// `v` + `step`; a plain number stays weak.
Value moved(const Value& v, double step) {
  if (v.is_weak()) return Value::floating(v.real() + step);
  return (Number(as_double(v), v.type()) + step).scalar();
}

bool is_whole(const Value& v) { return is_integer(v.type()) || is_bool(v.type()); }

int128 integer_of(const Value& v) {
  if (v.is_weak()) return v.integer();
  if (v.type() == dtype::uint64) return int128{v.scalar().as<std::uint64_t>()};
  return v.to_scalar(dtype::int64).as<std::int64_t>();
}

std::int64_t estimated_count(const Array& values, const std::string& rule,
                             const std::pair<Value, Value>& outer, bool limited) {
  const auto& [first, last] = outer;
  const Array a = limited ? select(values, (values >= first) & (values <= last)) : values;
  if (a.size() == 0) return 1;
  Number width = bin_width(rule, a, outer);
  if (width == 0) return 1;
  if (is_integer(a.type()) && width.value() < 1) width = Number(1, dtype::float64);
  const double count = std::ceil((distance(last, first) / width).value());
  if (std::isinf(count)) throw OverflowError("cannot convert float infinity to integer");
  return static_cast<std::int64_t>(count);
}

/// Edges of bins of equal width, made and checked on the host.
Array uniform_edges(const char* function, const Array& a, std::int64_t count,
                    const std::pair<Value, Value>& outer) {
  const OperandType operands[] = {outer.first.operand_type(), outer.second.operand_type(), {a.type()}};
  dtype type = result_type(operands);
  if (is_integer(type)) type = dtype::float64;
  const Array edges = linspace(outer.first, outer.second, count + 1, true, type, 0, cpu_backend()).samples;
  std::vector<double> values(static_cast<std::size_t>(count) + 1);
  copy_to_host(record_cast(edges, dtype::float64), values.data());
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i - 1] < values[i]) continue;
    throw ValueError(prefix(function) + "Too many bins for data range. Cannot create " +
                     std::to_string(count) + " finite-sized bins.");
  }
  return on_backend(edges, a.backend());
}

}  // namespace

Scalar element(const Array& a) {
  Scalar s;
  s.type = a.type();
  copy_to_host(a, s.bytes);
  return s;
}

Number distance(const Value& a, const Value& b) {
  if (is_whole(a) && is_whole(b)) return {static_cast<double>(integer_of(a) - integer_of(b)), dtype::float64};
  const OperandType operands[] = {a.operand_type(), b.operand_type()};
  const dtype type = result_type(operands);
  return Number(as_double(a), type) - Number(as_double(b), type);
}

void check_rising(const Array& edges, const std::string& text) {
  if (to_truth(any(between(edges, 0, 0, -1) > between(edges, 0, 1)))) throw ValueError(text);
}

std::pair<Value, Value> outer_edges(const char* function, const Array& a, const BinRange& range) {
  if (!range && a.size() == 0) return {Value::integer(0), Value::integer(1)};
  std::pair<Value, Value> outer(Value::integer(0), Value::integer(1));
  if (range) {
    outer = *range;
    if (as_double(outer.first) > as_double(outer.second)) {
      throw ValueError(prefix(function) + "max must be larger than min in range parameter: given " +
                       text_of(outer.first) + " and " + text_of(outer.second));
    }
  } else {
    const Array extremes[] = {min(a), max(a)};
    evaluate(extremes, Reason::host_access);  // in one pass
    outer = {element(extremes[0]), element(extremes[1])};
  }
  const double first = as_double(outer.first), last = as_double(outer.second);
  if (!std::isfinite(first) || !std::isfinite(last)) {
    throw ValueError(prefix(function) + (range ? "supplied" : "autodetected") + " range of [" +
                     text_of(outer.first) + ", " + text_of(outer.second) + "] is not finite");
  }
  if (first == last) outer = {moved(outer.first, -0.5), moved(outer.second, 0.5)};
  return outer;
}

BinEdges bin_edges(const char* function, const Array& a, const Bins& bins, const BinRange& range,
                   bool weighted) {
  if (bins.edges) {
    if (bins.edges->ndim() != 1) {
      throw ValueError(prefix(function) + "`bins` must be 1d, when an array, given shape " +
                       to_string(bins.edges->shape()));
    }
    check_rising(*bins.edges, prefix(function) + "`bins` must increase monotonically, when an array");
    return {*bins.edges, false};
  }
  if (bins.rule) {
    check_rule(function, *bins.rule);
    if (weighted) {
      throw TypeError(prefix(function) +
                      "Automated estimation of the number of bins is not supported for weighted data");
    }
  } else if (bins.count < 1) {
    throw ValueError(prefix(function) + "`bins` must be positive, when an integer, given " +
                     std::to_string(bins.count));
  }
  const std::pair<Value, Value> outer = outer_edges(function, a, range);
  const std::int64_t count =
      bins.rule ? estimated_count(a, *bins.rule, outer, range.has_value()) : bins.count;
  return {uniform_edges(function, a, count, outer), true};
}

}  // namespace cuprum::ops
