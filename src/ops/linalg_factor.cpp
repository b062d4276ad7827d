// Factors: QR, singular values, eigenvalues.
#include <algorithm>

#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/linalg_checks.h"
#include "ops/linalg_matrix.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/search.h"
#include "ops/sort.h"

namespace cuprum::ops {

namespace {

QrMode qr_mode(const std::string& mode) {
  if (mode == "reduced") return QrMode::reduced;
  if (mode == "complete") return QrMode::complete;
  if (mode == "r") return QrMode::r;
  if (mode == "raw") return QrMode::raw;
  throw ValueError("cuprum.linalg.qr: Unrecognized mode '" + mode +
                   "'; write 'reduced', 'complete', 'r' or 'raw'");
}

}  // namespace

QrFactors qr(const Array& a, const std::string& mode) {
  const QrMode kind = qr_mode(mode);
  check_stacked("linalg.qr", a);
  const dtype type = linalg_type("linalg.qr", {&a});
  const Dims stack = stack_shape(a);
  const std::int64_t m = a.shape()[a.ndim() - 2], n = a.shape().back(), k = std::min(m, n);
  const Array matrices = record_cast(a, type);
  const std::int64_t inner = kind == QrMode::complete ? m : k;
  const Made q{type, with_core(stack, {m, inner})}, r{type, with_core(stack, {inner, n})};
  if (kind == QrMode::r) return {Array(), record_factors(Qr{kind}, {&matrices}, {r})[0]};
  if (kind == QrMode::complete && k == 0)  // nothing to reflect
    return {identities(stack, m, type, a.backend()), make_array(a.backend(), type, r.shape)};
  const Made reflectors{type, with_core(stack, {n, m})}, factors{type, with_core(stack, {k})};
  std::vector<Array> made = kind == QrMode::raw ? record_factors(Qr{kind}, {&matrices}, {reflectors, factors})
                                                : record_factors(Qr{kind}, {&matrices}, {q, r});
  return {made[0], made[1]};
}

// -- Singular values.

namespace {

constexpr const char* kNoSvd = "SVD did not converge";
constexpr const char* kNoEigenvalues = "Eigenvalues did not converge";

/// Of Hermitian matrices: the moduli of the eigenvalues, falling.
SvdFactors hermitian_svd(const Array& a) {
  const Eigen eigen = eigh(a);
  const dtype real = eigen.values.type(), type = eigen.vectors.type();
  const Array sizes = apply(Op::absolute, real, eigen.values);
  const Array order = flip(argsort(sizes, -1), Dims{-1});
  const Array signs = apply(Op::copysign, real, Input(make_scalar(real, std::int64_t{1})), eigen.values);
  const Array column_order = expand_dims(order, Dims{-2});
  const Array u = take_along_axis(eigen.vectors, column_order, -1);
  const Array turned = apply(Op::multiply, type, u, expand_dims(take_along_axis(signs, order, -1), Dims{-2}));
  const Array vh = matrix_transpose(is_complex(type) ? apply(Op::conjugate, type, turned) : turned);
  return {u, take_along_axis(sizes, order, -1), vh};
}

}  // namespace

SvdFactors svd(const Array& a, bool full_matrices, bool hermitian) {
  if (hermitian) return hermitian_svd(a);
  check_stacked("linalg.svd", a);
  const dtype type = linalg_type("linalg.svd", {&a}), real = real_type(type);
  const Dims stack = stack_shape(a);
  const std::int64_t m = a.shape()[a.ndim() - 2], n = a.shape().back(), k = std::min(m, n);
  if (k == 0 && full_matrices) {  // no singular values: any orthogonal matrices
    return {identities(stack, m, type, a.backend()), make_array(a.backend(), real, with_core(stack, {0})),
            identities(stack, n, type, a.backend())};
  }
  const Array matrices = record_cast(a, type);
  std::vector<Array> made =
      record_factors(Svd{site_of("linalg.svd", kNoSvd, a), true, full_matrices}, {&matrices},
                     {{real, with_core(stack, {k})},
                      {type, with_core(stack, {m, full_matrices ? m : k})},
                      {type, with_core(stack, {full_matrices ? n : k, n})}});
  return {made[1], made[0], made[2]};
}

Array svdvals(const Array& a, bool hermitian) {
  if (hermitian) {
    const Array values = eigvalsh(a);
    return flip(sort(apply(Op::absolute, values.type(), values), -1), Dims{-1});
  }
  check_stacked("linalg.svd", a);
  const dtype type = linalg_type("linalg.svd", {&a}), real = real_type(type);
  const std::int64_t k = std::min(a.shape()[a.ndim() - 2], a.shape().back());
  const Array matrices = record_cast(a, type);
  return record_factors(Svd{site_of("linalg.svd", kNoSvd, a), false, false}, {&matrices},
                        {{real, with_core(stack_shape(a), {k})}})[0];
}

// -- Eigenvalues.

Eigen eigh(const Array& a, bool lower) {
  check_square("linalg.eigh", a);
  const dtype type = linalg_type("linalg.eigh", {&a});
  const Array matrices = record_cast(a, type);
  std::vector<Array> made =
      record_factors(Eigh{site_of("linalg.eigh", kNoEigenvalues, a), true, lower}, {&matrices},
                     {{real_type(type), with_core(stack_shape(a), {a.shape().back()})}, {type, a.shape()}});
  return {made[0], made[1]};
}

Array eigvalsh(const Array& a, bool lower) {
  check_square("linalg.eigvalsh", a);
  const dtype type = linalg_type("linalg.eigvalsh", {&a});
  const Array matrices = record_cast(a, type);
  return record_factors(Eigh{site_of("linalg.eigvalsh", kNoEigenvalues, a), false, lower}, {&matrices},
                        {{real_type(type), with_core(stack_shape(a), {a.shape().back()})}})[0];
}

namespace {

dtype complex_type(dtype type) {
  return real_type(type) == dtype::float32 ? dtype::complex64 : dtype::complex128;
}

/// The matrices to find eigenvalues of, checked.
Array general_matrices(const char* function, const Array& a) {
  check_square(function, a);
  const Array matrices = record_cast(a, linalg_type(function, {&a}));
  if (a.size() != 0 && !to_truth(all(unary(Op::isfinite, matrices))))
    throw LinAlgError(linalg_prefix(function) + "Array must not contain infs or NaNs");
  return matrices;
}

}  // namespace

Eigen eig(const Array& a) {
  const Array matrices = general_matrices("linalg.eig", a);
  const dtype type = complex_type(matrices.type());
  std::vector<Array> made =
      record_factors(Eig{site_of("linalg.eig", kNoEigenvalues, a), true}, {&matrices},
                     {{type, with_core(stack_shape(a), {a.shape().back()})}, {type, a.shape()}});
  return {made[0], made[1]};
}

Array eigvals(const Array& a) {
  const Array matrices = general_matrices("linalg.eigvals", a);
  const dtype type = complex_type(matrices.type());
  return record_factors(Eig{site_of("linalg.eigvals", kNoEigenvalues, a), false}, {&matrices},
                        {{type, with_core(stack_shape(a), {a.shape().back()})}})[0];
}

}  // namespace cuprum::ops
