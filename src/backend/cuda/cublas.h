// cuBLAS, opened when first needed: the functions used, and a handle for each stream, with working memory
// from the pool for the length of a call, so that cuBLAS allocates nothing itself and gives the same bits in
// every run. float32 is computed in float32, not in TF32.
#pragma once

#include <cublas_v2.h>

#include "backend/cuda/context.h"
#include "backend/cuda/routines.h"

namespace cuprum::cuda {

/// The functions, by their names in the library.
struct Cublas {
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
  CUPRUM_ROUTINE(trsm, cublasStrsm_v2_64, cublasDtrsm_v2_64, cublasCtrsm_v2_64, cublasZtrsm_v2_64)
  CUPRUM_ROUTINE(getrf_batched, cublasSgetrfBatched, cublasDgetrfBatched, cublasCgetrfBatched,
                 cublasZgetrfBatched)
  CUPRUM_ROUTINE(getrs_batched, cublasSgetrsBatched, cublasDgetrsBatched, cublasCgetrsBatched,
                 cublasZgetrsBatched)
  CUPRUM_ROUTINE(getri_batched, cublasSgetriBatched, cublasDgetriBatched, cublasCgetriBatched,
                 cublasZgetriBatched)
  CUPRUM_ROUTINE(geqrf_batched, cublasSgeqrfBatched, cublasDgeqrfBatched, cublasCgeqrfBatched,
                 cublasZgeqrfBatched)
};
const Cublas& cublas();

/// One call: its handle, whose working memory lives as long as this.
class BlasCall {
 public:
  /// `function`: for errors, as "matmul".
  BlasCall(Context& context, const char* function);
  cublasHandle_t handle() const { return handle_; }
  /// Throws what a status says.
  void done(cublasStatus_t status) const;

 private:
  Context& context_;
  const char* function_;
  cublasHandle_t handle_;
  Scratch workspace_;
};

}  // namespace cuprum::cuda
