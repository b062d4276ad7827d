// Equations: solve, inverses, powers, determinants, Cholesky, least squares.
#include <algorithm>
#include <limits>

#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/linalg.h"
#include "ops/linalg_checks.h"
#include "ops/linalg_matrix.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"

namespace cuprum::ops {

namespace {

constexpr const char* kSingular = "Singular matrix";

/// a x = b for b of at least two dimensions.
Array solve_matrices(const Array& a, const Array& b, dtype type) {
  const std::int64_t n = a.shape().back(), k = b.shape().back();
  const Dims stacks[] = {stack_shape(a), stack_shape(b)};
  const Dims stack = broadcast_shapes("linalg.solve", stacks, 2);
  if (k == 0) {  // there is nothing to solve for, but a singular matrix is one all the same
    const Array column = zeros(with_core(stack, {n, 1}), type, 'C', a.backend());
    return split(solve_matrices(a, column, type), Dims{0}, -1)[0];
  }
  const Array left = broadcast_to(record_cast(a, type), with_core(stack, {n, n}));
  const Array right = broadcast_to(record_cast(b, type), with_core(stack, {n, k}));
  return record_factors(Solve{site_of("linalg.solve", kSingular, a)}, {&left, &right},
                        {{type, with_core(stack, {n, k})}})[0];
}

Array invert(const char* function, const Array& a) {
  check_square(function, a);
  const dtype type = linalg_type(function, {&a});
  const Array matrices = record_cast(a, type);
  return record_factors(Solve{site_of(function, kSingular, a)}, {&matrices}, {{type, a.shape()}})[0];
}

}  // namespace

Array solve(const Array& a, const Array& b) {
  check_square("linalg.solve", a);
  const dtype type = linalg_type("linalg.solve", {&a, &b});
  const std::int64_t n = a.shape().back();
  const bool vector = b.ndim() == 1;
  if (b.ndim() == 0) {
    throw ValueError(
        "cuprum.linalg.solve: Input operand 1 does not have enough dimensions (has 0, gufunc core with "
        "signature "
        "(m,m),(m,n)->(m,n) requires 2)");
  }
  const std::int64_t rows = b.shape()[b.ndim() - (vector ? 1 : 2)];
  if (rows != n) {
    throw ValueError(std::string("cuprum.linalg.solve: Input operand 1 has a mismatch in its core dimension "
                                 "0, with gufunc signature ") +
                     (vector ? "(m,m),(m)->(m)" : "(m,m),(m,n)->(m,n)") + " (size " + std::to_string(rows) +
                     " is different from " + std::to_string(n) + ")");
  }
  if (!vector) return solve_matrices(a, b, type);
  const Array x = solve_matrices(a, expand_dims(b, Dims{1}), type);
  return reshape(x, Dims(x.shape().begin(), x.shape().end() - 1));
}

Array inv(const Array& a) { return invert("linalg.inv", a); }

Array tensorsolve(const Array& a, const Array& b, const std::optional<Dims>& axes) {
  Array moved = a;
  if (axes) {  // those named go to the end, in this order
    std::vector<std::int64_t> order(a.ndim());
    for (int d = 0; d < a.ndim(); ++d) order[d] = d;
    for (std::int64_t axis : *axes) {
      const auto at = std::find(order.begin(), order.end(), axis);
      if (at == order.end()) {
        throw ValueError("cuprum.linalg.tensorsolve: list.remove(x): x not in list: axis " +
                         std::to_string(axis) + " of an array of " + std::to_string(a.ndim()) +
                         " dimensions");
      }
      order.erase(at);
      order.push_back(axis);
    }
    moved = transpose(a, Dims(order.begin(), order.end()));
  }
  // As Python's a.shape[-(a.ndim - b.ndim):], which is everything where both have as many dimensions.
  const int rest = std::clamp(moved.ndim() - b.ndim(), 0, moved.ndim());
  const Dims shape = rest == 0 ? moved.shape() : Dims(moved.shape().end() - rest, moved.shape().end());
  const std::int64_t count = element_count(shape);
  if (moved.size() != count * count) {
    throw LinAlgError(
        "cuprum.linalg.tensorsolve: Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == "
        "prod(a.shape[:b.ndim]), given shapes " +
        to_string(a.shape()) + " and " + to_string(b.shape()));
  }
  return reshape(solve(reshape(moved, Dims{count, count}), ravel(b)), shape);
}

Array tensorinv(const Array& a, std::int64_t ind) {
  if (ind <= 0) throw ValueError("cuprum.linalg.tensorinv: Invalid ind argument.");
  const std::int64_t split = std::min<std::int64_t>(ind, a.ndim());
  Dims shape(a.shape().begin() + split, a.shape().end());
  const std::int64_t rows = element_count(shape);
  for (std::int64_t d = 0; d < split; ++d) shape.push_back(a.shape()[d]);
  const Array matrix = reshape(a, Dims{rows, -1});
  return reshape(invert("linalg.tensorinv", matrix), shape);
}

Array matrix_power(const Array& a, std::int64_t n) {
  check_square("linalg.matrix_power", a);
  if (n == 0) return identities(stack_shape(a), a.shape().back(), a.type(), a.backend());
  const Array base = n < 0 ? invert("linalg.matrix_power", a) : a;
  auto rest = n < 0 ? -static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
  if (rest == 3) return matmul(matmul(base, base), base);  // NumPy's order of products
  Array square = base;
  std::optional<Array> result;
  for (;; square = matmul(square, square)) {
    if (rest & 1) result = result ? matmul(*result, square) : square;
    if ((rest >>= 1) == 0) return *result;
  }
}

Array cholesky(const Array& a, bool upper) {
  check_square("linalg.cholesky", a);
  const dtype type = linalg_type("linalg.cholesky", {&a});
  const Array matrices = record_cast(a, type);
  return record_factors(Cholesky{site_of("linalg.cholesky", "Matrix is not positive definite", a), upper},
                        {&matrices}, {{type, a.shape()}})[0];
}

Array det(const Array& a) {
  check_square("linalg.det", a);
  const dtype type = linalg_type("linalg.det", {&a});
  const Dims stack = stack_shape(a);
  if (a.shape().back() == 0) return value_if_0d(ones(stack, type, 'C', a.backend()));
  const Array matrices = record_cast(a, type);
  return value_if_0d(record_factors(Determinant{false}, {&matrices}, {{type, stack}})[0]);
}

Slogdet slogdet(const Array& a) {
  check_square("linalg.slogdet", a);
  const dtype type = linalg_type("linalg.slogdet", {&a}), real = real_type(type);
  const Dims stack = stack_shape(a);
  if (a.shape().back() == 0) {
    return {value_if_0d(ones(stack, type, 'C', a.backend())),
            value_if_0d(zeros(stack, real, 'C', a.backend()))};
  }
  const Array matrices = record_cast(a, type);
  std::vector<Array> made = record_factors(Determinant{true}, {&matrices}, {{type, stack}, {real, stack}});
  return {value_if_0d(std::move(made[0])), value_if_0d(std::move(made[1]))};
}

namespace {

constexpr const char* kNoSvd = "SVD did not converge in Linear Least Squares";

/// Recorded, and computed if somebody reads them: they take ten times as long as the answer. Whatever they would fail of, the
/// answer has failed of before.
Array singular_values_of(const Array& a) {
  const std::int64_t low = std::min(a.shape()[0], a.shape()[1]);
  const dtype real = real_type(a.type());
  const ResultSpec spec{real, Dims{low},
                        contiguous_strides(Dims{low}, static_cast<std::int64_t>(itemsize(real)))};
  const Array* const operand = &a;
  return record_calls(a.backend(), Primitive(Svd{site_of("linalg.lstsq", kNoSvd, a), false, false}),
                      {&operand, 1}, {&spec, 1})[0];
}

/// Least squares of a matrix with elements and at least one column of b, both of `type`.
LeastSquares solve_least_squares(const Array& a, const Array& b, dtype type, double rcond) {
  const std::int64_t n = a.shape()[1], k = b.shape()[1];
  std::vector<Array> made = record_factors(Lstsq{site_of("linalg.lstsq", kNoSvd, a), rcond}, {&a, &b},
                                           {{type, {n, k}}, {real_type(type), {k}}, {dtype::int32, {}}});
  return {made[0], made[1], made[2], singular_values_of(a)};
}

/// A matrix without elements: x is 0, and the residuals are b itself.
LeastSquares solve_nothing(const Array& a, const Array& b, dtype type) {
  Backend& backend = a.backend();
  const dtype real = real_type(type);
  const Array squares = apply(Op::square, real, apply(Op::absolute, type, b));
  ReduceArgs over_rows;
  over_rows.axes = Dims{0};
  return {zeros(Dims{a.shape()[1], b.shape()[1]}, type, 'C', backend), sum(squares, over_rows),
          zeros(Dims{}, dtype::int32, 'C', backend), zeros(Dims{0}, real, 'C', backend)};
}

}  // namespace

LeastSquares lstsq(const Array& a, const Array& b, std::optional<double> rcond) {
  const char* const function = "linalg.lstsq";
  const bool vector = b.ndim() == 1;
  const Array right = vector ? expand_dims(b, Dims{1}) : b;
  check_matrix(function, a);
  check_matrix(function, right);
  const std::int64_t m = a.shape()[0], n = a.shape()[1], k = right.shape()[1];
  if (m != right.shape()[0]) {
    throw LinAlgError("cuprum.linalg.lstsq: Incompatible dimensions: a has " + std::to_string(m) +
                      " rows, b " + std::to_string(right.shape()[0]));
  }
  const dtype type = linalg_type(function, {&a, &right}), real = real_type(type);
  const dtype wide = is_complex(type) ? dtype::complex128 : dtype::float64;
  const double epsilon = std::numeric_limits<double>::epsilon();
  const Array left = record_cast(a, wide);
  // Without a column LAPACK would tell neither rank nor singular values.
  const Array columns = k == 0 ? zeros(Dims{m, 1}, wide, 'C', a.backend()) : record_cast(right, wide);
  LeastSquares found =
      m == 0 || n == 0 ? solve_nothing(left, columns, wide)
                       : solve_least_squares(left, columns, wide,
                                             rcond.value_or(epsilon * static_cast<double>(std::max(m, n))));
  const auto first = [k](const Array& x, int axis) { return split(x, Dims{k}, axis)[0]; };
  if (k == 0) found = {first(found.x, 1), first(found.residuals, 0), found.rank, found.singular_values};
  if (m <= n || to_integer(found.rank) != n) found.residuals = zeros(Dims{0}, real, 'C', a.backend());
  if (vector) found.x = reshape(found.x, Dims{n});
  return {record_cast(found.x, type), record_cast(found.residuals, real), value_if_0d(found.rank),
          record_cast(found.singular_values, real)};
}

}  // namespace cuprum::ops
