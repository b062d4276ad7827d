// Norms, condition numbers, ranks, pseudo-inverses, products of many matrices.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/linalg.h"
#include "ops/linalg_checks.h"
#include "ops/linalg_matrix.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"

namespace cuprum::ops {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

ReduceArgs over(const Dims& axes, bool keepdims = false) {
  ReduceArgs args;
  args.axes = axes;
  args.keepdims = keepdims;
  return args;
}

/// The maximum, 0 where there is nothing.
Array largest(const Array& a, const ReduceArgs& args) {
  ReduceArgs from_zero = args;
  from_zero.initial = Value::floating(0);
  return max(a, from_zero);
}

Array square_root(const Array& a) { return value_if_0d(unary(Op::sqrt, a)); }

/// |a|^2, by parts where it is complex.
Array squared_moduli(const Array& a) {
  const auto square = [](const Array& x) { return apply(Op::multiply, x.type(), x, x); };
  if (!is_complex(a.type())) return square(a);
  const Array re = square(real(a));
  return apply(Op::add, re.type(), re, square(imag(a)));
}

/// NumPy's vector norms along the axes.
Array norm_along(const char* function, const Array& a, const NormOrder& order, const ReduceArgs& args) {
  if (order.kind == NormOrder::Kind::word)
    throw ValueError(linalg_prefix(function) + "Invalid norm order '" + order.word + "' for vectors");
  if (order.kind == NormOrder::Kind::none || order.is(2)) return square_root(sum(squared_moduli(a), args));
  if (order.is(0)) {
    const Array zero_if = unary(Op::logical_not, a);
    return sum(record_cast(unary(Op::logical_not, zero_if), real_type(a.type())), args);
  }
  const Array sizes = unary(Op::absolute, a);
  if (order.is(kInfinity)) return largest(sizes, args);
  if (order.is(-kInfinity)) return min(sizes, args);
  if (order.is(1)) return sum(sizes, args);
  const Array powers = binary(Op::power, sizes, Value::floating(order.number));
  return value_if_0d(binary(Op::power, sum(powers, args), Value::floating(1 / order.number)));
}

/// Sums of moduli along one axis, then the extreme of them along the other.
Array sums_then(const Array& a, std::int64_t summed, std::int64_t other, bool greatest, bool keepdims) {
  const Array sums = sum(unary(Op::absolute, a), over(Dims{summed}, true));
  const Array found = greatest ? largest(sums, over(Dims{other}, true)) : min(sums, over(Dims{other}, true));
  return keepdims ? found : value_if_0d(squeeze(found, Dims{summed, other}));
}

/// `fold` of the singular values over two axes.
Array by_singular_values(const Array& a, std::int64_t row, std::int64_t column, bool keepdims,
                         Array (*fold)(const Array&, const ReduceArgs&)) {
  const Array s = svdvals(moveaxis(a, Dims{row, column}, Dims{-2, -1}));
  Array found = fold(s, over(Dims{-1}));
  if (!keepdims) return found;
  return expand_dims(found, row < column ? Dims{row, column} : Dims{column, row});
}

Array matrix_norm_over(const char* function, const Array& a, const NormOrder& order, const Dims& axes,
                       bool keepdims) {
  const std::int64_t row = normalize_axis(function, axes[0], a.ndim()),
                     column = normalize_axis(function, axes[1], a.ndim());
  if (row == column) throw ValueError(linalg_prefix(function) + "Duplicate axes given.");
  if (order.kind == NormOrder::Kind::none || order.says("fro") || order.says("f"))
    return square_root(sum(squared_moduli(a), over(Dims{row, column}, keepdims)));
  if (order.says("nuc")) return by_singular_values(a, row, column, keepdims, sum);
  if (order.is(2)) return by_singular_values(a, row, column, keepdims, largest);
  if (order.is(-2)) return by_singular_values(a, row, column, keepdims, min);
  if (order.is(1) || order.is(-1)) return sums_then(a, row, column, order.is(1), keepdims);
  if (order.is(kInfinity) || order.is(-kInfinity))
    return sums_then(a, column, row, order.is(kInfinity), keepdims);
  throw ValueError(linalg_prefix(function) +
                   "Invalid norm order for matrices; write None, 'fro', 'nuc', inf, -inf, 1, -1, 2 or -2");
}

Array inexact(const Array& a) {
  return is_floating(a.type()) || is_complex(a.type()) ? a : record_cast(a, dtype::float64);
}

Array norm_as(const char* function, const Array& given, const NormOrder& order,
              const std::optional<Dims>& axes, bool keepdims) {
  const Array a = inexact(given);
  const bool frobenius = a.ndim() == 2 && (order.says("fro") || order.says("f"));
  if (!axes && (order.kind == NormOrder::Kind::none || frobenius || (order.is(2) && a.ndim() == 1))) {
    ReduceArgs all;
    all.keepdims = keepdims;
    return square_root(sum(squared_moduli(a), all));
  }
  Dims over_axes;
  if (axes) over_axes = *axes;
  for (int d = 0; !axes && d < a.ndim(); ++d) over_axes.push_back(d);
  if (over_axes.size() == 1) return norm_along(function, a, order, over(over_axes, keepdims));
  if (over_axes.size() == 2) return matrix_norm_over(function, a, order, over_axes, keepdims);
  throw ValueError(linalg_prefix(function) + "Improper number of dimensions to norm: " +
                   std::to_string(over_axes.size()) + "; give one axis or two");
}

}  // namespace

