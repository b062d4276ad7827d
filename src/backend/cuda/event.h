// CUDA events: points in the work of a stream, and the order between ours and the streams of others.
#pragma once

#include <atomic>

#include "backend/cuda/context.h"
#include "backend/cuda/current.h"
#include "backend/cuda/stream.h"

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
  CudaEvent(const DeviceFacts& device, const EventOptions& options) : device_(device) {
    const unsigned flags = (options.timing ? 0u : cudaEventDisableTiming) |
                           (options.blocking_wait ? cudaEventBlockingSync : 0u) |
                           (options.interprocess ? cudaEventInterprocess : 0u);
    check(cudaEventCreateWithFlags(&event_, flags), "cudaEventCreate");
  }
  ~CudaEvent() override {
    const Current current(device_.device);
    if (cudaEventDestroy(event_) != cudaSuccess) cudaGetLastError();  // the driver may be gone already
  }
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  std::uintptr_t native() const override { return reinterpret_cast<std::uintptr_t>(event_); }
  void record(Stream& stream) override {
    Context& context = context_of(stream);
    const Current current(context.device);
    const std::lock_guard handing(context.handing);
    check(cudaEventRecord(event_, context.stream), "cudaEventRecord");
    last_ = &context;
  }
  void synchronize() override {
    const Current current(device_.device);
    check(cudaEventSynchronize(event_), "the work before an event");
    Context* last = last_;
    if (!last) return;
    const std::lock_guard handing(last->handing);
    raise_late_fault(*last);
  }
  bool done() override {
    const Current current(device_.device);
    return is_done(cudaEventQuery(event_), "the work before an event");
  }
  bool hold_back(Stream& stream) override {
    auto* held = dynamic_cast<CudaStream*>(&stream);
    if (!held) return false;
    const Current current(held->context.device);
    check(cudaStreamWaitEvent(held->context.stream, event_, 0), "cudaStreamWaitEvent");
    return true;
  }
  double milliseconds_since(CudaEvent& start) {
    float time = 0;
    check(cudaEventElapsedTime(&time, start.event_, event_), "cudaEventElapsedTime");
    return time;
  }

 private:
  const DeviceFacts& device_;
  std::atomic<Context*> last_ = nullptr;  // of the stream that it was recorded on last
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
