// Chains of any law: at each of 32 places a lane draws the number that would begin there, and knows where the
// next one begins; then the chain is followed through the 32, twice as far in each of five steps.
#pragma once

#include "backend/cuda/primitives/random/stored_draws.cuh"

namespace cuprum::cuda::primitives {

struct PlaceWalk : StoredDraws {
  template <bool kWrites, class R>
  __device__ Walked walk(const R& round, Shared<kWrites>&, std::int32_t segment, ChainPlace entry) const {
    const int lane = threadIdx.x % 32;
    const ChainPlace end = (segment + 1) * kSegment;
    const std::int64_t before = kWrites ? round.before[segment] : 0;
    Walked walked = {0, entry};
    while (walked.next >= 0 && walked.next < end) {
      const ChainPlace place = walked.next + lane;
      ChainPlace after = ~place;  // it runs over the end
      typename R::Number x = {};
      if (place < limit) {
        UnitReader reader(static_cast<const UnitsInMemory<kernels::uint64>&>(*this), place, round.forms);
        x = round.law(reader);
        // A law that read nothing would stand still; such parameters are not brought here.
        if (reader.at() <= limit) after = max(static_cast<ChainPlace>(reader.at()), place + 1);
      }
      const bool whole = after >= 0 && place < end;
      const unsigned reached = chain(whole ? after - walked.next : 32, lane);
      const unsigned numbers = __ballot_sync(~0u, whole) & reached;
      const std::int64_t i = before + walked.count + __popc(numbers & ((1u << lane) - 1));
      if (kWrites && numbers >> lane & 1 && i < round.n) {
        round.put(i, x);
        if (i == round.n - 1) round.end_at(after);
      }
      walked.count += __popc(numbers);
      // The last place that was reached says where to go on; one behind the segment's end is another's.
      const int last = 31 - __clz(reached);
      const ChainPlace stop = __shfl_sync(~0u, place < end ? after : place, last);
      walked.next = stop;
    }
    return walked;
  }

 private:
  /// The lanes that are reached from lane 0, where lane i leads to lane `to`; 32 and more lead nowhere.
  __device__ static unsigned chain(int to, int lane) {
    unsigned reached = 1;
#pragma unroll
    for (int step = 0; step < 5; ++step) {
      const bool leads = reached >> lane & 1 && to < 32;
      reached |= __reduce_or_sync(~0u, leads ? 1u << to : 0u);
      const int further = __shfl_sync(~0u, to, to & 31);
      if (to < 32) to = further;
    }
    return reached;
  }
};

}  // namespace cuprum::cuda::primitives