Array norm(const Array& a, const NormOrder& order, const std::optional<Dims>& axes, bool keepdims) {
  return norm_as("linalg.norm", a, order, axes, keepdims);
}

Array matrix_norm(const Array& a, const NormOrder& order, bool keepdims) {
  return norm_as("linalg.matrix_norm", a, order, Dims{-2, -1}, keepdims);
}

Array vector_norm(const Array& a, const NormOrder& order, const std::optional<Dims>& axes, bool keepdims) {
  Dims all;
  for (int d = 0; d < a.ndim(); ++d) all.push_back(d);
  const Dims chosen = axes ? normalize_axes("linalg.vector_norm", *axes, a.ndim()) : all;
  return norm_along("linalg.vector_norm", inexact(a), order, over(chosen, keepdims));
}

Array cond(const Array& a, const NormOrder& order) {
  const char* const function = "linalg.cond";
  if (a.ndim() >= 2 && a.shape()[a.ndim() - 2] * a.shape().back() == 0)
    throw LinAlgError("cuprum.linalg.cond: cond is not defined on empty arrays");
  Array result;
  if (order.kind == NormOrder::Kind::none || order.is(2) || order.is(-2)) {
    check_stacked(function, a);
    const Array s = svdvals(a);
    const IndexItem first[] = {IndexItem::ellipsis(), IndexItem::at(0)},
                    last[] = {IndexItem::ellipsis(), IndexItem::at(-1)};
    const Array high = basic_index(s, first), low = basic_index(s, last);
    result = order.is(-2) ? apply(Op::divide, s.type(), low, high) : apply(Op::divide, s.type(), high, low);
  } else {
    check_square(function, a);
    const dtype type = linalg_type(function, {&a});
    const Array matrices = record_cast(a, type);
    const Array inverse = record_factors(Solve{site_of(function, "Singular matrix", a), true}, {&matrices},
                                         {{type, a.shape()}})[0];
    const Array x = matrix_norm_over(function, matrices, order, Dims{-2, -1}, false),
                y = matrix_norm_over(function, inverse, order, Dims{-2, -1}, false);
    result = apply(Op::multiply, x.type(), x, y);
  }
  // A singular matrix is as ill-conditioned as can be, unless it has NaN itself.
  const Array invalid = any(unary(Op::isnan, inexact(a)), over(Dims{-2, -1}));
  const Array singular = binary(Op::logical_and, unary(Op::isnan, result), unary(Op::logical_not, invalid));
  return value_if_0d(choose_by(singular, make_scalar(result.type(), kInfinity), result, result.type()));
}

Array matrix_rank(const Array& a, const Array* tol, bool hermitian, const Array* rtol) {
  if (tol && rtol) throw ValueError("cuprum.linalg.matrix_rank: `tol` and `rtol` can't be both set.");
  if (a.ndim() < 2) return value_if_0d(record_cast(any(a), dtype::int64));
  const Array s = svdvals(a, hermitian);
  if (tol) return count_nonzero(binary(Op::greater, s, expand_dims(*tol, Dims{-1})), over(Dims{-1}));
  const Array high = largest(s, over(Dims{-1}, true));
  const double epsilon = s.type() == dtype::float32 ? std::numeric_limits<float>::epsilon()
                                                    : std::numeric_limits<double>::epsilon();
  const auto side = static_cast<double>(std::max(a.shape()[a.ndim() - 2], a.shape().back()));
  const Array cut = rtol ? binary(Op::multiply, high, expand_dims(*rtol, Dims{-1}))
                         : binary(Op::multiply, high, Value::floating(side * epsilon));
  return count_nonzero(binary(Op::greater, s, cut), over(Dims{-1}));
}

