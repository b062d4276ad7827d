// What LAPACK's routines say of each matrix of a stack (`info`): it stays on the device, and a matrix that
// cannot be treated is told when the thread next waits; with CUPRUM_DEBUG=1 in the call.
#pragma once

#include "backend/cuda/primitives/common/faults.h"

namespace cuprum::cuda::primitives {

/// A word for each of `count` matrices, 0 at first: nothing is wrong.
class Statuses {
 public:
  Statuses(Context& context, std::int64_t count);

  int* at(std::int64_t matrix = 0) const { return memory_.get<int>() + matrix; }
  /// A matrix whose row of `values` (real, `n` of each, without gaps) has a NaN counts as failed.
  void refuse_nan(Context& context, const View& values) const;
  /// NaN in the matrices of `out` (in C order) that failed.
  void fill_failed(Context& context, const View& out) const;
  /// Tells of the first that failed.
  Fault tell(Context& context, const MatrixSite& site, bool stacked) const;

 private:
  std::int64_t count_;
  Scratch memory_;
};

}  // namespace cuprum::cuda::primitives
