#include "ops/adjust.h"

#include <cmath>

#include "core/resolve.h"
#include "expr/engine.h"
#include "ops/assign.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

// A Python integer at or beyond the end of the dtype's range limits nothing.
bool limits_nothing(const Value& bound, dtype type, bool lower) {
  if (!is_integer(type) || bound.kind() != Value::Kind::weak_int) return false;
  if (!bound.fits(type)) return bound.is_negative() == lower;
  const IntegerRange range = integer_range(type);
  return bound.integer() == (lower ? static_cast<int128>(range.min) : static_cast<int128>(range.max));
}

}  // namespace

Array clip(const Value& a, const Value* low, const Value* high, const UfuncOptions& options) {
  if (low && limits_nothing(*low, a.type(), true)) low = nullptr;
  if (high && limits_nothing(*high, a.type(), false)) high = nullptr;
  if (low && high) {
    const Value operands[] = {a, *low, *high};
    return call(Op::clip, operands, options);
  }
  if (!low && !high) {
    const Value operands[] = {a};
    return call(Op::positive, operands, options);
  }
  const Value operands[] = {a, low ? *low : *high};
  return call(low ? Op::maximum : Op::minimum, operands, options);
}

namespace {

Array deliver(const Array& result, const Array* out) {
  if (!out) return result;
  if (!can_cast(result.type(), out->type(), Casting::same_kind)) {
    throw UFuncTypeError(std::string("cuprum.round: Cannot cast array data from dtype('") +
                         name(result.type()) + "') to dtype('" + name(out->type()) +
                         "') according to the rule 'same_kind'");
  }
  assign_value("round", *out, result);
  return *out;
}

}  // namespace

namespace {

/// Real and imaginary parts rounded each by itself, as the doubles that they are in memory.
Array round_complex(const Array& a, std::int64_t decimals) {
  const Array parts = view_as(flatten(a), real_type(a.type()));
  return reshape(view_as(round(parts, decimals), a.type()), a.shape());
}

/// Each step is stored in `out`, as NumPy does: its dtype decides how exact they are.
Array round_into(const Array& a, std::int64_t decimals, const Array& out) {
  const Value factor = Value::floating(std::pow(10.0, static_cast<double>(std::llabs(decimals))));
  UfuncOptions options;
  options.out = &out;
  const Value scaled[] = {a, factor}, whole[] = {out}, back[] = {out, factor};
  call(decimals > 0 ? Op::multiply : Op::divide, scaled, options);
  call(Op::rint, whole, options);
  call(decimals > 0 ? Op::divide : Op::multiply, back, options);
  return out;
}

}  // namespace

Array round(const Array& a, std::int64_t decimals, const Array* out) {
  const dtype type = a.type();
  const bool whole = is_integer(type) || is_bool(type);
  if (is_bool(type) && decimals == 0) return deliver(apply(Op::rint, dtype::float16, a), out);
  if (is_bool(type)) {
    check_output_cast(decimals > 0 ? "multiply" : "divide", dtype::float64, type,
                      Casting::same_kind);  // throws
  }
  if (whole && decimals >= 0) return deliver(record_copy(a, type), out);
  if (is_complex(type) && decimals != 0) return deliver(round_complex(a, decimals), out);
  const dtype work = whole ? dtype::float64 : type;
  if (decimals == 0) return deliver(apply(Op::rint, work, a), out);
  if (out) return round_into(a, decimals, *out);
  // Whole powers of ten scale exactly as far as they are exact themselves (1e22).
  const Scalar factor = make_scalar(work, std::pow(10.0, static_cast<double>(std::llabs(decimals))));
  const Op scale = decimals > 0 ? Op::multiply : Op::divide, back = decimals > 0 ? Op::divide : Op::multiply;
  const Array rounded = apply(back, work, apply(Op::rint, work, apply(scale, work, a, factor)), factor);
  const char order = settle_order('A', a);  // NumPy's result is in C or Fortran order
  return deliver(record_copy(rounded, type, order), out);
}

}  // namespace cuprum::ops
