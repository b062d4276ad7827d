#include "backend/cuda/primitives/mask/ranks.h"

#include "backend/cuda/primitives/mask/count_kernels.cuh"

namespace cuprum::cuda {

namespace primitives {

RankedMask::RankedMask(Context& context, const View& view)
    : dense_(context, view),
      mask_(dense_.view().data, size_of(view)),
      tiles_(ceil_div(mask_.size, kMaskTile)),
      before_(context, static_cast<std::size_t>(tiles_ + 1) * 8) {
  auto* counts = before_.get<std::int64_t>();
  if (tiles_ > 0) {
    count_tiles<<<block_count(tiles_, kMaskWarps), kMaskThreads, 0, context.stream>>>(mask_, tiles_, counts);
    launched(context, "count_true");
  }
  sum_counts<<<1, kSumThreads, 0, context.stream>>>(counts, tiles_);
  launched(context, "count_true");
}

}  // namespace primitives

std::shared_ptr<const CountedMask> count_true(Context& context, const View& mask) {
  using namespace primitives;
  if (size_of(mask) == 0) return std::make_shared<CountedMask>(0);
  RankedMask ranks(context, mask);
  std::int64_t count = 0;
  read_back(context, &count, ranks.total(), sizeof(count));
  raise_late_fault(context);
  return std::make_shared<CountedRanks>(count, std::move(ranks));
}

}  // namespace cuprum::cuda
