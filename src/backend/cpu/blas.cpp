#include "backend/cpu/blas.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include "backend/cpu/blas_library.h"

namespace cuprum::cpu {

std::int64_t processor_count() {
  static const std::int64_t count = std::clamp<std::int64_t>(sysconf(_SC_NPROCESSORS_CONF), 1, 64);
  return count;
}

}  // namespace cuprum::cpu

#ifdef CUPRUM_HAS_CBLAS

// Declared here rather than taken from cblas.h: a machine may have several of those, and ours must be that of
// the library that is opened. Enumerations travel as int, integers are 32 bits wide.
extern "C" {
#define CUPRUM_DECLARE_GEMM(name, T, S)                                                               \
  void CUPRUM_BLAS_NAME(name)(int, int, int, int, int, int, S alpha, const T* a, int lda, const T* b, \
                              int ldb, S beta, T* c, int ldc);
CUPRUM_DECLARE_GEMM(cblas_sgemm, float, float)
CUPRUM_DECLARE_GEMM(cblas_dgemm, double, double)
CUPRUM_DECLARE_GEMM(cblas_cgemm, void, const void*)
CUPRUM_DECLARE_GEMM(cblas_zgemm, void, const void*)
#undef CUPRUM_DECLARE_GEMM
#define CUPRUM_DECLARE_SYRK(name, T, S) \
  void CUPRUM_BLAS_NAME(name)(int, int, int, int, int, S alpha, const T* a, int lda, S beta, T* c, int ldc);
CUPRUM_DECLARE_SYRK(cblas_ssyrk, float, float)
CUPRUM_DECLARE_SYRK(cblas_dsyrk, double, double)
CUPRUM_DECLARE_SYRK(cblas_csyrk, void, const void*)
CUPRUM_DECLARE_SYRK(cblas_zsyrk, void, const void*)
#undef CUPRUM_DECLARE_SYRK
#define CUPRUM_DECLARE_GEMV(name, T, S)                                                               \
  void CUPRUM_BLAS_NAME(name)(int, int, int, int, S alpha, const T* a, int lda, const T* x, int incx, \
                              S beta, T* y, int incy);
CUPRUM_DECLARE_GEMV(cblas_sgemv, float, float)
CUPRUM_DECLARE_GEMV(cblas_dgemv, double, double)
CUPRUM_DECLARE_GEMV(cblas_cgemv, void, const void*)
CUPRUM_DECLARE_GEMV(cblas_zgemv, void, const void*)
#undef CUPRUM_DECLARE_GEMV
float CUPRUM_BLAS_NAME(cblas_sdot)(int, const float* x, int incx, const float* y, int incy);
double CUPRUM_BLAS_NAME(cblas_ddot)(int, const double* x, int incx, const double* y, int incy);
void CUPRUM_BLAS_NAME(cblas_cdotu_sub)(int, const void* x, int incx, const void* y, int incy, void* result);
void CUPRUM_BLAS_NAME(cblas_zdotu_sub)(int, const void* x, int incx, const void* y, int incy, void* result);
void CUPRUM_BLAS_NAME(openblas_set_num_threads)(int);
int CUPRUM_BLAS_NAME(openblas_get_num_threads)(void);
}

