#include "backend/cuda/backend.h"

#include <vector>

#include "backend/cuda/current.h"
#include "backend/cuda/driver.h"
#include "backend/cuda/event.h"
#include "backend/cuda/primitives/common/faults.h"
#include "backend/cuda/primitives/on_host.h"
#include "backend/cuda/user_kernels/module.h"
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
  explicit Entered(const DeviceFacts& facts) : Current((refuse_after_fork(), facts.device)) {}
};

/// The same for a call that hands work to the stream.
struct Handing : Entered {
  explicit Handing(Context& context) : Entered(context), guard(context.handing) {}
  std::lock_guard<std::mutex> guard;
};

}  // namespace

CudaBackend::CudaBackend(int device) : Backend(true), name_("cuda:" + std::to_string(device)) {
  primary_context(device);
  const Current current(device);
  facts_.device = device;
  facts_.architecture = attribute(device, cudaDevAttrComputeCapabilityMajor) * 10 +
                        attribute(device, cudaDevAttrComputeCapabilityMinor);
  facts_.multiprocessors = attribute(device, cudaDevAttrMultiProcessorCount);
  facts_.threads_per_multiprocessor = attribute(device, cudaDevAttrMaxThreadsPerMultiProcessor);
  facts_.shared_per_block =
      static_cast<std::size_t>(attribute(device, cudaDevAttrMaxSharedMemoryPerBlockOptin));
  facts_.l2_bytes = static_cast<std::size_t>(attribute(device, cudaDevAttrL2CacheSize));
  memory_ = device_memory(device);
  managed_ = managed_memory_of(device);
  set_pool(std::make_unique<Pool>(
      *memory_, Pool::Options{.granule = 512, .cache_limit = cache_limit(), .device = this}));
  facts_.pool = &pool();
  facts_.staging = &staging_;
  facts_.faults = std::make_shared<Faults>();
  set_first_stream(make_stream({.non_blocking = true}));
}

// -- Streams.

Stream* CudaBackend::make_stream(const StreamOptions& options) {
  const Entered entered(facts_);
  cudaStream_t native = nullptr;
  const unsigned flags = options.non_blocking ? cudaStreamNonBlocking : cudaStreamDefault;
  check(cudaStreamCreateWithPriority(&native, flags, options.priority), "cudaStreamCreate");
  return new CudaStream(*this, facts_, native, false, options);
}

Stream* CudaBackend::make_external(std::uintptr_t native) {
  const Entered entered(facts_);
  return new CudaStream(*this, facts_, reinterpret_cast<cudaStream_t>(native), true, {});
}

std::pair<int, int> CudaBackend::priorities() const {
  const Entered entered(facts_);
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  return {greatest, least};
}

DeviceInfo CudaBackend::info() const {
  const Entered entered(facts_);
  DeviceInfo info;
  char model[256] = {};
  check(driver().cuDeviceGetName(model, sizeof model, facts_.device), "cuDeviceGetName");
  info.description = model;
  info.compute_capability = facts_.architecture;
  info.multiprocessors = facts_.multiprocessors;
  check(cudaMemGetInfo(&info.free_bytes, &info.memory_bytes), "cudaMemGetInfo");
  return info;
}

// -- Memory.

Ref<Buffer> CudaBackend::allocate(Stream& stream, std::size_t nbytes) {
  refuse_after_fork();
  return Backend::allocate(stream, nbytes);
}

void CudaBackend::copy_to_host(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) {
  Context& context = context_of(stream);
  const Handing entered(context);
  const std::uint64_t number = stream.handed();
  cuda_stream(stream).transfer.to_host(to, from, nbytes);
  stream.note_finished(number);
  raise_late_fault(context);
}
void CudaBackend::copy_from_host(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) {
  const Handing entered(context_of(stream));
  cuda_stream(stream).transfer.from_host(to, from, nbytes);
}
void CudaBackend::copy_to_host_later(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) {
  const Handing entered(context_of(stream));
  check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyDeviceToHost, context_of(stream).stream),
        "copying to the host");
}
void CudaBackend::copy_from_host_later(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) {
  const Handing entered(context_of(stream));
  check(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyHostToDevice, context_of(stream).stream),
        "copying from the host");
}

namespace {

// A place is a number up to CUDA 12 and a struct from CUDA 13 on.
#if CUDART_VERSION >= 13000
cudaMemLocation location(int device) {
  cudaMemLocation place = {};
  place.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = device < 0 ? 0 : device;
  return place;
}
#else
int location(int device) { return device < 0 ? cudaCpuDeviceId : device; }
#endif

}  // namespace

