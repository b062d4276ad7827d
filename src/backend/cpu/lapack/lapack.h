// LAPACK as overloads over the four dtypes that it knows. Matrices lie column by column, `ld` elements from column to column.
//
// Every function answers LAPACK's `info`: 0 is success, a positive number the routine's own kind of failure. Workspaces that a
// routine wants are taken by the wrapper. In a build without LAPACK they do nothing: whoever calls them asks `require` first.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

namespace cuprum::cpu::lapack {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;
template <class T>
using Complex = std::complex<Real<T>>;
template <class T>
inline constexpr bool kIsComplex = !std::is_same_v<T, Real<T>>;

/// Throws DeviceError where the build has no LAPACK, and ValueError where a side of a matrix is more than its integers count; both name
/// the function and what to do.
void require(const char* function, std::int64_t largest);

// clang-format off
#define CUPRUM_LAPACK_FUNCTIONS(T)                                                                            \
  /* LU with partial pivoting; info k: the k-th pivot is zero. */                                            \
  int getrf(int m, int n, T* a, int ld, int* pivots);                                                         \
  /* b = a^-1 b from getrf's factors. */                                                                      \
  int getrs(int n, int columns, const T* lu, int ld, const int* pivots, T* b, int ldb);                       \
  /* a = a^-1 from getrf's factors. */                                                                        \
  int getri(int n, T* lu, int ld, const int* pivots);                                                         \
  /* The triangle `uplo` of a becomes its Cholesky factor; info k: the minor of order k is not positive. */  \
  int potrf(char uplo, int n, T* a, int ld);                                                                  \
  int geqrf(int m, int n, T* a, int ld, T* tau);                                                              \
  /* The first `n` columns of the product of `k` reflectors. */                                              \
  int orgqr(int m, int n, int k, T* a, int ld, const T* tau);                                                 \
  /* c (m x n) = Q c, or Q^H c, where Q is the product of `k` reflectors. */                                  \
  int ormqr(bool adjoint, int m, int n, int k, const T* a, int ld, const T* tau, T* c, int ldc);              \
  /* An upper triangle's inverse, in its place; info k: element k of its diagonal is zero. */                 \
  int trtri(int n, T* r, int ld);                                                                             \
  /* b = R^-1 b, or R^-H b, for an upper triangle; info as trtri's. */                                        \
  int trtrs(bool adjoint, int n, int columns, const T* r, int ld, T* b, int ldb);                             \
  /* jobz A, S or N: all, the first min(m, n), or no singular vectors. */                                     \
  int gesdd(char jobz, int m, int n, T* a, int ld, Real<T>* s, T* u, int ldu, T* vt, int ldvt);               \
  /* jobz V: the eigenvectors replace a. */                                                                   \
  int syevd(char jobz, char uplo, int n, T* a, int ld, Real<T>* w);                                           \
  /* Eigenvalues, and right eigenvectors where v is not null. */                                              \
  int geev(int n, T* a, int ld, Complex<T>* w, Complex<T>* v);                                                \
  /* Least squares by the singular values; b has max(m, n) rows. */                                           \
  int gelsd(int m, int n, int columns, T* a, int lda, T* b, int ldb, Real<T>* s, Real<T> rcond, int* rank);
// clang-format on
CUPRUM_LAPACK_FUNCTIONS(float)
CUPRUM_LAPACK_FUNCTIONS(double)
CUPRUM_LAPACK_FUNCTIONS(std::complex<float>)
CUPRUM_LAPACK_FUNCTIONS(std::complex<double>)
#undef CUPRUM_LAPACK_FUNCTIONS

}  // namespace cuprum::cpu::lapack
