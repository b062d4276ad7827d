// CUDA events: points in the work of the backend's stream, and the order between it and the streams of others.
#pragma once

#include "backend/cuda/context.h"
#include "backend/cuda/current.h"

namespace cuprum::cuda {

/// What cudaEventQuery or cudaStreamQuery has answered. Throws for a fault of the work before.
inline bool is_done(cudaError_t status, const char* what) {
  if (status == cudaErrorNotReady) {
    cudaGetLastError();  // no fault: nobody else should see it
    return false;
  }
  check(status, what);
  return true;
}

class CudaEvent final : public Event {
 public:
  explicit CudaEvent(Context& context) : context_(context) {
    check(cudaEventCreate(&event_), "cudaEventCreate");
  }
  ~CudaEvent() override {
    const Current current(context_.device);
    if (cudaEventDestroy(event_) != cudaSuccess) cudaGetLastError();  // the driver may be gone already
  }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  void record() override {
    const Current current(context_.device);
    const std::lock_guard handing(context_.handing);
    check(cudaEventRecord(event_, context_.stream), "cudaEventRecord");
  }
  void synchronize() override {
    const Current current(context_.device);
    check(cudaEventSynchronize(event_), "the work before an event");
    const std::lock_guard handing(context_.handing);
    raise_index_fault(context_);
  }
  bool done() override {
    const Current current(context_.device);
    return is_done(cudaEventQuery(event_), "the work before an event");
  }
  double milliseconds_since(CudaEvent& start) {
    start.synchronize();
    synchronize();
    float time = 0;
    check(cudaEventElapsedTime(&time, start.event_, event_), "cudaEventElapsedTime");
    return time;
  }

 private:
  Context& context_;
  cudaEvent_t event_ = nullptr;
};

/// Work given to `after` from now on waits for what `before` has been given.
inline void order(cudaStream_t before, cudaStream_t after) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
  const cudaError_t recorded = cudaEventRecord(event, before);
  const cudaError_t waits = recorded == cudaSuccess ? cudaStreamWaitEvent(after, event, 0) : recorded;
  cudaEventDestroy(event);  // lives on until it has happened
  check(waits, "ordering two streams");
}

}  // namespace cuprum::cuda