Array pinv(const Array& a, const Array& rcond, bool hermitian) {
  const char* const function = "linalg.pinv";
  check_stacked(function, a);
  const std::int64_t m = a.shape()[a.ndim() - 2], n = a.shape().back();
  if (m * n == 0) return make_array(a.backend(), a.type(), with_core(stack_shape(a), {n, m}));
  // As in NumPy float32 is computed in float64: the usual rcond, 1e-15, means nothing in float32.
  const dtype type = linalg_type(function, {&a}),
              wide = is_complex(type) ? dtype::complex128 : dtype::float64;
  const Array matrices = record_cast(a, wide);
  const auto [u, s, vh] = svd(matrices, false, hermitian);
  const Array cut = binary(Op::multiply, expand_dims(rcond, Dims{-1}), max(s, over(Dims{-1}, true)));
  const Array zero = full(Dims{}, make_scalar(s.type(), std::int64_t{0}), 'C', a.backend());
  const Array inverses =
      choose_by(binary(Op::greater, s, cut), apply(Op::reciprocal, s.type(), s), zero, s.type());
  const auto conjugated = [wide](const Array& x) {
    return is_complex(wide) ? apply(Op::conjugate, wide, x) : x;
  };
  const Array scaled =
      apply(Op::multiply, wide, expand_dims(inverses, Dims{-1}), matrix_transpose(conjugated(u)));
  return record_cast(matmul(matrix_transpose(conjugated(vh)), scaled), type);
}

namespace {

/// Where to split the products i..j so that they take the fewest multiplications.
std::vector<std::vector<std::size_t>> chain_order(const std::vector<Array>& a) {
  const std::size_t n = a.size();
  const auto side = [&](std::size_t i) {
    return static_cast<double>(i < n ? a[i].shape()[0] : a[n - 1].shape()[1]);
  };
  std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0.0));
  std::vector<std::vector<std::size_t>> order(n, std::vector<std::size_t>(n, 0));
  for (std::size_t length = 1; length < n; ++length) {
    for (std::size_t i = 0; i + length < n; ++i) {
      const std::size_t j = i + length;
      cost[i][j] = kInfinity;
      for (std::size_t k = i; k < j; ++k) {
        const double q = cost[i][k] + cost[k + 1][j] + side(i) * side(k + 1) * side(j + 1);
        if (q >= cost[i][j]) continue;
        cost[i][j] = q;
        order[i][j] = k;
      }
    }
  }
  return order;
}

Array multiply_chain(const std::vector<Array>& a, const std::vector<std::vector<std::size_t>>& order,
                     std::size_t i, std::size_t j, const Array* out) {
  if (i == j) return a[i];
  const std::size_t k = order[i][j];
  return dot(multiply_chain(a, order, i, k, nullptr), multiply_chain(a, order, k + 1, j, nullptr), out);
}

}  // namespace

Array multi_dot(std::span<const Array> arrays, const Array* out) {
  const std::size_t n = arrays.size();
  if (n < 2) throw ValueError("cuprum.linalg.multi_dot: Expecting at least two arrays.");
  if (n == 2) return dot(arrays[0], arrays[1], out);
  std::vector<Array> matrices(arrays.begin(), arrays.end());
  const bool row = matrices[0].ndim() == 1, column = matrices[n - 1].ndim() == 1;
  if (row) matrices[0] = expand_dims(matrices[0], Dims{0});
  if (column) matrices[n - 1] = expand_dims(matrices[n - 1], Dims{1});
  for (const Array& a : matrices) check_matrix("linalg.multi_dot", a);
  const Array product = multiply_chain(matrices, chain_order(matrices), 0, n - 1, out);
  if (row && column) return value_if_0d(record_copy(reshape(product, Dims{}), product.type()));
  return row || column ? ravel(product) : product;
}

}  // namespace cuprum::ops
