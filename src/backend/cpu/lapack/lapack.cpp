#include "backend/cpu/lapack/lapack.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "backend/cpu/blas.h"
#include "backend/cpu/blas_library.h"
#include "backend/cpu/scratch.h"
#include "cuprum/error.h"

#ifdef CUPRUM_HAS_CBLAS
// Fortran's names and ABI, declared here so that no header of LAPACK is needed; lengths of strings come last.
extern "C" {
#define CUPRUM_DECLARE(p, T)                                                                                \
  void CUPRUM_BLAS_NAME(p##getrf_)(const int*, const int*, T*, const int*, int*, int*);                     \
  void CUPRUM_BLAS_NAME(p##getrs_)(const char*, const int*, const int*, const T*, const int*, const int*,   \
                                   T*, const int*, int*, std::size_t);                                      \
  void CUPRUM_BLAS_NAME(p##getri_)(const int*, T*, const int*, const int*, T*, const int*, int*);           \
  void CUPRUM_BLAS_NAME(p##potrf_)(const char*, const int*, T*, const int*, int*, std::size_t);             \
  void CUPRUM_BLAS_NAME(p##geqrf_)(const int*, const int*, T*, const int*, T*, T*, const int*, int*);       \
  void CUPRUM_BLAS_NAME(p##trtri_)(const char*, const char*, const int*, T*, const int*, int*, std::size_t, \
                                   std::size_t);                                                            \
  void CUPRUM_BLAS_NAME(p##trtrs_)(const char*, const char*, const char*, const int*, const int*, const T*, \
                                   const int*, T*, const int*, int*, std::size_t, std::size_t, std::size_t);
CUPRUM_DECLARE(s, float)
CUPRUM_DECLARE(d, double)
CUPRUM_DECLARE(c, std::complex<float>)
CUPRUM_DECLARE(z, std::complex<double>)
#undef CUPRUM_DECLARE
#define CUPRUM_DECLARE_Q(p, T)                                                                            \
  void CUPRUM_BLAS_NAME(p##gqr_)(const int*, const int*, const int*, T*, const int*, const T*, T*,        \
                                 const int*, int*);                                                       \
  void CUPRUM_BLAS_NAME(p##mqr_)(const char*, const char*, const int*, const int*, const int*, const T*,  \
                                 const int*, const T*, T*, const int*, T*, const int*, int*, std::size_t, \
                                 std::size_t);
CUPRUM_DECLARE_Q(sor, float)
CUPRUM_DECLARE_Q(dor, double)
CUPRUM_DECLARE_Q(cun, std::complex<float>)
CUPRUM_DECLARE_Q(zun, std::complex<double>)
#undef CUPRUM_DECLARE_Q
#define CUPRUM_DECLARE_REAL(p, R)                                                                            \
  void CUPRUM_BLAS_NAME(p##gesdd_)(const char*, const int*, const int*, R*, const int*, R*, R*, const int*,  \
                                   R*, const int*, R*, const int*, int*, int*, std::size_t);                 \
  void CUPRUM_BLAS_NAME(p##syevd_)(const char*, const char*, const int*, R*, const int*, R*, R*, const int*, \
                                   int*, const int*, int*, std::size_t, std::size_t);                        \
  void CUPRUM_BLAS_NAME(p##geev_)(const char*, const char*, const int*, R*, const int*, R*, R*, R*,          \
                                  const int*, R*, const int*, R*, const int*, int*, std::size_t,             \
                                  std::size_t);                                                              \
  void CUPRUM_BLAS_NAME(p##gelsd_)(const int*, const int*, const int*, R*, const int*, R*, const int*, R*,   \
                                   const R*, int*, R*, const int*, int*, int*);
CUPRUM_DECLARE_REAL(s, float)
CUPRUM_DECLARE_REAL(d, double)
#undef CUPRUM_DECLARE_REAL
#define CUPRUM_DECLARE_COMPLEX(p, R, T)                                                                      \
  void CUPRUM_BLAS_NAME(p##gesdd_)(const char*, const int*, const int*, T*, const int*, R*, T*, const int*,  \
                                   T*, const int*, T*, const int*, R*, int*, int*, std::size_t);             \
  void CUPRUM_BLAS_NAME(p##heevd_)(const char*, const char*, const int*, T*, const int*, R*, T*, const int*, \
                                   R*, const int*, int*, const int*, int*, std::size_t, std::size_t);        \
  void CUPRUM_BLAS_NAME(p##geev_)(const char*, const char*, const int*, T*, const int*, T*, T*, const int*,  \
                                  T*, const int*, T*, const int*, R*, int*, std::size_t, std::size_t);       \
  void CUPRUM_BLAS_NAME(p##gelsd_)(const int*, const int*, const int*, T*, const int*, T*, const int*, R*,   \
                                   const R*, int*, T*, const int*, R*, int*, int*);
CUPRUM_DECLARE_COMPLEX(c, float, std::complex<float>)
CUPRUM_DECLARE_COMPLEX(z, double, std::complex<double>)
#undef CUPRUM_DECLARE_COMPLEX
}

namespace cuprum::cpu::lapack {

namespace {

/// The length that a routine asks for, told as the first element of its workspace. float32 counts to 2^24 exactly and rounds
/// down beyond: the next number is enough.
template <class T>
int told_length(T first) {
  const Real<T> length = std::real(first);
  return std::max(1, static_cast<int>(std::nextafter(length, length * 2)));
}

/// Calls f(work, length): once to be told the length, once with so much memory.
template <class T, class F>
int with_work(F&& f) {
  T wanted{};
  if (const int info = f(&wanted, -1); info != 0) return info;
  const int length = told_length(wanted);
  const Scratch<T> work(length);
  return f(work.data(), length);
}

}  // namespace

void require(const char* function, std::int64_t largest) {
  if (const std::string& problem = blas_problem(); !problem.empty()) {
    throw DeviceError(std::string("cuprum.") + function + ": LAPACK cannot be opened: " + problem +
                      "; install OpenBLAS (scipy-openblas32 from PyPI for a wheel, libopenblas0 for a Debian "
                      "package)");
  }
  if (largest <= 0x7fffffff) return;
  throw ValueError(std::string("cuprum.") + function + ": a matrix with a side of " +
                   std::to_string(largest) + ", more than LAPACK can count (2^31 - 1)");
}

#define CUPRUM_DEFINE(p, q, T)                                                                            \
  int getrf(int m, int n, T* a, int ld, int* pivots) {                                                    \
    int info = 0;                                                                                         \
    CUPRUM_BLAS(p##getrf_)(&m, &n, a, &ld, pivots, &info);                                                \
    return info;                                                                                          \
  }                                                                                                       \
  int getrs(int n, int columns, const T* lu, int ld, const int* pivots, T* b, int ldb) {                  \
    int info = 0;                                                                                         \
    CUPRUM_BLAS(p##getrs_)("N", &n, &columns, lu, &ld, pivots, b, &ldb, &info, 1);                        \
    return info;                                                                                          \
  }                                                                                                       \
  int getri(int n, T* lu, int ld, const int* pivots) {                                                    \
    return with_work<T>([&](T* work, int length) {                                                        \
      int info = 0;                                                                                       \
      CUPRUM_BLAS(p##getri_)(&n, lu, &ld, pivots, work, &length, &info);                                  \
      return info;                                                                                        \
    });                                                                                                   \
  }                                                                                                       \
  int potrf(char uplo, int n, T* a, int ld) {                                                             \
    int info = 0;                                                                                         \
    CUPRUM_BLAS(p##potrf_)(&uplo, &n, a, &ld, &info, 1);                                                  \
    return info;                                                                                          \
  }                                                                                                       \
  int geqrf(int m, int n, T* a, int ld, T* tau) {                                                         \
    return with_work<T>([&](T* work, int length) {                                                        \
      int info = 0;                                                                                       \
      CUPRUM_BLAS(p##geqrf_)(&m, &n, a, &ld, tau, work, &length, &info);                                  \
      return info;                                                                                        \
    });                                                                                                   \
  }                                                                                                       \
  int orgqr(int m, int n, int k, T* a, int ld, const T* tau) {                                            \
    return with_work<T>([&](T* work, int length) {                                                        \
      int info = 0;                                                                                       \
      CUPRUM_BLAS(q##gqr_)(&m, &n, &k, a, &ld, tau, work, &length, &info);                                \
      return info;                                                                                        \
    });                                                                                                   \
  }                                                                                                       \
  int ormqr(bool adjoint, int m, int n, int k, const T* a, int ld, const T* tau, T* c, int ldc) {         \
    const char* const operation = !adjoint ? "N" : kIsComplex<T> ? "C" : "T";                             \
    return with_work<T>([&](T* work, int length) {                                                        \
      int info = 0;                                                                                       \
      CUPRUM_BLAS(q##mqr_)("L", operation, &m, &n, &k, a, &ld, tau, c, &ldc, work, &length, &info, 1, 1); \
      return info;                                                                                        \
    });                                                                                                   \
  }                                                                                                       \
  int trtri(int n, T* r, int ld) {                                                                        \
    int info = 0;                                                                                         \
    CUPRUM_BLAS(p##trtri_)("U", "N", &n, r, &ld, &info, 1, 1);                                            \
    return info;                                                                                          \
  }                                                                                                       \
  int trtrs(bool adjoint, int n, int columns, const T* r, int ld, T* b, int ldb) {                        \
    int info = 0;                                                                                         \
    CUPRUM_BLAS(p##trtrs_)("U", adjoint ? "C" : "N", "N", &n, &columns, r, &ld, b, &ldb, &info, 1, 1, 1); \
    return info;                                                                                          \
  }
CUPRUM_DEFINE(s, sor, float)
CUPRUM_DEFINE(d, dor, double)
CUPRUM_DEFINE(c, cun, std::complex<float>)
CUPRUM_DEFINE(z, zun, std::complex<double>)
#undef CUPRUM_DEFINE

namespace {

/// gelsd asks for real and integer workspaces by a formula that LAPACK's query answers as well.
template <class T, class R, class F>
int with_three_works(F&& f) {
  T wanted{};
  R real_wanted{};
  int integer_wanted = 0;
  if (const int info = f(&wanted, -1, &real_wanted, &integer_wanted); info != 0) return info;
  const int length = told_length(wanted);
  const Scratch<T> work(length);
  const Scratch<R> real_work(told_length(real_wanted));
  const Scratch<int> integers(std::max(1, integer_wanted));
  return f(work.data(), length, real_work.data(), integers.data());
}

/// Real eigenvectors come in pairs: v[j] + i v[j + 1] and its conjugate where the eigenvalue has an imaginary part.
template <class R>
void join_pairs(int n, const R* re, const R* im, const R* columns, std::complex<R>* w, std::complex<R>* v) {
  for (int j = 0; j < n; ++j) w[j] = {re[j], im[j]};
  if (!v) return;
  for (int j = 0; j < n; ++j) {
    const R* const first = columns + static_cast<std::int64_t>(j) * n;
    std::complex<R>* const to = v + static_cast<std::int64_t>(j) * n;
    if (im[j] == 0 || j + 1 == n) {
      for (int i = 0; i < n; ++i) to[i] = first[i];
      continue;
    }
    for (int i = 0; i < n; ++i) {
      to[i] = {first[i], first[n + i]};
      to[n + i] = {first[i], -first[n + i]};
    }
    ++j;
  }
}

}  // namespace

#define CUPRUM_DEFINE_REAL(p, R)                                                                        \
  int gesdd(char jobz, int m, int n, R* a, int ld, R* s, R* u, int ldu, R* vt, int ldvt) {              \
    const Scratch<int> integers(8 * std::max(1, std::min(m, n)));                                       \
    return with_work<R>([&](R* work, int length) {                                                      \
      int info = 0;                                                                                     \
      CUPRUM_BLAS(p##gesdd_)                                                                            \
      (&jobz, &m, &n, a, &ld, s, u, &ldu, vt, &ldvt, work, &length, integers.data(), &info, 1);         \
      return info;                                                                                      \
    });                                                                                                 \
  }                                                                                                     \
  int syevd(char jobz, char uplo, int n, R* a, int ld, R* w) {                                          \
    R wanted{};                                                                                         \
    int integer_wanted = 0, info = 0;                                                                   \
    const int ask = -1;                                                                                 \
    CUPRUM_BLAS(p##syevd_)                                                                              \
    (&jobz, &uplo, &n, a, &ld, w, &wanted, &ask, &integer_wanted, &ask, &info, 1, 1);                   \
    if (info != 0) return info;                                                                         \
    const int length = told_length(wanted);                                                             \
    const Scratch<R> work(length);                                                                      \
    const Scratch<int> integers(std::max(1, integer_wanted));                                           \
    CUPRUM_BLAS(p##syevd_)                                                                              \
    (&jobz, &uplo, &n, a, &ld, w, work.data(), &length, integers.data(), &integer_wanted, &info, 1, 1); \
    return info;                                                                                        \
  }                                                                                                     \
  int geev(int n, R* a, int ld, std::complex<R>* w, std::complex<R>* v) {                               \
    const Scratch<R> parts(2 * n + (v ? static_cast<std::int64_t>(n) * n : 0));                         \
    R *const re = parts.data(), *const im = re + n, *const columns = im + n;                            \
    const char* const job = v ? "V" : "N";                                                              \
    const int one = 1;                                                                                  \
    const int info = with_work<R>([&](R* work, int length) {                                            \
      int told = 0;                                                                                     \
      CUPRUM_BLAS(p##geev_)                                                                             \
      ("N", job, &n, a, &ld, re, im, nullptr, &one, columns, &n, work, &length, &told, 1, 1);           \
      return told;                                                                                      \
    });                                                                                                 \
    if (info == 0) join_pairs(n, re, im, columns, w, v);                                                \
    return info;                                                                                        \
  }                                                                                                     \
  int gelsd(int m, int n, int columns, R* a, int lda, R* b, int ldb, R* s, R rcond, int* rank) {        \
    return with_three_works<R, R>([&](R* work, int length, R*, int* integers) {                         \
      int info = 0;                                                                                     \
      CUPRUM_BLAS(p##gelsd_)                                                                            \
      (&m, &n, &columns, a, &lda, b, &ldb, s, &rcond, rank, work, &length, integers, &info);            \
      return info;                                                                                      \
    });                                                                                                 \
  }
CUPRUM_DEFINE_REAL(s, float)
CUPRUM_DEFINE_REAL(d, double)
#undef CUPRUM_DEFINE_REAL

#define CUPRUM_DEFINE_COMPLEX(p, R, T)                                                                    \
  int gesdd(char jobz, int m, int n, T* a, int ld, R* s, T* u, int ldu, T* vt, int ldvt) {                \
    const std::int64_t low = std::max(1, std::min(m, n)), high = std::max(m, n);                          \
    const Scratch<int> integers(8 * low);                                                                 \
    const Scratch<R> reals(jobz == 'N' ? 7 * low : low * std::max(5 * low + 7, 2 * high + 2 * low + 1));  \
    return with_work<T>([&](T* work, int length) {                                                        \
      int info = 0;                                                                                       \
      CUPRUM_BLAS(p##gesdd_)                                                                              \
      (&jobz, &m, &n, a, &ld, s, u, &ldu, vt, &ldvt, work, &length, reals.data(), integers.data(), &info, \
       1);                                                                                                \
      return info;                                                                                        \
    });                                                                                                   \
  }                                                                                                       \
  int syevd(char jobz, char uplo, int n, T* a, int ld, R* w) {                                            \
    T wanted{};                                                                                           \
    R real_wanted{};                                                                                      \
    int integer_wanted = 0, info = 0;                                                                     \
    const int ask = -1;                                                                                   \
    CUPRUM_BLAS(p##heevd_)                                                                                \
    (&jobz, &uplo, &n, a, &ld, w, &wanted, &ask, &real_wanted, &ask, &integer_wanted, &ask, &info, 1, 1); \
    if (info != 0) return info;                                                                           \
    const int length = told_length(wanted), real_length = told_length(real_wanted);                       \
    const Scratch<T> work(length);                                                                        \
    const Scratch<R> reals(real_length);                                                                  \
    const Scratch<int> integers(std::max(1, integer_wanted));                                             \
    CUPRUM_BLAS(p##heevd_)                                                                                \
    (&jobz, &uplo, &n, a, &ld, w, work.data(), &length, reals.data(), &real_length, integers.data(),      \
     &integer_wanted, &info, 1, 1);                                                                       \
    return info;                                                                                          \
  }                                                                                                       \
  int geev(int n, T* a, int ld, T* w, T* v) {                                                             \
    const Scratch<R> reals(2 * std::max(1, n));                                                           \
    const char* const job = v ? "V" : "N";                                                                \
    const int one = 1;                                                                                    \
    return with_work<T>([&](T* work, int length) {                                                        \
      int info = 0;                                                                                       \
      CUPRUM_BLAS(p##geev_)                                                                               \
      ("N", job, &n, a, &ld, w, nullptr, &one, v, &n, work, &length, reals.data(), &info, 1, 1);          \
      return info;                                                                                        \
    });                                                                                                   \
  }                                                                                                       \
  int gelsd(int m, int n, int columns, T* a, int lda, T* b, int ldb, R* s, R rcond, int* rank) {          \
    return with_three_works<T, R>([&](T* work, int length, R* reals, int* integers) {                     \
      int info = 0;                                                                                       \
      CUPRUM_BLAS(p##gelsd_)                                                                              \
      (&m, &n, &columns, a, &lda, b, &ldb, s, &rcond, rank, work, &length, reals, integers, &info);       \
      return info;                                                                                        \
    });                                                                                                   \
  }
CUPRUM_DEFINE_COMPLEX(c, float, std::complex<float>)
CUPRUM_DEFINE_COMPLEX(z, double, std::complex<double>)
#undef CUPRUM_DEFINE_COMPLEX

}  // namespace cuprum::cpu::lapack

#else

namespace cuprum::cpu::lapack {

void require(const char* function, std::int64_t) {
  throw DeviceError(
      std::string("cuprum.") + function +
      ": this build has no LAPACK; install OpenBLAS (the package libopenblas-dev, or scipy-openblas32 "
      "from PyPI) and build Cuprum again");
}

#define CUPRUM_ABSENT(T)                                                         \
  int getrf(int, int, T*, int, int*) { return 0; }                               \
  int getrs(int, int, const T*, int, const int*, T*, int) { return 0; }          \
  int getri(int, T*, int, const int*) { return 0; }                              \
  int potrf(char, int, T*, int) { return 0; }                                    \
  int geqrf(int, int, T*, int, T*) { return 0; }                                 \
  int orgqr(int, int, int, T*, int, const T*) { return 0; }                      \
  int ormqr(bool, int, int, int, const T*, int, const T*, T*, int) { return 0; } \
  int trtri(int, T*, int) { return 0; }                                          \
  int trtrs(bool, int, int, const T*, int, T*, int) { return 0; }                \
  int gesdd(char, int, int, T*, int, Real<T>*, T*, int, T*, int) { return 0; }   \
  int syevd(char, char, int, T*, int, Real<T>*) { return 0; }                    \
  int geev(int, T*, int, Complex<T>*, Complex<T>*) { return 0; }                 \
  int gelsd(int, int, int, T*, int, T*, int, Real<T>*, Real<T>, int*) { return 0; }
CUPRUM_ABSENT(float)
CUPRUM_ABSENT(double)
CUPRUM_ABSENT(std::complex<float>)
CUPRUM_ABSENT(std::complex<double>)
#undef CUPRUM_ABSENT

}  // namespace cuprum::cpu::lapack

#endif
