#include "backend/cuda/cusolver.h"

#include <map>
#include <mutex>
#include <string>

#include "cuprum/error.h"

namespace cuprum::cuda {

const Cusolver& cusolver() {
  static const auto* const loaded = new Cusolver;
  return *loaded;
}

namespace {

std::string words(cusolverStatus_t status) {
  switch (status) {
    case CUSOLVER_STATUS_NOT_INITIALIZED: return "not initialized";
    case CUSOLVER_STATUS_ALLOC_FAILED: return "allocation failed";
    case CUSOLVER_STATUS_INVALID_VALUE: return "invalid value";
    case CUSOLVER_STATUS_ARCH_MISMATCH: return "architecture mismatch";
    case CUSOLVER_STATUS_EXECUTION_FAILED: return "execution failed";
    case CUSOLVER_STATUS_INTERNAL_ERROR: return "internal error";
    case CUSOLVER_STATUS_NOT_SUPPORTED: return "not supported";
    default: return "status " + std::to_string(static_cast<int>(status));
  }
}

void check_solver(cusolverStatus_t status, const char* function) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  const std::string text = std::string("cuprum.") + function + ": cuSOLVER failed: " + words(status);
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw Error(text);
}

/// Made at the stream's first call and kept: making a handle takes milliseconds.
SolverHandle kept_for(Context& context, const char* function) {
  static std::mutex mutex;
  static auto* const all = new std::map<cudaStream_t, SolverHandle>;
  const std::lock_guard lock(mutex);
  SolverHandle& kept = (*all)[context.stream];
  if (!kept.handle) {
    SolverHandle made;
    check_solver(cusolver().cusolverDnCreate(&made.handle), function);
    check_solver(cusolver().cusolverDnSetStream(made.handle, context.stream), function);
    check_solver(cusolver().cusolverDnCreateParams(&made.params), function);
    check_solver(cusolver().cusolverDnCreateGesvdjInfo(&made.gesvdj), function);
    kept = made;
  }
  return kept;
}

}  // namespace

SolverCall::SolverCall(Context& context, const char* function)
    : context_(context), function_(function), kept_(kept_for(context, function)) {}

void SolverCall::done(cusolverStatus_t status) const {
  check_solver(status, function_);
  launched(context_, function_);
}

}  // namespace cuprum::cuda
