#include "ops/value.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/cast.h"
#include "expr/engine.h"
#include "ops/transfer.h"

namespace cuprum {

namespace {

std::string to_text(int128 v) {
  if (v == 0) return "0";
  const bool negative = v < 0;
  std::string digits;
  for (; v != 0; v /= 10) digits += static_cast<char>('0' + (negative ? -(v % 10) : v % 10));
  if (negative) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::string to_text(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}

Scalar double_scalar(double v, dtype t) {
  if (t == dtype::float64) return Scalar::of(t, v);
  return cast_scalar(Scalar::of(dtype::float64, v), t);
}

}  // namespace

dtype Value::type() const {
  switch (kind_) {
    case Kind::array: return array_->type();
    case Kind::scalar: return scalar_.type;
    case Kind::weak_int: return !fits(dtype::int64) && fits(dtype::uint64) ? dtype::uint64 : dtype::int64;
    case Kind::weak_float: return dtype::float64;
    case Kind::weak_complex: return dtype::complex128;
  }
  return dtype::float64;
}

const Dims& Value::shape() const {
  static const Dims none{};
  return is_array() ? array_->shape() : none;
}

bool Value::fits(dtype t) const {
  if (huge_) return false;
  const IntegerRange range = integer_range(t);
  return integer_ >= range.min && integer_ <= static_cast<int128>(range.max);
}

std::optional<Scalar> Value::as_integer(dtype t) const {
  if (!fits(t)) return std::nullopt;
  Scalar s;
  s.type = t;
  std::memcpy(s.bytes, &integer_, itemsize(t));  // the low bytes, whatever the sign
  return s;
}

Scalar Value::to_scalar(dtype t) const {
  if (kind_ == Kind::scalar) return scalar_.type == t ? scalar_ : cast_scalar(scalar_, t);
  if (kind_ == Kind::weak_complex) {
    const double parts[2] = {real_, imag_};
    Scalar s;
    s.type = dtype::complex128;
    std::memcpy(s.bytes, parts, sizeof parts);
    return cast_scalar(s, t);
  }
  if (kind_ == Kind::weak_float) return double_scalar(real_, t);
  if (is_bool(t)) {  // NumPy reads it as an int64 on the way
    if (!fits(dtype::int64)) throw OverflowError("Python integer " + describe() + " out of bounds for int64");
    return Scalar::of(t, static_cast<std::uint8_t>(integer_ != 0));
  }
  if (!is_integer(t)) {
    if (std::isinf(real())) throw OverflowError("int too large to convert to float");
    return double_scalar(real(), t);
  }
  if (const std::optional<Scalar> integer = as_integer(t)) return *integer;
  throw OverflowError("Python integer " + describe() + " out of bounds for " + name(t));
}

std::string Value::describe() const {
  switch (kind_) {
    case Kind::array:
      return std::string("an array of ") + name(array_->type()) + ' ' + to_string(array_->shape());
    case Kind::scalar: return std::string("a ") + name(scalar_.type);
    case Kind::weak_int: return huge_ ? to_text(real_) : to_text(integer_);
    case Kind::weak_float: return to_text(real_);
    case Kind::weak_complex:
      return '(' + to_text(real_) + (std::signbit(imag_) ? "" : "+") + to_text(imag_) + "j)";
  }
  return "";
}

void check_stored(const Value& v, dtype t) {
  if (v.kind() == Value::Kind::weak_complex && !is_complex(t) && !is_bool(t)) {
    throw TypeError(
        is_floating(t)
            ? "float() argument must be a string or a real number, not 'complex'; write x.real"
            : "int() argument must be a string, a bytes-like object or a real number, not 'complex'; "
              "write x.real");
  }
  if (v.kind() != Value::Kind::weak_float || !is_integer(t)) return;
  if (std::isnan(v.real())) throw ValueError("cannot convert float NaN to integer");
  if (std::isinf(v.real())) throw OverflowError("cannot convert float infinity to integer");
  constexpr double kWide = 0x1p100;  // far beyond every dtype, and an int128
  const Value whole = Value::integer(static_cast<int128>(std::clamp(v.real(), -kWide, kWide)));
  if (!whole.fits(t))
    throw OverflowError("Python integer " + whole.describe() + " out of bounds for " + name(t));
}

void check_element(const Value& v, dtype t) {
  if (v.kind() != Value::Kind::scalar) return check_stored(v, t);
  if (!is_signed_integer(t) || is_complex(v.type())) return;
  if (is_floating(v.type()))
    return check_stored(Value::floating(v.to_scalar(dtype::float64).as<double>()), t);
  const Scalar whole = v.to_scalar(v.type() == dtype::uint64 ? dtype::uint64 : dtype::int64);
  const int128 n = whole.type == dtype::uint64 ? int128{whole.as<std::uint64_t>()} : whole.as<std::int64_t>();
  Value::integer(n).to_scalar(t);  // throws where it does not fit
}

Scalar make_scalar(dtype t, double value) { return double_scalar(value, t); }
Scalar make_scalar(dtype t, std::int64_t value) { return cast_scalar(Scalar::of(dtype::int64, value), t); }

Array to_array(const Value& value, dtype t, Backend& backend) {
  if (value.is_array()) return record_cast(ops::on_backend(value.array(), backend), t);
  return record_full(backend, {}, value.to_scalar(t));
}

}  // namespace cuprum
