// A stream of a CUDA device: the native one, the state of what is handed to it (context.h), and the events by which others
// wait for it.
#pragma once

#include "backend/cuda/context.h"
#include "backend/cuda/transfer.h"

namespace cuprum::cuda {

class CudaStream final : public Stream {
 public:
  /// Takes `native` over, or, where it is of others, uses it.
  CudaStream(Backend& device, const DeviceFacts& facts, cudaStream_t native, bool external,
             const StreamOptions& options);

  std::uintptr_t native() const override { return reinterpret_cast<std::uintptr_t>(context.stream); }
  bool done() override;
  void synchronize() override;
  void wait_for(Stream& other) override;
  void wait_for_native(std::uintptr_t other) override;
  void release_to_native(std::uintptr_t other) override;
  void launch_host(const std::function<void()>& function) override;
  void leave() override;

  Context context;
  Transfer transfer;

 private:
  /// An event behind all that the stream was given so far.
  cudaEvent_t point();

  const bool external_;
  cudaEvent_t point_ = nullptr;
  std::uint64_t left_at_ = 0;  // of an external stream: `point_` stands for everything up to this number
};

inline CudaStream& cuda_stream(Stream& stream) { return static_cast<CudaStream&>(stream); }
inline Context& context_of(Stream& stream) { return cuda_stream(stream).context; }

}  // namespace cuprum::cuda
