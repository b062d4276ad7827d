// Products of vectors and matrices, and linear algebra (namespace linalg), as numpy.linalg has it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cuprum/options.h"

namespace cuprum {

/// Matrix product over the last two dimensions; leading ones broadcast.
array matmul(const array& a, const array& b);
/// NumPy's dot: inner product of vectors, matrix product of matrices.
array dot(const array& a, const array& b);
/// Products of all pairs of elements of the flattened arrays.
array outer(const array& a, const array& b);
/// Sum of products over the last axes.
array inner(const array& a, const array& b);
/// Dot product of the flattened arrays, the first one conjugated.
array vdot(const array& a, const array& b);
/// Dot products along the last axis of stacks of vectors, the first ones conjugated.
array vecdot(const array& a, const array& b);
/// Products of stacks of matrices with stacks of vectors.
array matvec(const array& a, const array& b);
/// Products of stacks of vectors, which are conjugated, with stacks of matrices.
array vecmat(const array& a, const array& b);
/// Kronecker product: blocks of `b`, each times an element of `a`.
array kron(const array& a, const array& b);
/// Axes of cross products: of both operands and of the result.
struct cross_options {
  by_name named = by_name();
  std::int64_t axisa = -1, axisb = -1, axisc = -1;  // of the components
  std::optional<std::int64_t> axis = {};            // of all three
};
/// Cross products of vectors of two or three components.
array cross(const array& a, const array& b, const cross_options& options = {});
/// Sum of products over the last `axes` of a and the first of b.
array tensordot(const array& a, const array& b, std::int64_t axes = 2);
/// Sums of products over labelled axes: einsum("ij,jk->ik", {a, b}) is a matrix product. Three operands and more are contracted in
/// pairs, the one first that saves most memory.
array einsum(const std::string& subscripts, const std::vector<array>& operands);

/// The steps in which einsum contracts its operands: places in the list that is left, to which each result is appended.
std::vector<std::vector<std::size_t>> einsum_path(const std::string& subscripts,
                                                  const std::vector<array>& operands);

/// The last two dimensions are a matrix, those before it a stack of them. A matrix that cannot be treated throws LinAlgError: in the
/// call, or on an asynchronous device where it is next waited for.
namespace linalg {

/// x with matmul(a, x) == b; a one-dimensional b is a vector for each matrix.
array solve(const array& a, const array& b);
array inv(const array& a);
array tensorsolve(const array& a, const array& b, const axes_type& axes = {});
array tensorinv(const array& a, std::int64_t ind = 2);
/// Singular values up to rcond times the largest count as zero.
array pinv(const array& a, double rcond = 1e-15, bool hermitian = false);
array matrix_power(const array& a, std::int64_t n);
/// The triangular factor of positive definite matrices, of which that triangle is read.
array cholesky(const array& a, bool upper = false);
array det(const array& a);

/// Sign and logarithm of a determinant.
struct slogdet_result {
  array sign, logabsdet;
};
slogdet_result slogdet(const array& a);

/// The solution of least squares, with what is known of the matrix.
struct lstsq_result {
  array x, residuals, rank, singular_values;
};
/// Least squares of one matrix. `rcond` left out: float64's epsilon times the larger side.
lstsq_result lstsq(const array& a, const array& b, std::optional<double> rcond = std::nullopt);

/// The factors of qr.
struct qr_result {
  array q, r;
};
/// "reduced", "complete" or "raw" (LAPACK's reflectors, transposed, and their factors).
qr_result qr(const array& a, const std::string& mode = "reduced");
/// r alone.
array qr_r(const array& a);

/// The factors of svd.
struct svd_result {
  array u, s, vh;
};
svd_result svd(const array& a, bool full_matrices = true, bool hermitian = false);
/// Singular values, falling.
array svdvals(const array& a, bool hermitian = false);

/// Eigenvalues, and the eigenvectors as columns.
struct eig_result {
  array eigenvalues, eigenvectors;
};
/// Complex, whatever the matrices are. The call waits: it refuses infinities and NaN.
eig_result eig(const array& a);
array eigvals(const array& a);
/// Of Hermitian matrices, of which one triangle is read, the lower one unless `lower` is false; rising.
eig_result eigh(const array& a, bool lower = true);
array eigvalsh(const array& a, bool lower = true);

/// What a norm is asked for: nothing (2, Frobenius), a number, infinity too, or "fro" or "nuc".
class norm_order {
 public:
  norm_order() = default;
  norm_order(double number) : number_(number) {}
  norm_order(const char* word) : word_(word) {}
  const std::optional<double>& number() const { return number_; }
  const std::string& word() const { return word_; }

 private:
  std::optional<double> number_;
  std::string word_;
};
/// Of vectors along one axis or matrices over two; without axes, of all elements or of the one matrix.
array norm(const array& a, const norm_order& order = {}, const axes_type& axes = {}, bool keepdims = false);
array matrix_norm(const array& a, const norm_order& order = "fro", bool keepdims = false);
/// Along all of `axes` at once; without axes, of all elements.
array vector_norm(const array& a, const norm_order& order = 2.0, const axes_type& axes = {},
                  bool keepdims = false);
array cond(const array& a, const norm_order& order = {});
/// How many singular values are greater than `tol`; left out: the larger side times epsilon times the largest.
array matrix_rank(const array& a, std::optional<double> tol = std::nullopt, bool hermitian = false);
/// The product in the order that takes the fewest multiplications.
array multi_dot(const std::vector<array>& arrays);

}  // namespace linalg

}  // namespace cuprum
