#include "ops/interpolate.h"

#include <array>

#include "ops/index_mask.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// The interpolation of real values.
Array interpolated(const Array& x, const Array& xp, const Array& fp, const Array& left, const Array& right,
                   bool reciprocal) {
  const std::array beyond = {reshape(left, Dims{1}), reshape(right, Dims{1})};
  const Array ends = concatenate(beyond), points = record_copy(xp, dtype::float64, 'C'),
              values = record_copy(fp, dtype::float64, 'C');
  return record_dense(Interpolate{reciprocal}, {&x, &points, &values, &ends}, dtype::float64, x.shape());
}

}  // namespace

Array interpolate(const Array& x, const Array& xp, const Array& fp, const Array& left, const Array& right) {
  if (x.size() == 0) return make_array(x.backend(), fp.type(), x.shape());
  if (!is_complex(fp.type())) return value_if_0d(interpolated(x, xp, fp, left, right, false));
  const Array result = make_array(x.backend(), fp.type(), x.shape());
  assign(real(result), Input(interpolated(x, xp, real(fp), real(left), real(right), true)));
  assign(imag(result), Input(interpolated(x, xp, imag(fp), imag(left), imag(right), true)));
  if (xp.size() > 1)  // the real part is NaN
    masked_fill(imag(result), apply(Op::isnan, dtype::float64, x), Value::integer(0));
  return value_if_0d(result);
}

}  // namespace cuprum::ops