namespace cuprum::cpu {

namespace {

constexpr int kRowMajor = 101, kNoTrans = 111, kTrans = 112, kLower = 122;
constexpr double kZero[2] = {0, 0}, kOne[2] = {1, 0};
constexpr float kZeroF[2] = {0, 0}, kOneF[2] = {1, 0};

int trans(BlasMatrix m) { return m.transposed ? kTrans : kNoTrans; }

template <class T>
T* as(const std::byte* p) {
  return reinterpret_cast<T*>(const_cast<std::byte*>(p));
}

}  // namespace

bool has_blas(dtype type) { return type >= dtype::float32 && blas_problem().empty(); }

void blas_gemm(dtype type, int m, int n, int k, BlasMatrix a, BlasMatrix b, BlasMatrix c) {
  const int ta = trans(a), tb = trans(b);
  switch (type) {
    case dtype::float32:
      return CUPRUM_BLAS(cblas_sgemm)(kRowMajor, ta, tb, m, n, k, 1, as<float>(a.data), a.ld,
                                      as<float>(b.data), b.ld, 0, as<float>(c.data), c.ld);
    case dtype::float64:
      return CUPRUM_BLAS(cblas_dgemm)(kRowMajor, ta, tb, m, n, k, 1, as<double>(a.data), a.ld,
                                      as<double>(b.data), b.ld, 0, as<double>(c.data), c.ld);
    case dtype::complex64:
      return CUPRUM_BLAS(cblas_cgemm)(kRowMajor, ta, tb, m, n, k, kOneF, a.data, a.ld, b.data, b.ld, kZeroF,
                                      c.data, c.ld);
    default:
      return CUPRUM_BLAS(cblas_zgemm)(kRowMajor, ta, tb, m, n, k, kOne, a.data, a.ld, b.data, b.ld, kZero,
                                      c.data, c.ld);
  }
}

void blas_syrk(dtype type, int n, int k, BlasMatrix a, BlasMatrix c) {
  const int ta = trans(a);
  switch (type) {
    case dtype::float32:
      return CUPRUM_BLAS(cblas_ssyrk)(kRowMajor, kLower, ta, n, k, 1, as<float>(a.data), a.ld, 0,
                                      as<float>(c.data), c.ld);
    case dtype::float64:
      return CUPRUM_BLAS(cblas_dsyrk)(kRowMajor, kLower, ta, n, k, 1, as<double>(a.data), a.ld, 0,
                                      as<double>(c.data), c.ld);
    case dtype::complex64:
      return CUPRUM_BLAS(cblas_csyrk)(kRowMajor, kLower, ta, n, k, kOneF, a.data, a.ld, kZeroF, c.data, c.ld);
    default:
      return CUPRUM_BLAS(cblas_zsyrk)(kRowMajor, kLower, ta, n, k, kOne, a.data, a.ld, kZero, c.data, c.ld);
  }
}

void blas_gemv(dtype type, int m, int k, BlasMatrix a, const std::byte* x, int x_step, std::byte* y,
               int y_step) {
  const int ta = trans(a), rows = a.transposed ? k : m, cols = a.transposed ? m : k;  // as they lie in memory
  switch (type) {
    case dtype::float32:
      return CUPRUM_BLAS(cblas_sgemv)(kRowMajor, ta, rows, cols, 1, as<float>(a.data), a.ld, as<float>(x),
                                      x_step, 0, as<float>(y), y_step);
    case dtype::float64:
      return CUPRUM_BLAS(cblas_dgemv)(kRowMajor, ta, rows, cols, 1, as<double>(a.data), a.ld, as<double>(x),
                                      x_step, 0, as<double>(y), y_step);
    case dtype::complex64:
      return CUPRUM_BLAS(cblas_cgemv)(kRowMajor, ta, rows, cols, kOneF, a.data, a.ld, x, x_step, kZeroF, y,
                                      y_step);
    default:
      return CUPRUM_BLAS(cblas_zgemv)(kRowMajor, ta, rows, cols, kOne, a.data, a.ld, x, x_step, kZero, y,
                                      y_step);
  }
}

void blas_dot(dtype type, int k, const std::byte* x, int x_step, const std::byte* z, int z_step,
              std::byte* y) {
  switch (type) {
    case dtype::float32:
      *as<float>(y) = CUPRUM_BLAS(cblas_sdot)(k, as<float>(x), x_step, as<float>(z), z_step);
      return;
    case dtype::float64:
      *as<double>(y) = CUPRUM_BLAS(cblas_ddot)(k, as<double>(x), x_step, as<double>(z), z_step);
      return;
    case dtype::complex64: return CUPRUM_BLAS(cblas_cdotu_sub)(k, x, x_step, z, z_step, y);
    default: return CUPRUM_BLAS(cblas_zdotu_sub)(k, x, x_step, z, z_step, y);
  }
}

namespace {

/// Who computes with how many threads now.
struct ThreadCount {
  std::mutex mutex;
  std::condition_variable free;
  int users = 0;
  int count = 0;
  int before = 0;  // what somebody else who shares this BLAS has set
};

ThreadCount& thread_count() {
  static ThreadCount* const state = new ThreadCount;  // outlives threads that run while the process exits
  return *state;
}

}  // namespace

BlasThreads::BlasThreads(int count) {
  ThreadCount& state = thread_count();
  std::unique_lock lock(state.mutex);
  state.free.wait(lock, [&] { return state.users == 0 || state.count == count; });
  if (state.users++ != 0) return;
  state.count = count;
  state.before = CUPRUM_BLAS(openblas_get_num_threads)();
  if (state.before != count) CUPRUM_BLAS(openblas_set_num_threads)(count);
}

BlasThreads::~BlasThreads() {
  ThreadCount& state = thread_count();
  const std::lock_guard lock(state.mutex);
  if (--state.users != 0) return;
  if (state.before != state.count) CUPRUM_BLAS(openblas_set_num_threads)(state.before);
  state.free.notify_all();
}

}  // namespace cuprum::cpu

#else

namespace cuprum::cpu {

bool has_blas(dtype) { return false; }
void blas_gemm(dtype, int, int, int, BlasMatrix, BlasMatrix, BlasMatrix) {}
void blas_syrk(dtype, int, int, BlasMatrix, BlasMatrix) {}
void blas_gemv(dtype, int, int, BlasMatrix, const std::byte*, int, std::byte*, int) {}
void blas_dot(dtype, int, const std::byte*, int, const std::byte*, int, std::byte*) {}
BlasThreads::BlasThreads(int) {}
BlasThreads::~BlasThreads() {}

}  // namespace cuprum::cpu

#endif
