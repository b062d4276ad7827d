#include "backend/cuda/cublas.h"

#include <map>
#include <mutex>
#include <string>

#include "cuprum/error.h"

namespace cuprum::cuda {

const Cublas& cublas() {
  static const auto* const loaded = new Cublas;
  return *loaded;
}

namespace {

void check_blas(cublasStatus_t status, const char* function, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string text =
      std::string("cuprum.") + function + ": " + what + " failed: " + cublas().cublasGetStatusString(status);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw Error(text);
}

/// One handle per stream, made at its first call and kept: making one takes milliseconds.
cublasHandle_t handle_of(Context& context, const char* function) {
  static std::mutex mutex;
  static auto* const handles = new std::map<cudaStream_t, cublasHandle_t>;
  const std::lock_guard lock(mutex);
  cublasHandle_t& handle = (*handles)[context.stream];
  if (!handle) {
    cublasHandle_t made = nullptr;
    check_blas(cublas().cublasCreate_v2(&made), function, "cublasCreate");
    check_blas(cublas().cublasSetStream_v2(made, context.stream), function, "cublasSetStream");
    const int mode = CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    check_blas(cublas().cublasSetMathMode(made, static_cast<cublasMath_t>(mode)), function,
               "cublasSetMathMode");
    handle = made;
  }
  return handle;
}

/// NVIDIA's advice: 32 MiB from Hopper on, 4 MiB before.
std::size_t workspace_bytes(const DeviceFacts& context) {
  return (context.architecture >= 90 ? std::size_t{32} : std::size_t{4}) << 20;
}

}  // namespace

BlasCall::BlasCall(Context& context, const char* function)
    : context_(context),
      function_(function),
      handle_(handle_of(context, function)),
      workspace_(context, workspace_bytes(context)) {
  check_blas(cublas().cublasSetWorkspace_v2(handle_, workspace_.get<void>(), workspace_.size()), function,
             "cublasSetWorkspace");
}

void BlasCall::done(cublasStatus_t status) const {
  check_blas(status, function_, "cuBLAS");
  launched(context_, function_);
}

}  // namespace cuprum::cuda
