#include "ops/numeric.h"

#include <limits>
#include <numbers>

#include "ops/assign.h"
#include "ops/formula.h"
#include "ops/manipulate.h"
#include "ops/number.h"
#include "ops/reduce.h"
#include "ops/sort.h"

namespace cuprum::ops {

namespace {

using namespace formula;

double largest(dtype type) {
  switch (type) {
    case dtype::float16: return 65504;
    case dtype::bfloat16: return 0x1.fep127;
    case dtype::float32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

/// Real `x` without NaN and infinities, in its dtype and shape.
Array finite(const Array& x, const Replacements& by) {
  const Value high = by.posinf.value_or(Value::floating(largest(x.type()))),
              low = by.neginf.value_or(Value::floating(-largest(x.type())));
  const Array numbers = where(isnan(x), by.nan, x);
  const Array limits = where(unary(Op::signbit, x), low, high, &x.backend());
  const Array chosen = where(unary(Op::isinf, x), limits, numbers);
  if (is_complex(chosen.type())) {
    throw TypeError(std::string("cuprum.nan_to_num: Cannot cast scalar from dtype('") + name(chosen.type()) +
                    "') to dtype('" + name(x.type()) +
                    "') according to the rule 'same_kind': nan, posinf and neginf must be real");
  }
  const Array result = record_cast(chosen, x.type());
  if (result.shape() == x.shape()) return result;
  const Array fitting = without_surplus(result, x.ndim());  // an assignment drops leading ones
  if (fitting.shape() == x.shape()) return fitting;
  throw ValueError("cuprum.nan_to_num: could not broadcast nan, posinf and neginf to the shape " +
                   to_string(x.shape()) + " of the array");
}

}  // namespace

Array angle(const Array& z, bool degrees) {
  const Array radians = is_complex(z.type()) ? binary(Op::arctan2, imag(z), real(z))
                                             : binary(Op::arctan2, Value::integer(0), z);
  return degrees ? radians * (180 / std::numbers::pi) : radians;
}

Array sinc(const Array& x) {
  const double tiny = x.type() == dtype::float16 ? 6.1e-05 : 1.0e-20;
  const Array y = std::numbers::pi * where(x == 0, Value::floating(tiny), x);
  return unary(Op::sin, y) / y;
}

Array nan_to_num(const Array& x, bool copy, const Replacements& by) {
  if (is_complex(x.type())) {
    const Array result = copy ? record_copy(x, x.type(), 'C') : x;
    for (const Array& part_of : {real(result), imag(result)}) set_view(part_of, finite(part_of, by));
    return result;
  }
  if (!is_floating(x.type())) return copy ? record_copy(x, x.type()) : x;
  const Array result = finite(x, by);
  if (copy) return result;
  set_view(x, result);
  return x;
}

std::optional<Array> real_if_close(const Array& a, double tol) {
  if (!is_complex(a.type())) return std::nullopt;
  const dtype type = real_type(a.type());
  const double epsilon =
      type == dtype::float32 ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  const Value limit = tol > 1 ? Value((Number(epsilon, type) * tol).scalar()) : Value::floating(tol);
  if (!to_truth(all(absolute(imag(a)) < limit))) return std::nullopt;
  return real(a);
}

Array sort_complex(const Array& a) {
  const Array ordered = sort(a, -1);
  if (is_complex(a.type())) return ordered;
  const bool narrow = is_integer(a.type()) && itemsize(a.type()) <= 2;
  return record_cast(ordered, narrow ? dtype::complex64 : dtype::complex128);
}

}  // namespace cuprum::ops
