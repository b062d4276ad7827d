#include "backend/cuda/stream.h"

#include "backend/cuda/current.h"
#include "backend/cuda/event.h"

namespace cuprum::cuda {

CudaStream::CudaStream(Backend& device, const DeviceFacts& facts, cudaStream_t native, bool external,
                       const StreamOptions& options)
    : Stream(device, options), context(facts), transfer(context), external_(external) {
  context.stream = native;
  context.owner = this;
  const Current current(context.device);
  check(cudaEventCreateWithFlags(&point_, cudaEventDisableTiming), "cudaEventCreate");
}

bool CudaStream::done() {
  refuse_after_fork();
  const Current current(context.device);
  if (external_ && handed() == left_at_) return is_done(cudaEventQuery(point_), "the work given to a stream");
  return is_done(cudaStreamQuery(context.stream), "the work given to a stream");
}

void CudaStream::synchronize() {
  refuse_after_fork();
  const Current current(context.device);
  const std::uint64_t number = handed();
  const std::lock_guard guard(context.handing);
  if (external_ && number == left_at_) {
    const Waiting others_hand_over(context);
    check(cudaEventSynchronize(point_), "the work given to a stream");
  } else {
    wait_for_stream(context, "the work given to a stream");
  }
  note_finished(number);
  raise_late_fault(context);
}

cudaEvent_t CudaStream::point() {
  if (external_ && handed() == left_at_) return point_;
  const Current current(context.device);
  check(cudaEventRecord(point_, context.stream), "cudaEventRecord");
  return point_;
}

// The event is recorded again for the next who waits: a wait means the point of the last recording before it.
void CudaStream::wait_for(Stream& other) {
  cudaEvent_t behind = cuda_stream(other).point();
  const Current current(context.device);
  check(cudaStreamWaitEvent(context.stream, behind, 0), "ordering two streams");
}

void CudaStream::wait_for_native(std::uintptr_t other) {
  refuse_after_fork();
  const Current current(context.device);
  order(reinterpret_cast<cudaStream_t>(other), context.stream);
}

void CudaStream::release_to_native(std::uintptr_t other) {
  refuse_after_fork();
  const Current current(context.device);
  order(context.stream, reinterpret_cast<cudaStream_t>(other));
}

void CudaStream::launch_host(const std::function<void()>& function) {
  refuse_after_fork();
  const Current current(context.device);
  const auto call = [](void* data) {
    const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(data));
    (*owned)();
  };
  auto owned = std::make_unique<std::function<void()>>(function);
  check(cudaLaunchHostFunc(context.stream, call, owned.get()), "cudaLaunchHostFunc");
  (void)owned.release();  // the call owns it
}

void CudaStream::leave() {
  if (!external_ || handed() == left_at_) return;
  const Current current(context.device);
  const std::uint64_t number = handed();
  check(cudaEventRecord(point_, context.stream), "cudaEventRecord");
  left_at_ = number;
}

}  // namespace cuprum::cuda
