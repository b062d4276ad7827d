// cuFFT, opened when the first transform needs it.
#pragma once

#include <mutex>

#include "backend/cuda/context.h"
#include "backend/cuda/primitives/fft/lines.h"

namespace cuprum::cuda {

/// A plan of cuFFT. It has no working memory of its own: each call gets some for its length. Any thread may use it, on any stream.
class CufftPlan {
 public:
  /// Made for the device, which is current.
  CufftPlan(const DeviceFacts& device, const fft::Lines& lines);
  ~CufftPlan();
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  std::size_t work_bytes() const { return work_bytes_; }
  /// `work` has work_bytes(). `backward` counts for complex points alone.
  void run(Context& context, std::byte* from, std::byte* to, bool backward, std::byte* work) const;

 private:
  const int device_;
  const fft::Lines lines_;
  int handle_ = -1;
  std::size_t work_bytes_ = 0;
  mutable std::mutex mutex_;  // stream and working memory are set, then used
};

}  // namespace cuprum::cuda
