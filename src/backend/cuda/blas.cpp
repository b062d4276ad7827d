// The handle of each device: on its stream, with working memory from the pool for the length of a call, so that cuBLAS
// allocates nothing itself and gives the same bits in every run. float32 is computed in float32, not in TF32.
#include "backend/cuda/blas.h"

#include <cublas_v2.h>

#include <map>
#include <mutex>
#include <string>

#include "backend/cuda/libraries.h"
#include "cuprum/error.h"

namespace cuprum::cuda {

namespace {

/// The functions used, by their names in the library.
struct Library {
  void* const handle = (nvidia_library("cublasLt"), nvidia_library("cublas"));
#define CUPRUM_CUBLAS(name) decltype(&::name) name = symbol<decltype(&::name)>(handle, #name);
  CUPRUM_CUBLAS(cublasCreate_v2)
  CUPRUM_CUBLAS(cublasSetStream_v2)
  CUPRUM_CUBLAS(cublasSetWorkspace_v2)
  CUPRUM_CUBLAS(cublasSetMathMode)
  CUPRUM_CUBLAS(cublasGetStatusString)
  CUPRUM_CUBLAS(cublasGemmEx_64)
  CUPRUM_CUBLAS(cublasGemmStridedBatchedEx_64)
  CUPRUM_CUBLAS(cublasGemmBatchedEx_64)
#undef CUPRUM_CUBLAS
};

const Library& library() {
  static const auto* const loaded = new Library;
  return *loaded;
}

void check_blas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string text =
      std::string("cuprum.matmul: ") + what + " failed: " + library().cublasGetStatusString(status);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw Error(text);
}

/// One handle per stream, made at its first product and kept: making one takes milliseconds.
cublasHandle_t handle_of(Context& context) {
  static std::mutex mutex;
  static auto* const handles = new std::map<cudaStream_t, cublasHandle_t>;
  const std::lock_guard lock(mutex);
  cublasHandle_t& handle = (*handles)[context.stream];
  if (!handle) {
    cublasHandle_t made = nullptr;
    check_blas(library().cublasCreate_v2(&made), "cublasCreate");
    check_blas(library().cublasSetStream_v2(made, context.stream), "cublasSetStream");
    const int mode = CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    check_blas(library().cublasSetMathMode(made, static_cast<cublasMath_t>(mode)), "cublasSetMathMode");
    handle = made;
  }
  return handle;
}

/// Types as cuBLAS names them, and the factors 1 and 0 in the type that it computes in.
struct Types {
  cudaDataType_t element;
  cublasComputeType_t compute;
  const void* one;
  const void* zero;
};

Types types_of(dtype type) {
  // Complex factors too: cuBLAS reads those as vectors, so they are aligned.
  alignas(16) static constexpr float f[2][4] = {{1}, {0}};
  alignas(16) static constexpr double d[2][2] = {{1}, {0}};
  switch (type) {
    case dtype::float16: return {CUDA_R_16F, CUBLAS_COMPUTE_32F, f[0], f[1]};
    case dtype::bfloat16: return {CUDA_R_16BF, CUBLAS_COMPUTE_32F, f[0], f[1]};
    case dtype::float32: return {CUDA_R_32F, CUBLAS_COMPUTE_32F, f[0], f[1]};
    case dtype::complex64: return {CUDA_C_32F, CUBLAS_COMPUTE_32F, f[0], f[1]};
    case dtype::complex128: return {CUDA_C_64F, CUBLAS_COMPUTE_64F, d[0], d[1]};
    default: return {CUDA_R_64F, CUBLAS_COMPUTE_64F, d[0], d[1]};
  }
}

cublasOperation_t operation(const BlasMatrix& matrix) {
  return matrix.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// NVIDIA's advice: 32 MiB from Hopper on, 4 MiB before.
std::size_t workspace_bytes(const DeviceFacts& context) {
  return (context.architecture >= 90 ? std::size_t{32} : std::size_t{4}) << 20;
}

class Call {
 public:
  explicit Call(Context& context)
      : context_(context), handle_(handle_of(context)), workspace_(context, workspace_bytes(context)) {
    check_blas(library().cublasSetWorkspace_v2(handle_, workspace_.get<void>(), workspace_.size()),
               "cublasSetWorkspace");
  }
  cublasHandle_t handle() const { return handle_; }
  void done(cublasStatus_t status) {
    check_blas(status, "the product");
    launched(context_, "matmul");
  }

 private:
  Context& context_;
  cublasHandle_t handle_;
  Scratch workspace_;
};

}  // namespace

// cuBLAS thinks in columns: a row-major matrix is for it the transpose, so the operands change places.

void blas_multiply(Context& context, const BlasProduct& p) {
  const Types t = types_of(p.type);
  Call call(context);
  if (p.count == 1) {
    call.done(library().cublasGemmEx_64(call.handle(), operation(p.b), operation(p.a), p.n, p.m, p.k, t.one,
                                        p.b.data, t.element, p.b.ld, p.a.data, t.element, p.a.ld, t.zero,
                                        p.out.data, t.element, p.out.ld, t.compute, CUBLAS_GEMM_DEFAULT));
  } else {
    call.done(library().cublasGemmStridedBatchedEx_64(
        call.handle(), operation(p.b), operation(p.a), p.n, p.m, p.k, t.one, p.b.data, t.element, p.b.ld,
        p.b_stride, p.a.data, t.element, p.a.ld, p.a_stride, t.zero, p.out.data, t.element, p.out.ld,
        p.out_stride, p.count, t.compute, CUBLAS_GEMM_DEFAULT));
  }
}

void blas_multiply(Context& context, const BlasProduct& p, const BlasPointers& at) {
  const Types t = types_of(p.type);
  Call call(context);
  call.done(library().cublasGemmBatchedEx_64(
      call.handle(), operation(p.b), operation(p.a), p.n, p.m, p.k, t.one, at.b, t.element, p.b.ld, at.a,
      t.element, p.a.ld, t.zero, at.out, t.element, p.out.ld, p.count, t.compute, CUBLAS_GEMM_DEFAULT));
}

}  // namespace cuprum::cuda
