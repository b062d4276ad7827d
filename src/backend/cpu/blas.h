// The few BLAS functions that matmul needs, for the four dtypes that BLAS knows.
//
// They run on the calling thread: OpenBLAS splits a product differently for every number of threads, and with
// it changes the last bits. blas_matmul.cpp cuts products into tiles instead, by their shape and the
// machine's processors, and gives the tiles to our threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuprum/dtype.h"

namespace cuprum::cpu {

/// A matrix as BLAS sees it: row-major with `ld` elements from row to row, or the transpose of such a one.
struct BlasMatrix {
  std::byte* data;
  bool transposed;
  int ld;
};

/// Is there a BLAS for this dtype? Opens it.
bool has_blas(dtype type);

/// c = a @ b for matrices of m x k and k x n elements; c is not transposed.
void blas_gemm(dtype type, int m, int n, int k, BlasMatrix a, BlasMatrix b, BlasMatrix c);

/// The lower triangle of c = a @ a.T for a matrix of n x k elements.
void blas_syrk(dtype type, int n, int k, BlasMatrix a, BlasMatrix c);

/// y = a @ x for a matrix of m x k elements; steps in elements, positive.
void blas_gemv(dtype type, int m, int k, BlasMatrix a, const std::byte* x, int x_step, std::byte* y,
               int y_step);

/// y = x . z of k elements.
void blas_dot(dtype type, int k, const std::byte* x, int x_step, const std::byte* z, int z_step,
              std::byte* y);

/// The processors of the machine, whichever of them this process may use, and however many threads: it decides how work is
/// cut, and must not change from run to run.
std::int64_t processor_count();

/// While it lives, BLAS, which is there, computes with this many threads of its own. The number is one of the process: those who want the same
/// share it, others wait until it is free.
class BlasThreads {
 public:
  explicit BlasThreads(int count);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;
};

}  // namespace cuprum::cpu