// Both are hints, and a device that moves managed memory as a whole takes none.
void CudaBackend::prefetch(Stream& stream, std::byte* data, std::size_t nbytes, int device) {
  const Handing entered(context_of(stream));
  if (!attribute(facts_.device, cudaDevAttrConcurrentManagedAccess)) return;
#if CUDART_VERSION >= 13000
  check(cudaMemPrefetchAsync(data, nbytes, location(device), 0, context_of(stream).stream),
        "cudaMemPrefetchAsync");
#else
  check(cudaMemPrefetchAsync(data, nbytes, location(device), context_of(stream).stream),
        "cudaMemPrefetchAsync");
#endif
}
void CudaBackend::advise(std::byte* data, std::size_t nbytes, int advice, int device) {
  const Entered entered(facts_);
  if (!attribute(facts_.device, cudaDevAttrConcurrentManagedAccess)) return;
  check(cudaMemAdvise(data, nbytes, static_cast<cudaMemoryAdvise>(advice), location(device)),
        "cudaMemAdvise");
}
bool CudaBackend::reaches(const Backend& peer) const { return dynamic_cast<const CudaBackend*>(&peer); }
bool CudaBackend::accesses(const Backend& peer) const {
  const auto* there = dynamic_cast<const CudaBackend*>(&peer);
  if (!there) return false;
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, facts_.device, there->facts_.device), "cudaDeviceCanAccessPeer");
  return can != 0;
}
// The driver goes through host memory where the devices have no way to each other.
void CudaBackend::copy_from_peer(Stream& stream, std::byte* to, Backend& peer, const std::byte* from,
                                 std::size_t nbytes) {
  const Handing entered(context_of(stream));
  const int there = static_cast<CudaBackend&>(peer).facts_.device;
  check(cudaMemcpyPeerAsync(to, facts_.device, from, there, nbytes, context_of(stream).stream),
        "copying between devices");
}

std::byte* CudaBackend::allocate_pinned(std::size_t nbytes) {
  const Entered entered(facts_);
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
  const Current current(facts_.device);
  cudaFreeHost(data);
}

bool CudaBackend::is_pinned(const void* host) const {
  const Entered entered(facts_);
  return cuda::is_pinned(host);
}

bool CudaBackend::can_use(const std::byte* data, std::size_t nbytes) {
  const Entered entered(facts_);
  const auto is_ours = [&](const std::byte* address) {
    cudaPointerAttributes attributes = {};
    if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
      cudaGetLastError();
      return false;
    }
    if (attributes.type == cudaMemoryTypeDevice) return attributes.device == facts_.device;
    return attributes.type == cudaMemoryTypeManaged || attributes.type == cudaMemoryTypeHost;
  };
  // Both ends, and not the range of one allocation: memory may be mapped in pieces.
  return nbytes == 0 || (is_ours(data) && is_ours(data + nbytes - 1));
}

// -- Events.

std::unique_ptr<Event> CudaBackend::make_event(const EventOptions& options) {
  const Entered entered(facts_);
  return std::make_unique<CudaEvent>(facts_, options);
}
double CudaBackend::between(Event& start, Event& stop) {
  const Entered entered(facts_);
  return static_cast<CudaEvent&>(stop).milliseconds_since(static_cast<CudaEvent&>(start));
}

// -- Computing.

void CudaBackend::run(Stream& stream, const Kernel& kernel) {
  const Handing entered(context_of(stream));
  cuda::run(context_of(stream), kernel);
}
bool CudaBackend::fuses(const Primitive& call, Operands in, dtype type) const {
  return cuda::fuses(facts_, call, in, type);
}
std::string CudaBackend::tier(const Kernel& kernel) const {
  switch (cuda::tier(facts_, kernel)) {
    case Tier::interpreted: return "interpreted";
    case Tier::compiled: return "compiled";
    default: return "compiled, from the on-disk cache";
  }
}
Fault CudaBackend::call(Stream& stream, const Call& c) {
  return dispatch(c, [&]<class P>(const P& p, const auto& out) -> Answer<P> {
    if (runs_on_host(p, c.in)) return static_cast<Answer<P>>(call_on_host(stream, c));
    const Handing entered(context_of(stream));
    return cuda::call(context_of(stream), p, c.in, out);
  });
}
std::shared_ptr<UserModule> CudaBackend::compile(const ModuleSpec& spec) {
  refuse_after_fork();
  return compile_on_device(facts_, spec);
}
bool CudaBackend::order_statistics(Stream& stream, const View& in, const Dims& kth, const View& out) {
  const Handing entered(context_of(stream));
  return cuda::order_statistics(context_of(stream), in, kth, out);
}
std::shared_ptr<const CountedMask> CudaBackend::count_true(Stream& stream, const View& mask) {
  const Handing entered(context_of(stream));
  return cuda::count_true(context_of(stream), mask);
}

}  // namespace cuprum::cuda
