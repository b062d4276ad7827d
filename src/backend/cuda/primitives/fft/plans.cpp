#include "backend/cuda/primitives/fft/plans.h"

#include <algorithm>

#include "backend/cuda/current.h"
#include "backend/cuda/primitives/fft/program.h"

namespace cuprum::cuda::fft {

CudaFftPlan::CudaFftPlan(Key key, const DeviceFacts& device) : FftPlan(std::move(key)) {
  for (const Lines& lines : read(std::span(this->key().layout).subspan(1))) {
    plans_.push_back(std::make_unique<CufftPlan>(device, lines));
    work_bytes_ = std::max(work_bytes_, plans_.back()->work_bytes());
  }
}

std::size_t CudaFftPlan::bytes() const {
  return sizeof(CudaFftPlan) + plans_.size() * sizeof(CufftPlan) + work_bytes_;
}

/// The device, then the lines: a program may hold a plan of another device than that of its arrays.
std::vector<std::int64_t> CudaPlanCache::layout_of(const Fft& p, const View& in, const View& out) const {
  std::vector<std::int64_t> layout = written(program_of(p, in, out).lines());
  layout.insert(layout.begin(), device_.device);
  return layout;
}

FftPlanCache::Plan CudaPlanCache::make(const FftPlan::Key& key) const {
  refuse_after_fork();
  const Current current(device_.device);
  return std::make_shared<const CudaFftPlan>(key, device_);
}

}  // namespace cuprum::cuda::fft
