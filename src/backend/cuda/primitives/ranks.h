// The rank of every true element of a mask: how many are true before it, in C order.
//
// The mask is cut into tiles; one kernel counts each, one block adds the counts up, and the kernel that uses the ranks
// finds those within its tile itself (count_kernels.cuh, mask_kernels.cuh).
#pragma once

#include "backend/cuda/primitives/mask.h"
#include "backend/cuda/primitives/views.h"

namespace cuprum::cuda::primitives {

/// A mask, counted: true elements before each tile, and at the end their number.
class RankedMask {
 public:
  RankedMask(Context& context, const View& view);
  const Mask& mask() const { return mask_; }
  const std::int64_t* before() const { return before_.get<std::int64_t>(); }
  const std::int64_t* total() const { return before() + tiles_; }

  /// Is this the mask `view`, counted by the backend's call before the present one?
  bool is_still(const View& view, const Context& context) const;

 private:
  View view_;
  std::uint64_t call_;
  Dense dense_;
  Mask mask_;
  std::int64_t tiles_;
  Scratch before_;
};

/// The mask, counted now, or by count_true when that was the last call: who asks for the number uses the mask next.
std::shared_ptr<const RankedMask> ranked(Context& context, const View& mask);

}  // namespace cuprum::cuda::primitives
