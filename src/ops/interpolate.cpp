#include "ops/interpolate.h"

#include <array>
#include <cmath>
#include <string>

#include "expr/now.h"
#include "ops/argument_checks.h"
#include "ops/basic_index.h"
#include "ops/index_mask.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/search.h"
#include "ops/sort.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// The points, and what lies beyond them on either side.
struct Line {
  Array xp, fp, ends;
};

void check_points(const Array& xp, const Array& fp) {
  if (xp.ndim() != 1 || fp.ndim() != 1) {
    throw ValueError("cuprum.interp: Data points must be 1-D sequences, given shapes " +
                     to_string(xp.shape()) + " and " + to_string(fp.shape()));
  }
  if (xp.size() == 0) throw ValueError("cuprum.interp: array of sample points is empty");
  if (xp.size() != fp.size()) {
    throw ValueError("cuprum.interp: fp and xp are not of the same length: given " +
                     std::to_string(fp.size()) + " and " + std::to_string(xp.size()));
  }
}

Array as_double(const Array& a, dtype type) {
  check_safe_cast("interp", a, type);
  return record_cast(a, type);
}

Array modulo(const Array& a, double period) {
  return apply(Op::remainder, dtype::float64, a, Scalar::of(dtype::float64, period));
}

/// The points in order within one period, with a neighbour from the periods before and after.
void take_one_period(Array& xp, Array& fp, double period) {
  const Scalar step = Scalar::of(dtype::float64, period);
  xp = modulo(xp, period);
  const Array order = argsort(xp);
  const auto sorted = [&](const Array& a) { return take(a, order); };
  const auto first = [](const Array& a) { return slice_first(a, 0, 1, 1); };
  const auto last = [](const Array& a) { return slice_first(a, a.size() - 1, a.size(), 1); };
  const Array x = sorted(xp), y = sorted(fp);
  xp = concatenate(std::array{apply(Op::subtract, dtype::float64, last(x), step), x,
                              apply(Op::add, dtype::float64, first(x), step)});
  fp = concatenate(std::array{last(y), y, first(y)});
}

/// One end, 1-d: what was given, or the point there.
Array end_of(const Array& fp, const Array* beyond, const char* parameter, std::int64_t at) {
  if (!beyond) return slice_first(fp, at, at + 1, 1);
  if (beyond->ndim() != 0) {
    throw TypeError(std::string("cuprum.interp: ") + parameter +
                    " must be a number, given an array of shape " + to_string(beyond->shape()));
  }
  return reshape(as_double(*beyond, fp.type()), Dims{1});
}

Array ends_of(const Array& fp, const Array* left, const Array* right) {
  const std::int64_t n = fp.size();
  if (!left && !right && n > 1) return slice_first(fp, 0, n, n - 1);
  return concatenate(std::array{end_of(fp, left, "left", 0), end_of(fp, right, "right", n - 1)});
}

Array contiguous(const Array& a) { return a.c_contiguous() ? a : record_copy(a, a.type(), 'C'); }

/// Real values.
Array interpolated(const Array& x, const Line& line, bool reciprocal) {
  const Array xp = contiguous(line.xp), fp = contiguous(line.fp), ends = contiguous(line.ends);
  const Interpolate points{reciprocal};
  const Array* in[] = {&x, &xp, &fp, &ends};
  if (std::optional<Array> now = call_now(x.backend(), points, in, dtype::float64, x.shape()))
    return *std::move(now);
  return record_dense(points, {&x, &xp, &fp, &ends}, dtype::float64, x.shape());
}

}  // namespace

Array interp(const Array& given_x, const Array& given_xp, const Array& given_fp, const Array* left,
             const Array* right, std::optional<double> period) {
  const dtype type = is_complex(given_fp.type()) ? dtype::complex128 : dtype::float64;
  Array fp = as_double(given_fp, type), x = as_double(given_x, dtype::float64),
        xp = as_double(given_xp, dtype::float64);
  if (period && *period == 0) throw ValueError("cuprum.interp: period must be a non-zero value");
  check_points(xp, fp);
  if (period) {
    x = modulo(x, std::abs(*period));
    take_one_period(xp, fp, std::abs(*period));
    left = right = nullptr;
  }
  const Array ends = ends_of(fp, left, right);
  if (x.size() == 0) return make_array(x.backend(), type, x.shape());
  if (!is_complex(type)) return value_if_0d(interpolated(x, {xp, fp, ends}, false));
  const Array result = make_array(x.backend(), type, x.shape());
  assign(real(result), Input(interpolated(x, {xp, real(fp), real(ends)}, true)));
  assign(imag(result), Input(interpolated(x, {xp, imag(fp), imag(ends)}, true)));
  if (xp.size() > 1)  // the real part is NaN
    masked_fill(imag(result), apply(Op::isnan, dtype::float64, x), Value::integer(0));
  return value_if_0d(result);
}

}  // namespace cuprum::ops
