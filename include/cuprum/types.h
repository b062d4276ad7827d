// What programs ask about dtypes and shapes: promotion, casts, ranges of numbers, memory in common.
#pragma once

#include <string>
#include <vector>

#include "cuprum/options.h"

namespace cuprum {

/// The smallest dtype to which both can be cast safely. By reference: the library's own form, by value, is for compile time.
dtype promote_types(const dtype& a, const dtype& b);
/// The dtype that NumPy's promotion gives to these arrays and numbers; numbers are weak.
dtype result_type(const std::vector<operand>& operands);
/// Whether a rule, "no", "equiv", "safe", "same_kind" or "unsafe", allows a cast.
bool can_cast(dtype from, dtype to, const std::string& casting = "safe");
/// The inexact dtype that all arrays have in common; integers count as float64.
dtype common_type(const std::vector<array>& arrays);
/// The smallest dtype that holds the value of a number; of an array with dimensions its dtype.
dtype min_scalar_type(const operand& value);

/// Limits of a floating-point dtype, of a complex one those of its parts: `finfo(dtype::float32).eps`.
struct finfo {
  explicit finfo(cuprum::dtype type);

  cuprum::dtype dtype;  // floating
  int bits = 0;         // of the number
  int nmant = 0;        // of its mantissa
  int precision = 0;    // decimal digits
  double eps = 0;       // from 1 to the next number
  double epsneg = 0;    // from 1 to the one before
  double max = 0, min = 0;
  double smallest_normal = 0, tiny = 0;  // the same
  double smallest_subnormal = 0;
  double resolution = 0;  // ten to the power of minus the precision
};

/// Limits of an integer dtype: `iinfo(dtype::int8).max`.
struct iinfo {
  explicit iinfo(cuprum::dtype type);

  cuprum::dtype dtype;
  int bits = 0;
  std::int64_t min = 0;
  std::uint64_t max = 0;
};

/// The shape to which arrays of these shapes broadcast.
shape_type broadcast_shapes(const std::vector<shape_type>& shapes);
/// Whether the dtype is complex, whatever the values.
bool iscomplexobj(const array& a);
/// Whether the dtype is not complex.
bool isrealobj(const array& a);
/// Whether the array lies in Fortran order and not in C order.
bool isfortran(const array& a);
/// Whether any byte belongs to both arrays. Throws ValueError where `max_work` steps (-1: any number) do not tell.
bool shares_memory(const array& a, const array& b, std::int64_t max_work = -1);
/// Whether the ranges of memory of both arrays overlap; with `max_work`, whether the arrays do, where so many steps can tell.
bool may_share_memory(const array& a, const array& b, std::int64_t max_work = 0);

/// Eight truth values to a byte, along an axis or of the flattened array; `bitorder` is "big" or "little".
array packbits(const array& a, std::optional<std::int64_t> axis = std::nullopt,
               const std::string& bitorder = "big");
struct unpackbits_options {
  by_name named = by_name();
  std::optional<std::int64_t> axis = {};   // the flattened array
  std::optional<std::int64_t> count = {};  // how many to give; a negative number leaves so many out
  std::string bitorder = "big";            // or "little"
};
/// The bits of bytes as zeros and ones.
array unpackbits(const array& a, const unpackbits_options& options = {});

}  // namespace cuprum
