// One CUDA device as a Backend. Thin: each method makes the device current and calls the function of its name (context.h).
#pragma once

#include <string>

#include "backend/cuda/context.h"
#include "backend/cuda/memory.h"
#include "backend/cuda/transfer.h"

namespace cuprum::cuda {

class CudaBackend final : public Backend {
 public:
  /// Throws with the reason when the device cannot be used.
  explicit CudaBackend(int device);
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;

  const char* name() const override { return name_.c_str(); }
  DeviceInfo info() const override;

  Ref<Buffer> allocate(std::size_t nbytes) override;
  void free(std::byte* data, std::size_t nbytes) noexcept override;
  MemoryStats memory_stats() const override;
  void reset_peak() override;
  void free_all_blocks() override;
  void set_memory_limit(std::size_t nbytes) override;
  bool host_accessible() const override { return false; }
  void copy_to_host(void* to, const std::byte* from, std::size_t nbytes) override;
  void copy_from_host(std::byte* to, const void* from, std::size_t nbytes) override;
  void synchronize() override;
  bool idle() override;
  std::byte* allocate_pinned(std::size_t nbytes) override;
  void free_pinned(std::byte* data) noexcept override;
  bool can_use(const std::byte* data, std::size_t nbytes) override;

  std::unique_ptr<Event> make_event() override;
  double elapsed(Event& start, Event& stop) override;
  std::uintptr_t native_stream() const override;
  void release_to(std::uintptr_t stream) override;
  void wait_for(std::uintptr_t stream) override;

  void run(const Kernel& kernel) override;
  std::string tier(const Kernel& kernel) const override;
  IndexFault call(const Call& call) override;
  bool order_statistics(const View& in, const Dims& kth, const View& out) override;
  std::unique_ptr<const CountedMask> count_true(const View& mask) override;

  Context& context() { return context_; }

 private:
  Context context_;
  std::string name_;
  std::unique_ptr<Memory> memory_;
  std::unique_ptr<Transfer> transfer_;
};

/// Empty if device `device` can run what this plug-in was compiled for; else the reason with its remedy.
std::string device_problem(int device);

}  // namespace cuprum::cuda
