#include "backend/cuda/memory.h"

#include <cuda_runtime_api.h>

#include "backend/cuda/context.h"
#include "backend/cuda/current.h"
#include "cuprum/error.h"
#include "runtime/settings.h"

namespace cuprum::cuda {

namespace {

class DeviceMemory final : public MemorySource {
 public:
  explicit DeviceMemory(int device) : device_(device) {
    std::size_t free = 0;
    check(cudaMemGetInfo(&free, &total_), "cudaMemGetInfo");
    int supported = 0;
    check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device),
          "cudaDeviceGetAttribute");
    if (!supported) return;
    cudaMemPoolProps properties = {};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    check(cudaMemPoolCreate(&pool_, &properties), "cudaMemPoolCreate");
    // Without a threshold the pool would return its memory at each synchronisation.
    std::uint64_t keep = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep), "cudaMemPoolSetAttribute");
  }

  std::byte* allocate(std::size_t bytes, Stream* stream) noexcept override {
    const Current current(device_);
    void* block = nullptr;
    const cudaError_t status =
        pool_ ? cudaMallocFromPoolAsync(&block, bytes, pool_, native(stream)) : cudaMalloc(&block, bytes);
    if (status != cudaSuccess) {
      cudaGetLastError();  // a refusal is no fault: nobody else should see it
      return nullptr;
    }
    return static_cast<std::byte*>(block);
  }

  // Errors are not looked at: at the end of the process the driver may be gone already, and after a fault the memory
  // is lost with its context.
  void free(std::byte* block, std::size_t, const Uses& uses) noexcept override {
    const Current current(device_);
    if (!pool_) {  // waits for all streams
      if (cudaFree(block) != cudaSuccess) cudaGetLastError();
      return;
    }
    Stream* last = uses.last() ? &uses.last().stream() : nullptr;
    uses.each([&](const Stamp& stamp) {
      try {
        if (&stamp.stream() != last) last->wait_for(stamp.stream());
      } catch (const Error&) {  // a device that has failed
      }
    });
    if (cudaFreeAsync(block, native(last)) != cudaSuccess) cudaGetLastError();
  }

  /// What the device has free, and what the driver's pool keeps without need.
  std::size_t available() noexcept override {
    const Current current(device_);
    std::size_t free = 0;
    std::size_t total = 0;
    std::uint64_t reserved = 0;
    std::uint64_t used = 0;
    const bool told =
        cudaMemGetInfo(&free, &total) == cudaSuccess &&
        (!pool_ ||
         (cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved) == cudaSuccess &&
          cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used) == cudaSuccess));
    if (told) return free + (reserved - used);
    cudaGetLastError();
    return SIZE_MAX;
  }
  std::size_t total() noexcept override { return total_; }

  std::string problem() noexcept override {
    const Current current(device_);
    return lost_context(cudaStreamQuery(cudaStreamPerThread));
  }

  void trim() noexcept override {
    if (!pool_) return;
    const Current current(device_);
    const bool may_wait = host_functions.load() == 0;  // one of them may wait for this very thread
    if ((may_wait && cudaDeviceSynchronize() != cudaSuccess) || cudaMemPoolTrimTo(pool_, 0) != cudaSuccess)
      cudaGetLastError();
  }

  bool stream_ordered() const override { return pool_ != nullptr; }

  std::string describe() const override { return "the memory of cuda:" + std::to_string(device_); }

 private:
  static cudaStream_t native(const Stream* stream) {
    return stream ? reinterpret_cast<cudaStream_t>(stream->native()) : cudaStreamPerThread;
  }

  int device_;
  std::size_t total_ = 0;
  cudaMemPool_t pool_ = nullptr;
};

class ManagedMemory final : public MemorySource {
 public:
  explicit ManagedMemory(int device) : device_(device) {}

  std::byte* allocate(std::size_t bytes, Stream*) noexcept override {
    const Current current(device_);
    void* block = nullptr;
    if (cudaMallocManaged(&block, bytes) == cudaSuccess) return static_cast<std::byte*>(block);
    cudaGetLastError();
    return nullptr;
  }
  // Waits for all streams, so that nothing is left to be done with it.
  void free(std::byte* block, std::size_t, const Uses&) noexcept override {
    const Current current(device_);
    if (cudaFree(block) != cudaSuccess) cudaGetLastError();
  }
  std::string describe() const override { return "managed memory of cuda:" + std::to_string(device_); }

 private:
  int device_;
};

}  // namespace

std::size_t cache_limit() {
  if (const auto asked = settings().cuda_pool_limit) return *asked;
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return total / 2;
}

std::unique_ptr<MemorySource> device_memory(int device) { return std::make_unique<DeviceMemory>(device); }

std::unique_ptr<MemorySource> managed_memory_of(int device) {
  return std::make_unique<ManagedMemory>(device);
}

}  // namespace cuprum::cuda
