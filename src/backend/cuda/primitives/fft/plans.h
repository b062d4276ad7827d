// The plan of a call on CUDA: one of cuFFT for each of its transforms (program.h).
#pragma once

#include <memory>
#include <vector>

#include "backend/cuda/primitives/fft/cufft_plan.h"
#include "runtime/fft_plans.h"

namespace cuprum::cuda::fft {

class CudaFftPlan final : public FftPlan {
 public:
  CudaFftPlan(Key key, const DeviceFacts& device);

  const CufftPlan& operator[](std::size_t transform) const { return *plans_[transform]; }
  /// That each of them may use, one after the other.
  std::size_t work_bytes() const { return work_bytes_; }
  /// As CuPy counts them: with the working memory, though no plan keeps any.
  std::size_t bytes() const override;

 private:
  std::vector<std::unique_ptr<CufftPlan>> plans_;
  std::size_t work_bytes_ = 0;
};

/// Plans of a device. They depend on how the operand and the result lie in memory.
class CudaPlanCache final : public FftPlanCache {
 public:
  explicit CudaPlanCache(const DeviceFacts& device) : device_(device) {}

 private:
  std::vector<std::int64_t> layout_of(const Fft& p, const View& in, const View& out) const override;
  Plan make(const FftPlan::Key& key) const override;

  const DeviceFacts& device_;
};

}  // namespace cuprum::cuda::fft
