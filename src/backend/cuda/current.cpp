#include "backend/cuda/current.h"

#include <pthread.h>

#include <atomic>

#include "backend/cuda/context.h"
#include "backend/cuda/driver.h"
#include "cuprum/error.h"

namespace cuprum::cuda {

namespace {

constexpr int kMostDevices = 64;
std::atomic<CUcontext> contexts[kMostDevices] = {};
std::atomic<bool> forked{false};

}  // namespace

CUcontext primary_context(int device) {
  if (device < 0 || device >= kMostDevices)
    throw ValueError("cuprum: there is no device cuda:" + std::to_string(device));
  if (CUcontext context = contexts[device].load(std::memory_order_acquire)) return context;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked.store(true); });
  (void)registered;
  CUdevice handle = 0;
  check(driver().cuDeviceGet(&handle, device), "cuDeviceGet");
  CUcontext context = nullptr;
  check(driver().cuDevicePrimaryCtxRetain(&context, handle), "cuDevicePrimaryCtxRetain");
  contexts[device].store(context, std::memory_order_release);
  return context;
}

Current::Current(int device) noexcept {
  CUcontext wanted = contexts[device].load(std::memory_order_acquire);
  if (driver().cuCtxGetCurrent(&before_) != CUDA_SUCCESS || before_ == wanted) return;
  changed_ = driver().cuCtxSetCurrent(wanted) == CUDA_SUCCESS;
}

void Current::restore() noexcept {
  // A thread that had no context keeps this one: it would be the first choice of the CUDA runtime as well.
  if (before_) driver().cuCtxSetCurrent(before_);
}

void refuse_after_fork() {
  if (forked.load(std::memory_order_relaxed)) {
    throw Error(
        "cuprum: CUDA does not work in a process made by fork() once it was used in the parent; start "
        "processes "
        "with multiprocessing.set_start_method('spawn')");
  }
}

}  // namespace cuprum::cuda
