// The public namespace linalg: each is the function of the same name in src/ops.
#include "cuprum/linalg.h"

#include "api/handle.h"
#include "core/scalar.h"
#include "ops/creation.h"
#include "ops/linalg_matrix.h"

namespace cuprum::linalg {

namespace {

const Array& of(const array& a) { return a.implementation(); }

ops::NormOrder to_order(const norm_order& order) {
  using Kind = ops::NormOrder::Kind;
  if (order.number()) return {Kind::number, *order.number(), {}};
  return {order.word().empty() ? Kind::none : Kind::word, 0, order.word()};
}

Array number(double value, const array& near) {
  return ops::full(Dims{}, Scalar::of(dtype::float64, value), 'C', of(near).backend());
}

}  // namespace

array solve(const array& a, const array& b) { return array(ops::solve(of(a), of(b))); }
array inv(const array& a) { return array(ops::inv(of(a))); }
array tensorsolve(const array& a, const array& b, const axes_type& axes) {
  return array(ops::tensorsolve(of(a), of(b), to_axes(axes)));
}
array tensorinv(const array& a, std::int64_t ind) { return array(ops::tensorinv(of(a), ind)); }
array pinv(const array& a, double rcond, bool hermitian) {
  return array(ops::pinv(of(a), number(rcond, a), hermitian));
}
array matrix_power(const array& a, std::int64_t n) { return array(ops::matrix_power(of(a), n)); }
array cholesky(const array& a, bool upper) { return array(ops::cholesky(of(a), upper)); }
array det(const array& a) { return array(ops::det(of(a))); }
slogdet_result slogdet(const array& a) {
  const auto [sign, log] = ops::slogdet(of(a));
  return {array(sign), array(log)};
}
lstsq_result lstsq(const array& a, const array& b, std::optional<double> rcond) {
  const auto [x, residuals, rank, values] = ops::lstsq(of(a), of(b), rcond);
  return {array(x), array(residuals), array(rank), array(values)};
}

qr_result qr(const array& a, const std::string& mode) {
  if (mode == "r") throw ValueError("cuprum.linalg.qr: mode 'r' has one result; write qr_r(a)");
  const auto [q, r] = ops::qr(of(a), mode);
  return {array(q), array(r)};
}
array qr_r(const array& a) { return array(ops::qr(of(a), "r").r); }
svd_result svd(const array& a, bool full_matrices, bool hermitian) {
  const auto [u, s, vh] = ops::svd(of(a), full_matrices, hermitian);
  return {array(u), array(s), array(vh)};
}
array svdvals(const array& a, bool hermitian) { return array(ops::svdvals(of(a), hermitian)); }
eig_result eig(const array& a) {
  const auto [values, vectors] = ops::eig(of(a));
  return {array(values), array(vectors)};
}
array eigvals(const array& a) { return array(ops::eigvals(of(a))); }
eig_result eigh(const array& a, bool lower) {
  const auto [values, vectors] = ops::eigh(of(a), lower);
  return {array(values), array(vectors)};
}
array eigvalsh(const array& a, bool lower) { return array(ops::eigvalsh(of(a), lower)); }

array norm(const array& a, const norm_order& order, const axes_type& axes, bool keepdims) {
  return array(ops::norm(of(a), to_order(order), to_axes(axes), keepdims));
}
array matrix_norm(const array& a, const norm_order& order, bool keepdims) {
  return array(ops::matrix_norm(of(a), to_order(order), keepdims));
}
array vector_norm(const array& a, const norm_order& order, const axes_type& axes, bool keepdims) {
  return array(ops::vector_norm(of(a), to_order(order), to_axes(axes), keepdims));
}
array cond(const array& a, const norm_order& order) { return array(ops::cond(of(a), to_order(order))); }
array matrix_rank(const array& a, std::optional<double> tol, bool hermitian) {
  if (!tol) return array(ops::matrix_rank(of(a), nullptr, hermitian));
  const Array bound = number(*tol, a);
  return array(ops::matrix_rank(of(a), &bound, hermitian));
}
array multi_dot(const std::vector<array>& arrays) { return array(ops::multi_dot(to_arrays(arrays))); }

}  // namespace cuprum::linalg
