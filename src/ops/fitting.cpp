#include "ops/fitting.h"

#include <algorithm>
#include <string>

#include "core/promotion.h"
#include "core/type_facts.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/linalg.h"
#include "ops/linalg_matrix.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

constexpr std::int64_t kTall =
    2000;  // points from which a reduction pays: a million in degree 5 take 19 ms with it, 137 without

Array times(const Array& a, const Array& b) { return binary(Op::multiply, a, b); }
Array over(const Array& a, const Array& b) { return binary(Op::divide, a, b); }
Array column(const Array& a) { return expand_dims(a, Dims{-1}); }
Array adjoint(const Array& a) { return transpose(is_complex(a.type()) ? unary(Op::conjugate, a) : a); }

bool in_double(dtype t) { return (is_floating(t) || is_complex(t)) && itemsize(real_type(t)) >= 4; }

struct Equations {
  Array a, b;
};

/// As many equations as unknowns, with the same solution and singular values; nothing if that would cost digits.
///
/// a = q R, where R is made of the eigenvectors and -values of a^H a, and q is made orthogonal to the last bit by doing the same
/// again. That takes four passes over the points, all of them products of matrices; only the small matrices are factorised.
/// It keeps all digits while the condition of a is below the root of 1 / eps.
std::optional<Equations> reduced(const Array& given, const Array& b) {
  if (!in_double(given.type()) || !in_double(b.type())) return std::nullopt;
  const Array a = record_cast(given, promote_types(given.type(), dtype::float64));
  const Array gram = matmul(adjoint(a), a);
  if (!to_truth(all(unary(Op::isfinite, gram)))) return std::nullopt;
  const Eigen first = eigh(gram);
  const Array roots = unary(Op::sqrt, first.values);
  const std::int64_t n = roots.size();
  const Array least = binary(Op::multiply, Value::floating(3e-7), slice_first(roots, n - 1, n, 1));
  if (!to_truth(all(binary(Op::greater, slice_first(roots, 0, 1, 1), least)))) return std::nullopt;
  const Array q = matmul(a, over(first.vectors, roots));
  const Eigen second = eigh(matmul(adjoint(q), q));
  const Array more = unary(Op::sqrt, second.values);
  const Array square =
      matmul(times(column(more), adjoint(second.vectors)), times(column(roots), adjoint(first.vectors)));
  return Equations{square, matmul(adjoint(over(second.vectors, more)), matmul(adjoint(q), b))};
}

/// By the small equations; what is left over comes from all of them.
Fit fit_reduced(const Equations& small, const Array& a, const Array& right, double rcond) {
  const dtype type = promote_types(a.type(), right.type());
  const LeastSquares solved = lstsq(small.a, small.b, rcond);
  const Array rest = unary(Op::absolute, binary(Op::subtract, right, matmul(a, solved.x)));
  Array residuals = reshape(sum(times(rest, rest), {.axes = Dims{0}}), Dims{-1});
  if (to_integer(solved.rank) != a.shape()[1]) residuals = part(residuals, 0, 0, 0);
  return {record_cast(solved.x, type), record_cast(residuals, real_type(type)), solved.rank,
          record_cast(solved.singular_values, real_type(type))};
}

}  // namespace

void check_points(const char* prefix, const Array& x, const Array& y) {
  const std::string before = prefix;
  if (x.ndim() != 1) throw TypeError(before + "expected 1D vector for x");
  if (x.size() == 0) throw TypeError(before + "expected non-empty vector for x");
  if (y.ndim() < 1 || y.ndim() > 2) throw TypeError(before + "expected 1D or 2D array for y");
  if (x.shape()[0] != y.shape()[0]) throw TypeError(before + "expected x and y to have same length");
}

Fit fit_columns(const Array& left, const Array& right, const Array& norms, double rcond) {
  const Array a = over(left, norms);
  const bool is_tall = a.shape()[0] >= std::max(kTall, 16 * a.shape()[1]);
  const std::optional<Equations> small = is_tall ? reduced(a, right) : std::nullopt;
  Fit fit;
  if (small) {
    fit = fit_reduced(*small, a, right, rcond);
  } else {
    const LeastSquares solved = lstsq(a, right, rcond);
    fit = {solved.x, solved.residuals, solved.rank, solved.singular_values};
  }
  fit.c = transpose(over(transpose(fit.c), norms));
  return fit;
}

PolyFit polyfit(const Array& given_x, const Array& given_y, std::int64_t deg, std::optional<double> rcond,
                const Array* weights) {
  const Value zero = Value::floating(0.0);
  const Array x = binary(Op::add, given_x, zero), y = binary(Op::add, given_y, zero);
  if (deg < 0) throw ValueError("cuprum.polyfit: expected deg >= 0");
  check_points("cuprum.polyfit: ", x, y);
  const Array powers = arange(deg, std::int64_t{-1}, std::int64_t{-1}, x.backend());
  const Array left = binary(Op::power, column(x), powers);
  if (weights) {
    const Array w = binary(Op::add, *weights, zero);
    if (w.ndim() != 1) throw TypeError("cuprum.polyfit: expected a 1-d array for weights");
    if (w.size() != y.shape()[0]) throw TypeError("cuprum.polyfit: expected w and y to have the same length");
    inplace(Op::multiply, left, column(w));  // in place: the weights' dtype may not widen the result's
    inplace(Op::multiply, y, y.ndim() == 2 ? column(w) : w);
  }
  const double cut = rcond.value_or(static_cast<double>(x.size()) * float_facts(x.type()).eps);
  const Array norms = unary(Op::sqrt, sum(times(left, left), {.axes = Dims{0}}));
  return {fit_columns(left, y, norms, cut), cut, left, norms};
}

/// The inverse of A^T A rounds least with columns of norm one.
Array polyfit_covariance(const PolyFit& of, bool scaled) {
  const std::int64_t points = of.left.shape()[0], order = of.left.shape()[1];
  const Array left = over(of.left, of.norms);
  Array base = over(inv(matmul(transpose(left), left)), times(column(of.norms), of.norms));
  const bool many = of.fit.c.ndim() == 2;
  if (many) base = column(base);
  if (!scaled) return binary(Op::multiply, base, Value::floating(1.0));
  if (points <= order) {
    throw ValueError(
        "cuprum.polyfit: the number of data points must exceed order to scale the covariance matrix");
  }
  return times(base, binary(Op::divide, of.fit.residuals, Value::integer(points - order)));
}

}  // namespace cuprum::ops
