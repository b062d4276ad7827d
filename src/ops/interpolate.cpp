#include "ops/interpolate.h"

#include <array>

#include "ops/index_mask.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// Writes the interpolation of real values to `out`.
void interpolate_into(const Array& out, const Array& x, const Array& xp, const Array& fp, const Array& left,
                      const Array& right, bool reciprocal) {
  const std::array beyond = {reshape(left, Dims{1}), reshape(right, Dims{1})};
  const Array ends = concatenate(beyond), points = record_copy(xp, dtype::float64, 'C'),
              values = record_copy(fp, dtype::float64, 'C');
  BackendCall call;
  const View at = readable(x), from = readable(points), to = readable(values), outside = readable(ends),
             result = writable(out);
  call([&] { x.backend().interpolate(at, from, to, outside, reciprocal, result); });
}

}  // namespace

Array interpolate(const Array& x, const Array& xp, const Array& fp, const Array& left, const Array& right) {
  const Array result = make_array(x.backend(), fp.type(), x.shape());
  if (x.size() == 0) return result;
  if (is_complex(fp.type())) {
    interpolate_into(real(result), x, xp, real(fp), real(left), real(right), true);
    interpolate_into(imag(result), x, xp, imag(fp), imag(left), imag(right), true);
    if (xp.size() > 1)  // the real part is NaN
      masked_fill(imag(result), apply(Op::isnan, dtype::float64, x), Value::integer(0));
  } else {
    interpolate_into(result, x, xp, fp, left, right, false);
  }
  return value_if_0d(result);
}

}  // namespace cuprum::ops
