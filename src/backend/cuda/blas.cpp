#include "backend/cuda/blas.h"

#include "backend/cuda/cublas.h"

namespace cuprum::cuda {

namespace {

cublasComputeType_t compute_type(dtype type) {
  return type == dtype::float64 || type == dtype::complex128 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
}

cublasOperation_t operation(const BlasMatrix& matrix) {
  return matrix.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

}  // namespace

// cuBLAS thinks in columns: a row-major matrix is for it the transpose, so the operands change places.

void blas_multiply(Context& context, const BlasProduct& p) {
  const auto [zero, one] = factors_of(p.type);
  const cudaDataType_t type = cuda_type(p.type);
  const BlasCall call(context, "matmul");
  if (p.count == 1) {
    call.done(cublas().cublasGemmEx_64(call.handle(), operation(p.b), operation(p.a), p.n, p.m, p.k, one,
                                       p.b.data, type, p.b.ld, p.a.data, type, p.a.ld, zero, p.out.data, type,
                                       p.out.ld, compute_type(p.type), CUBLAS_GEMM_DEFAULT));
  } else {
    call.done(cublas().cublasGemmStridedBatchedEx_64(
        call.handle(), operation(p.b), operation(p.a), p.n, p.m, p.k, one, p.b.data, type, p.b.ld, p.b_stride,
        p.a.data, type, p.a.ld, p.a_stride, zero, p.out.data, type, p.out.ld, p.out_stride, p.count,
        compute_type(p.type), CUBLAS_GEMM_DEFAULT));
  }
}

void blas_multiply(Context& context, const BlasProduct& p, const BlasPointers& at) {
  const auto [zero, one] = factors_of(p.type);
  const cudaDataType_t type = cuda_type(p.type);
  const BlasCall call(context, "matmul");
  call.done(cublas().cublasGemmBatchedEx_64(call.handle(), operation(p.b), operation(p.a), p.n, p.m, p.k, one,
                                            at.b, type, p.b.ld, at.a, type, p.a.ld, zero, at.out, type,
                                            p.out.ld, p.count, compute_type(p.type), CUBLAS_GEMM_DEFAULT));
}

}  // namespace cuprum::cuda
