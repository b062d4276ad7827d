#include "backend/cuda/primitives/ranks.h"

#include "backend/cuda/primitives/count_kernels.cuh"

namespace cuprum::cuda {

namespace primitives {

RankedMask::RankedMask(Context& context, const View& view)
    : view_(view),
      call_(context.calls),
      dense_(context, view),
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

bool RankedMask::is_still(const View& view, const Context& context) const {
  return context.calls == call_ + 1 && view_.data == view.data && view_.shape == view.shape &&
         view_.strides == view.strides;
}

std::shared_ptr<const RankedMask> ranked(Context& context, const View& mask) {
  const std::shared_ptr<RankedMask> counted = std::exchange(context.counted, nullptr);
  if (counted && counted->is_still(mask, context)) return counted;
  return std::make_shared<RankedMask>(context, mask);
}

}  // namespace primitives

std::int64_t count_true(Context& context, const View& mask) {
  using namespace primitives;
  if (size_of(mask) == 0) return 0;
  context.counted = nullptr;
  const auto counted = std::make_shared<RankedMask>(context, mask);
  std::int64_t count = 0;
  read_back(context, &count, counted->total(), sizeof(count));
  raise_index_fault(context);
  if (count > 0) context.counted = counted;
  return count;
}

}  // namespace cuprum::cuda
