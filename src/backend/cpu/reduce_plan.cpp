#include "backend/cpu/reduce_plan.h"

namespace cuprum::cpu {

ReducePlan::ReducePlan(const Kernel& kernel) {
  SmallVector<Group, 6> all;  // from the inside out
  for (std::size_t d = kernel.shape.size(); d-- > 0;) {
    const bool reduced = kernel.reduced >> d & 1;
    if (kernel.shape[d] == 1) continue;
    if (!all.empty() && all.back().reduced == reduced) {
      all.back().extent *= kernel.shape[d];
    } else {
      all.push_back({kernel.shape[d], reduced});
    }
  }
  std::size_t next = 0;
  const auto take = [&](bool reduced) {
    return next < all.size() && all[next].reduced == reduced ? all[next++].extent : std::int64_t{1};
  };
  cols = take(false);
  rows = take(true);
  lines = take(false);
  for (; next < all.size(); ++next) {
    outer_.push_back(all[next]);
    (all[next].reduced ? outer_reduced : outer_kept) *= all[next].extent;
  }
  narrow = cols < kWide;
  if (narrow) {
    while (groups * cols < kWide) groups *= 2;
    block_rows = kLaneRows * groups;
    unit_rows = kUnitBlocks * block_rows;
  } else {
    block_rows = unit_rows = kWideRows;
  }
  units = (rows + unit_rows - 1) / unit_rows;
}

std::int64_t ReducePlan::offset(std::int64_t kept, std::int64_t reduced) const {
  std::int64_t weight = lines * rows * cols, at = 0;
  for (const Group& group : outer_) {
    std::int64_t& index = group.reduced ? reduced : kept;
    at += index % group.extent * weight;
    index /= group.extent;
    weight *= group.extent;
  }
  return at;
}

}  // namespace cuprum::cpu
