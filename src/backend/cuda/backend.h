// One CUDA device as a Backend. Thin: each method makes the device current and calls the function of its name (context.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "backend/cuda/memory.h"
#include "backend/cuda/primitives/fft/plans.h"
#include "backend/cuda/stream.h"

namespace cuprum::cuda {

class CudaBackend final : public Backend {
 public:
  /// Throws with the reason when the device cannot be used.
  explicit CudaBackend(int device);
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;

  const char* name() const override { return name_.c_str(); }
  DeviceInfo info() const override;
  std::vector<std::pair<std::string, int>> attributes() const override;

  std::pair<int, int> priorities() const override;

  Ref<Buffer> allocate(Stream& stream, std::size_t nbytes) override;
  bool host_accessible() const override { return false; }
  void copy_to_host(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) override;
  void copy_from_host(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) override;
  void copy_to_host_later(Stream& stream, void* to, const std::byte* from, std::size_t nbytes) override;
  void copy_from_host_later(Stream& stream, std::byte* to, const void* from, std::size_t nbytes) override;
  void prefetch(Stream& stream, std::byte* data, std::size_t nbytes, int device) override;
  void advise(std::byte* data, std::size_t nbytes, int advice, int device) override;
  bool reaches(const Backend& peer) const override;
  bool accesses(const Backend& peer) const override;
  void copy_from_peer(Stream& stream, std::byte* to, Backend& peer, const std::byte* from,
                      std::size_t nbytes) override;
  std::byte* allocate_pinned(std::size_t nbytes) override;
  void free_pinned(std::byte* data) noexcept override;
  bool is_pinned(const void* host) const override;
  bool can_use(const std::byte* data, std::size_t nbytes) override;

  std::unique_ptr<Event> make_event(const EventOptions& options) override;
  double between(Event& start, Event& stop) override;

  void run(Stream& stream, const Kernel& kernel) override;
  bool fuses(const Primitive& call, Operands in, dtype type) const override;
  std::string tier(const Kernel& kernel) const override;
  Fault call(Stream& stream, const Call& call) override;
  std::shared_ptr<UserModule> compile(const ModuleSpec& spec) override;
  bool order_statistics(Stream& stream, const View& in, const Dims& kth, const View& out) override;
  std::shared_ptr<const CountedMask> count_true(Stream& stream, const View& mask) override;
  FftPlanCache& fft_plans() override { return fft_plans_; }

 protected:
  Stream* make_stream(const StreamOptions& options) override;
  Stream* make_external(std::uintptr_t native) override;
  MemorySource& managed_memory() const override { return *managed_; }

 private:
  DeviceFacts facts_;
  std::string name_;
  std::unique_ptr<MemorySource> memory_;
  std::unique_ptr<MemorySource> managed_;
  StagingSets staging_;
  fft::CudaPlanCache fft_plans_{facts_};
};

/// Empty if device `device` can run what this plug-in was compiled for; else the reason with its remedy.
std::string device_problem(int device);

}  // namespace cuprum::cuda
