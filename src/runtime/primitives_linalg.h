// The primitives of linear algebra, included by primitives.h. All take stacks: the last two dimensions are the matrix, those before
// it agree between operands and results (operands may repeat along them: stride 0). One of float32, float64, complex64 and
// complex128 throughout, and no matrix is empty; "real" is float32 or float64, "complex" complex64 or complex128. Results lie in C order.
//
// A matrix that cannot be treated is a Fault with its number in the stack; results are then unspecified, unless `quiet` asks for
// NaN instead.
#pragma once

namespace cuprum {

/// in: a (n, n), b (n, k). out = a^-1 b. Without b: a^-1.
struct Solve {
  MatrixSite site;
  bool quiet = false;
};
/// in: a (n, n). out: the determinant; `log`: its sign (of modulus 1, or 0) and the logarithm of its modulus (real).
struct Determinant {
  static constexpr bool several = true;
  bool log;
};
/// in: a (n, n), of which one triangle is read. out: the factor in that triangle, zeros in the other one.
struct Cholesky {
  MatrixSite site;
  bool upper;
};
/// What Qr gives for a matrix (m, n), with k = min(m, n).
enum class QrMode : std::uint8_t {
  reduced,   // q (m, k), r (k, n)
  complete,  // q (m, m), r (m, n)
  r,         // r (k, n)
  raw,       // the reflectors, transposed (n, m), and their factors (k)
};
struct Qr {
  static constexpr bool several = true;
  QrMode mode;
};
/// in: a (m, n). out: s (k), real and falling; with `vectors` also u (m, k) and vh (k, n), or (m, m) and (n, n) where `full`.
struct Svd {
  static constexpr bool several = true;
  MatrixSite site;
  bool vectors, full;
};
/// in: a (n, n), Hermitian, of which one triangle is read. out: the eigenvalues (n), real and rising; with `vectors` also v (n, n).
struct Eigh {
  static constexpr bool several = true;
  MatrixSite site;
  bool vectors, lower;
};
/// in: a (n, n). out: the eigenvalues (n), complex; with `vectors` also v (n, n), complex.
struct Eig {
  static constexpr bool several = true;
  MatrixSite site;
  bool vectors;
};
/// in: a (m, n), b (m, k). out: x (n, k), the sums of squares of the residuals (k, real) and the rank (int32, no dimension).
/// Singular values up to rcond times the largest count as zero. The residuals are meant where the
/// rank is n and m > n.
struct Lstsq {
  static constexpr bool several = true;
  MatrixSite site;
  double rcond;
};

#define CUPRUM_LINALG_PRIMITIVES(X) X(Solve) X(Determinant) X(Cholesky) X(Qr) X(Svd) X(Eigh) X(Eig) X(Lstsq)

}  // namespace cuprum
