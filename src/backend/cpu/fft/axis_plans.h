// The plan of a call: one for the rows of each axis.
#pragma once

#include <memory>
#include <vector>

#include "backend/cpu/fft/rows.h"
#include "runtime/fft_plans.h"

namespace cuprum::cpu::fft {

/// Any layout, any number of rows. Axes of the same length share their tables, with other plans too.
class AxisPlans final : public FftPlan {
 public:
  explicit AxisPlans(const Key& key);

  const RowPlan& operator[](std::size_t axis) const { return *rows_[axis]; }
  std::size_t bytes() const override;

 private:
  std::vector<std::shared_ptr<const RowPlan>> rows_;
};

/// The plans of the CPU; devices that compute on the host use them too.
class CpuPlanCache final : public FftPlanCache {
  std::vector<std::int64_t> layout_of(const Fft&, const View&, const View&) const override { return {}; }
  Plan make(const FftPlan::Key& key) const override { return std::make_shared<const AxisPlans>(key); }
};

}  // namespace cuprum::cpu::fft
