#include "backend/cuda/context.h"

#include <atomic>
#include <map>
#include <string>

#include "backend/cuda/driver.h"
#include "backend/cuda/memory.h"
#include "cuprum/error.h"
#include "runtime/debug.h"

namespace cuprum::cuda {

namespace {

constexpr const char* kLost =
    "the device's context and all arrays on it are lost: nothing more can run there, restart the process";

/// After these the device's context is dead: every later call fails with the same error.
bool is_sticky(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case static_cast<cudaError_t>(721):  // cudaErrorContained, which older toolkits do not name
    case cudaErrorMpsClientTerminated: return true;
    default: return false;
  }
}

/// The latest of these that a call has told; cudaSuccess: none.
std::atomic<cudaError_t> seen{cudaSuccess};

std::string after(cudaError_t status) {
  return std::string("an operation has failed on the device before: ") + cudaGetErrorString(status) + " (" +
         cudaGetErrorName(status) + "); " + kLost;
}

[[noreturn]] void raise(cudaError_t status, const char* name, const char* text, const char* what) {
  const std::string message =
      std::string("cuprum: ") + what + " failed on the device: " + text + " (" + name + ")";
  if (status == cudaErrorMemoryAllocation) throw OutOfMemoryError(message);
  if (!is_sticky(status)) {  // a consequence, perhaps: a lost context has many names
    const cudaError_t before = seen.load();
    throw Error(before == cudaSuccess ? message : message + "; " + after(before));
  }
  seen.store(status);
  throw Error(
      message + "; " +
      (debugging() ? "" : "the fault may come from an earlier operation (CUPRUM_DEBUG=1 names it), and ") +
      kLost);
}

}  // namespace

std::string lost_context(cudaError_t status) {
  if (!is_sticky(status)) {
    if (status != cudaSuccess && status != cudaErrorNotReady) cudaGetLastError();
    return {};
  }
  seen.store(status);
  return after(status);
}

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) [[likely]]
    return;
  cudaGetLastError();  // reported here: a later launch must not report it again
  raise(status, cudaGetErrorName(status), cudaGetErrorString(status), what);
}

// The two enumerations agree in the numbers of faults and of exhausted memory.
static_assert(static_cast<int>(CUDA_ERROR_ILLEGAL_ADDRESS) == static_cast<int>(cudaErrorIllegalAddress));
static_assert(static_cast<int>(CUDA_ERROR_OUT_OF_MEMORY) == static_cast<int>(cudaErrorMemoryAllocation));

void check(CUresult status, const char* what) {
  if (status == CUDA_SUCCESS) [[likely]]
    return;
  const char* name = nullptr;
  const char* text = nullptr;
  driver().cuGetErrorName(status, &name);
  driver().cuGetErrorString(status, &text);
  raise(static_cast<cudaError_t>(status), name ? name : "unknown", text ? text : "unknown error", what);
}

void launched(Context& context, const char* operation) {
  check(cudaGetLastError(), operation);
  if (debugging()) check(cudaStreamSynchronize(context.stream), operation);
}

namespace {

/// An event of this thread, by device: making one takes longer than a kernel.
cudaEvent_t own_event(int device) {
  struct Events {
    std::map<int, cudaEvent_t> of;
    ~Events() {
      for (const auto& [device, event] : of) {
        if (cudaEventDestroy(event) != cudaSuccess) cudaGetLastError();  // the driver may be gone already
      }
    }
  };
  static thread_local Events events;
  cudaEvent_t& event = events.of[device];
  if (!event) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
  return event;
}

}  // namespace

void wait_for_stream(Context& context, const char* what) {
  cudaEvent_t event = own_event(context.device);
  check(cudaEventRecord(event, context.stream), what);
  const Waiting others_hand_over(context);
  check(cudaEventSynchronize(event), what);
}

Scratch::Scratch(Context& context, std::size_t nbytes)
    : context_(&context), block_(&context.pool->allocate(nbytes, context.owner)), nbytes_(nbytes) {
  block_->uses.each([&](const Stamp& stamp) {
    Stream& other = stamp.stream();
    if (&other != context.owner && !other.is_finished(stamp.number())) context.owner->wait_for(other);
  });
}

Scratch::~Scratch() {
  if (!block_) return;
  Uses uses;
  uses.written_at(context_->owner->mark());
  Pool::free(*block_, uses);
}

}  // namespace cuprum::cuda
