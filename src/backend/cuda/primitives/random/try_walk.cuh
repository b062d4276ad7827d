// Chains of laws that try: a try takes two draws, and gives a number or nothing. So 32 lanes try at once, one
// behind the other. Only an open try (one in eighty of gamma numbers) is a number of unknown length, which
// the warp reads before it goes on.
//
// Here the chain goes from try to try: a number begins behind the number before it, or behind a try that
// failed, which is the same.
#pragma once

#include "backend/cuda/primitives/random/stored_draws.cuh"

namespace cuprum::cuda::primitives {

/// A `Law` has, in addition: attempt(first, second, x), a random::Tried.
struct TryWalk : StoredDraws {
  template <bool kWrites, class R>
  __device__ Walked walk(const R& round, Shared<kWrites>&, std::int32_t segment, ChainPlace entry) const {
    using random::Tried;
    const int lane = threadIdx.x % 32;
    const ChainPlace end = (segment + 1) * kSegment;
    const std::int64_t before = kWrites ? round.before[segment] : 0;
    Walked walked = {0, entry};
    const auto put = [&](std::int64_t i, typename R::Number x, ChainPlace after) {
      if (i >= round.n) return;
      round.put(i, x);
      if (i == round.n - 1) round.end_at(after);
    };
    while (walked.next >= 0 && walked.next < end) {
      const ChainPlace place = walked.next + 2 * lane;
      const bool inside = place < end && place + 2 <= limit;
      typename R::Number x = {};
      const Tried tried = inside ? round.law.attempt(units[place], units[place + 1], x) : Tried::open;
      const unsigned open = __ballot_sync(~0u, tried == Tried::open);
      const int done = open == 0 ? 32 : __ffs(open) - 1;  // tries before the first open one, or the end
      const unsigned accepted =
          __ballot_sync(~0u, tried == Tried::accepted) & (done == 32 ? ~0u : (1u << done) - 1);
      if (kWrites && accepted >> lane & 1)
        put(before + walked.count + __popc(accepted & ((1u << lane) - 1)), x, place + 2);
      walked.count += __popc(accepted);
      walked.next += 2 * done;
      if (done == 32 || walked.next >= end) continue;
      UnitReader reader(static_cast<const UnitsInMemory<kernels::uint64>&>(*this), walked.next, round.forms);
      x = round.law(reader);  // all lanes the same
      if (reader.at() > limit) {
        walked.next = ~walked.next;
      } else {
        walked.next = static_cast<ChainPlace>(reader.at());
        if (kWrites && lane == 0) put(before + walked.count, x, walked.next);
        ++walked.count;
      }
    }
    return walked;
  }
};

}  // namespace cuprum::cuda::primitives
