// Linear algebra of matrices: numpy.linalg's functions over stacks, the last two dimensions being the matrix.
//
// What can fail by its values (a singular matrix) throws LinAlgError in the call on a device that computes at once; an asynchronous
// one tells where it is next waited for. Everything else is checked in the call and recorded. float32 and complex64 are
// computed in their own precision, integers and bool in float64; float16 and bfloat16 are refused.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

// -- Equations (linalg_solve.cpp).

/// b one-dimensional: a vector for each matrix.
Array solve(const Array& a, const Array& b);
Array inv(const Array& a);
Array tensorsolve(const Array& a, const Array& b, const std::optional<Dims>& axes = std::nullopt);
Array tensorinv(const Array& a, std::int64_t ind = 2);
Array matrix_power(const Array& a, std::int64_t n);
Array cholesky(const Array& a, bool upper = false);
Array det(const Array& a);
struct Slogdet {
  Array sign, log;
};
Slogdet slogdet(const Array& a);
struct LeastSquares {
  Array x, residuals, rank, singular_values;
};
/// `rcond` unset: float64's epsilon times the larger side. float32 is computed in float64, as in NumPy: the cut-off is meant so.
LeastSquares lstsq(const Array& a, const Array& b, std::optional<double> rcond = std::nullopt);

// -- Factors (linalg_factor.cpp).

struct QrFactors {
  Array q, r;  // mode r: no q; raw: the transposed reflectors and their factors
};
/// "reduced", "complete", "r" or "raw".
QrFactors qr(const Array& a, const std::string& mode = "reduced");
struct SvdFactors {
  Array u, s, vh;
};
SvdFactors svd(const Array& a, bool full_matrices = true, bool hermitian = false);
Array svdvals(const Array& a, bool hermitian = false);
struct Eigen {
  Array values, vectors;
};
Eigen eigh(const Array& a, bool lower = true);
Array eigvalsh(const Array& a, bool lower = true);
/// Real where no eigenvalue has an imaginary part: the call waits for the values.
Eigen eig(const Array& a);
Array eigvals(const Array& a);

// -- Norms and what rests on singular values (linalg_norm.cpp).

/// None, a number or a word.
struct NormOrder {
  enum class Kind : std::uint8_t { none, number, word };
  Kind kind = Kind::none;
  double number = 0;
  std::string word;

  bool is(double value) const { return kind == Kind::number && number == value; }
  bool says(const char* text) const { return kind == Kind::word && word == text; }
};
Array norm(const Array& a, const NormOrder& order = {}, const std::optional<Dims>& axes = std::nullopt,
           bool keepdims = false);
Array matrix_norm(const Array& a, const NormOrder& order, bool keepdims = false);
/// Over all `axes` at once; unset: over all elements.
Array vector_norm(const Array& a, const NormOrder& order, const std::optional<Dims>& axes, bool keepdims);
Array cond(const Array& a, const NormOrder& order = {});
/// `tol` absolute or `rtol` relative to the largest singular value, each broadcast over the stack; neither: rtol of the larger side
/// times epsilon.
Array matrix_rank(const Array& a, const Array* tol = nullptr, bool hermitian = false,
                  const Array* rtol = nullptr);
/// Singular values up to rcond (broadcast over the stack) times the largest count as zero.
Array pinv(const Array& a, const Array& rcond, bool hermitian = false);
/// The product in the order that takes the fewest multiplications.
Array multi_dot(std::span<const Array> arrays, const Array* out = nullptr);

}  // namespace cuprum::ops
