#include "backend/cuda/backend.h"

#include <pthread.h>

#include <vector>

#include "backend/cuda/current.h"
#include "backend/cuda/driver.h"
#include "backend/cuda/event.h"
#include "cuprum/error.h"

namespace cuprum::cuda {

namespace {

int attribute(int device, cudaDeviceAttr which) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

/// Makes the device current for a call that can throw.
struct Entered : Current {
  explicit Entered(const Context& context) : Current((refuse_after_fork(), context.device)) {}
};

/// The same for a call that hands work to the stream.
struct Handing : Entered {
  explicit Handing(Context& context) : Entered(context), guard(context.handing) {}
  std::lock_guard<std::mutex> guard;
};

/// The pools of all devices: a child of fork() must not inherit a lock that a vanished thread holds.
std::vector<Pool*>& pools() {
  static auto* const list = new std::vector<Pool*>;
  return *list;
}

void keep_across_fork(Pool& pool) {
  if (pools().empty()) {
    const auto unlock = [] {
      for (Pool* p : pools()) p->unlock_after_fork();
    };
    pthread_atfork(
        [] {
          for (Pool* p : pools()) p->lock_for_fork();
        },
        unlock, unlock);
  }
  pools().push_back(&pool);
}

}  // namespace

CudaBackend::CudaBackend(int device) : name_("cuda:" + std::to_string(device)) {
  primary_context(device);
  const Current current(device);
  context_.device = device;
  context_.architecture = attribute(device, cudaDevAttrComputeCapabilityMajor) * 10 +
                          attribute(device, cudaDevAttrComputeCapabilityMinor);
  context_.multiprocessors = attribute(device, cudaDevAttrMultiProcessorCount);
  context_.threads_per_multiprocessor = attribute(device, cudaDevAttrMaxThreadsPerMultiProcessor);
  context_.shared_per_block =
      static_cast<std::size_t>(attribute(device, cudaDevAttrMaxSharedMemoryPerBlockOptin));
  context_.l2_bytes = static_cast<std::size_t>(attribute(device, cudaDevAttrL2CacheSize));
  check(cudaStreamCreateWithFlags(&context_.stream, cudaStreamNonBlocking), "cudaStreamCreate");
  memory_ = std::make_unique<Memory>(device, context_.stream);
  context_.memory = memory_.get();
  transfer_ = std::make_unique<Transfer>(context_);
  keep_across_fork(memory_->pool());
}

DeviceInfo CudaBackend::info() const {
  const Entered entered(context_);
  DeviceInfo info;
  char model[256] = {};
  check(driver().cuDeviceGetName(model, sizeof model, context_.device), "cuDeviceGetName");
  info.description = model;
  info.compute_capability = context_.architecture;
  info.multiprocessors = context_.multiprocessors;
  check(cudaMemGetInfo(&info.free_bytes, &info.memory_bytes), "cudaMemGetInfo");
  return info;
}

// -- Memory.

Ref<Buffer> CudaBackend::allocate(std::size_t nbytes) {
  refuse_after_fork();
  return make_ref<Buffer>(this, memory_->allocate(nbytes), nbytes);
}
void CudaBackend::free(std::byte* data, std::size_t nbytes) noexcept { memory_->free(data, nbytes); }
MemoryStats CudaBackend::memory_stats() const { return memory_->pool().stats(); }
void CudaBackend::reset_peak() { memory_->pool().reset_peak(); }
void CudaBackend::free_all_blocks() { memory_->pool().free_all_blocks(); }
void CudaBackend::set_memory_limit(std::size_t nbytes) { memory_->pool().set_limit(nbytes); }

void CudaBackend::copy_to_host(void* to, const std::byte* from, std::size_t nbytes) {
  const Handing entered(context_);
  transfer_->to_host(to, from, nbytes);
  raise_index_fault(context_);
}
void CudaBackend::copy_from_host(std::byte* to, const void* from, std::size_t nbytes) {
  const Handing entered(context_);
  transfer_->from_host(to, from, nbytes);
}
void CudaBackend::synchronize() {
  const Handing entered(context_);
  wait_for_stream(context_, "the work given to the device");
  raise_index_fault(context_);
}
bool CudaBackend::idle() {
  const Entered entered(context_);
  return is_done(cudaStreamQuery(context_.stream), "the work given to the device");
}

std::byte* CudaBackend::allocate_pinned(std::size_t nbytes) {
  const Entered entered(context_);
  void* data = nullptr;
  const cudaError_t error = cudaHostAlloc(&data, nbytes > 0 ? nbytes : 1, cudaHostAllocPortable);
  if (error == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    throw OutOfMemoryError("cuprum: no page-locked host memory for " + std::to_string(nbytes) + " bytes");
  }
  check(error, "allocating pinned memory");
  return static_cast<std::byte*>(data);
}

void CudaBackend::free_pinned(std::byte* data) noexcept {
  const Current current(context_.device);
  cudaFreeHost(data);
}

bool CudaBackend::can_use(const std::byte* data, std::size_t nbytes) {
  const Entered entered(context_);
  const auto is_ours = [&](const std::byte* address) {
    cudaPointerAttributes attributes = {};
    if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    if (attributes.type == cudaMemoryTypeDevice) return attributes.device == context_.device;
    return attributes.type == cudaMemoryTypeManaged || attributes.type == cudaMemoryTypeHost;
  };
  // Both ends, and not the range of one allocation: memory may be mapped in pieces.
  return nbytes == 0 || (is_ours(data) && is_ours(data + nbytes - 1));
}

// -- Work of others.

std::unique_ptr<Event> CudaBackend::make_event() {
  const Entered entered(context_);
  return std::make_unique<CudaEvent>(context_);
}
double CudaBackend::elapsed(Event& start, Event& stop) {
  const Entered entered(context_);
  return static_cast<CudaEvent&>(stop).milliseconds_since(static_cast<CudaEvent&>(start));
}
std::uintptr_t CudaBackend::native_stream() const {
  return reinterpret_cast<std::uintptr_t>(context_.stream);
}
void CudaBackend::release_to(std::uintptr_t stream) {
  const Handing entered(context_);
  order(context_.stream, reinterpret_cast<cudaStream_t>(stream));
}
void CudaBackend::wait_for(std::uintptr_t stream) {
  const Handing entered(context_);
  order(reinterpret_cast<cudaStream_t>(stream), context_.stream);
}

// -- Computing.

void CudaBackend::run(const Kernel& kernel) {
  const Handing entered(context_);
  cuda::run(context_, kernel);
}
std::string CudaBackend::tier(const Kernel& kernel) const {
  switch (cuda::tier(context_, kernel)) {
    case Tier::interpreted: return "interpreted";
    case Tier::compiled: return "compiled";
    default: return "compiled, from the on-disk cache";
  }
}
IndexFault CudaBackend::call(const Call& c) {
  const Handing entered(context_);
  return dispatch(c, [&](const auto& p) { return cuda::call(context_, p, c.in, c.out); });
}
bool CudaBackend::order_statistics(const View& in, const Dims& kth, const View& out) {
  const Handing entered(context_);
  return cuda::order_statistics(context_, in, kth, out);
}
std::unique_ptr<const CountedMask> CudaBackend::count_true(const View& mask) {
  const Handing entered(context_);
  return cuda::count_true(context_, mask);
}

}  // namespace cuprum::cuda
