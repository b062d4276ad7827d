// The rank of every true element of a mask: how many are true before it, in C order.
//
// The mask is cut into tiles; one kernel counts each, one block adds the counts up, and the kernel that uses the ranks
// finds those within its tile itself (count_kernels.cuh, mask_kernels.cuh).
#pragma once

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/mask/mask.h"

namespace cuprum::cuda::primitives {

/// A mask, counted: true elements before each tile, and at the end their number.
class RankedMask {
 public:
  RankedMask(Context& context, const View& view);
  const Mask& mask() const { return mask_; }
  const std::int64_t* before() const { return before_.get<std::int64_t>(); }
  const std::int64_t* total() const { return before() + tiles_; }

 private:
  Dense dense_;
  Mask mask_;
  std::int64_t tiles_;
  Scratch before_;
};

/// What count_true gives to the calls that use the mask.
struct CountedRanks final : CountedMask {
  CountedRanks(std::int64_t n, RankedMask counted) : CountedMask(n), ranks(std::move(counted)) {}
  const RankedMask ranks;
};

}  // namespace cuprum::cuda::primitives
