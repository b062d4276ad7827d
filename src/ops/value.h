// Value: an operand as the caller gave it, before any dtype is decided.
//
// NumPy distinguishes strong operands (arrays and NumPy's scalars, which have a dtype) from weak ones
// (Python's int, float and complex, which take the dtype of their company). Python integers have no size, so
// a weak integer keeps its exact value as far as 128 bits go, and beyond that its sign and its nearest
// double: enough to compare it exactly with any array and to say that it does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/promotion.h"
#include "expr/array.h"

namespace cuprum {

__extension__ typedef __int128 int128;

class Value {
 public:
  enum class Kind : std::uint8_t { array, scalar, weak_int, weak_float, weak_complex };

  /// The array is borrowed: it must outlive the value.
  Value(const Array& a) : array_(&a), kind_(Kind::array) {}
  /// A strong scalar: a NumPy scalar, or a bool.
  Value(const Scalar& s) : scalar_(s), kind_(Kind::scalar) {}

  static Value integer(int128 v) {
    Value r(Kind::weak_int);
    r.integer_ = v;
    return r;
  }
  /// An integer beyond 128 bits; `nearest` is infinite where a double cannot hold it.
  static Value huge_integer(double nearest) {
    Value r(Kind::weak_int);
    r.huge_ = true;
    r.real_ = nearest;
    return r;
  }
  static Value floating(double v) {
    Value r(Kind::weak_float);
    r.real_ = v;
    return r;
  }
  static Value complex(double re, double im) {
    Value r(Kind::weak_complex);
    r.real_ = re;
    r.imag_ = im;
    return r;
  }

  Kind kind() const { return kind_; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_weak() const { return kind_ >= Kind::weak_int; }

  /// An array that nobody will ask for again, as far as the caller knows: its elements need not be kept.
  bool is_temporary() const { return temporary_; }
  void set_temporary(bool t) { temporary_ = t; }

  const Array& array() const { return *array_; }    // kind array
  const Scalar& scalar() const { return scalar_; }  // kind scalar
  int128 integer() const { return integer_; }       // kind weak_int, not huge
  bool is_huge() const { return huge_; }
  bool is_negative() const { return huge_ ? real_ < 0 : integer_ < 0; }  // kind weak_int
  double real() const {                                                  // any weak kind
    return kind_ == Kind::weak_int && !huge_ ? static_cast<double>(integer_) : real_;
  }
  double imag() const { return imag_; }  // 0 unless weak_complex

  /// The dtype of a strong value; of a weak one the dtype that it has in no company: int64 (uint64 where only
  /// that fits), float64, complex128.
  dtype type() const;

  /// What promotion sees.
  OperandType operand_type() const {
    switch (kind_) {
      case Kind::array: return {array_->type()};
      case Kind::scalar: return {scalar_.type};
      case Kind::weak_int: return kWeakInt;
      case Kind::weak_float: return kWeakFloat;
      default: return kWeakComplex;
    }
  }

  /// () for scalars.
  const Dims& shape() const;

  /// Does a weak integer fit the integer dtype `t`?
  bool fits(dtype t) const;

  /// A weak integer as the integer dtype `t`; nothing where it does not fit.
  std::optional<Scalar> as_integer(dtype t) const;

  /// A scalar of dtype `t` (kind scalar or weak). A weak integer that an integer dtype cannot hold throws
  /// OverflowError with NumPy's text; everything else is NumPy's unsafe cast.
  Scalar to_scalar(dtype t) const;

  /// As text: 300, 2.5, an array's dtype and shape.
  std::string describe() const;

 private:
  explicit Value(Kind kind) : kind_(kind) {}

  const Array* array_ = nullptr;
  union {
    Scalar scalar_ = {};
    int128 integer_;
  };
  double real_ = 0;
  double imag_ = 0;
  Kind kind_;
  bool huge_ = false;
  bool temporary_ = false;
};

/// Throws what NumPy does of a Python number that cannot become `t`: OverflowError, ValueError for NaN, TypeError.
void check_stored(const Value& v, dtype t);
/// The same of a number stored by itself, and not as an array of no dimensions: then NumPy reads its own scalars, too, by
/// int() where `t` is signed. Stored in an unsigned dtype they are cast.
void check_element(const Value& v, dtype t);

/// Shorthands for scalars of a dtype: `make_scalar(dtype::float32, 1.5)`.
Scalar make_scalar(dtype t, double value);
Scalar make_scalar(dtype t, std::int64_t value);

/// `value` as an array of dtype `t`: the array itself (cast if need be), or a recorded 0-d array.
Array to_array(const Value& value, dtype t, Backend& backend);

}  // namespace cuprum
