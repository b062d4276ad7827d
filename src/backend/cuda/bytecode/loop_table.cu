// The table of loops. In constant memory: all threads of a warp read the same entry.
#include "backend/cuda/bytecode/loop_table.cuh"

namespace cuprum::cuda::bytecode {

// An array of function addresses must be a list in the source: an entry beyond the last loop is null.
template <int number>
constexpr LoopFn entry() {
  if constexpr (number < kLoopCount) {
    return loop_at<number>();
  } else {
    return nullptr;
  }
}

#define CUPRUM_ENTRIES_8(n)                                                                               \
  entry<(n)>(), entry<(n) + 1>(), entry<(n) + 2>(), entry<(n) + 3>(), entry<(n) + 4>(), entry<(n) + 5>(), \
      entry<(n) + 6>(), entry<(n) + 7>()
#define CUPRUM_ENTRIES_64(n)                                                                              \
  CUPRUM_ENTRIES_8(n), CUPRUM_ENTRIES_8((n) + 8), CUPRUM_ENTRIES_8((n) + 16), CUPRUM_ENTRIES_8((n) + 24), \
      CUPRUM_ENTRIES_8((n) + 32), CUPRUM_ENTRIES_8((n) + 40), CUPRUM_ENTRIES_8((n) + 48),                 \
      CUPRUM_ENTRIES_8((n) + 56)

static_assert(kLoopCount <= kLoopTableSize);
__constant__ LoopFn loop_table[kLoopTableSize] = {
    CUPRUM_ENTRIES_64(0),   CUPRUM_ENTRIES_64(64),  CUPRUM_ENTRIES_64(128), CUPRUM_ENTRIES_64(192),
    CUPRUM_ENTRIES_64(256), CUPRUM_ENTRIES_64(320), CUPRUM_ENTRIES_64(384), CUPRUM_ENTRIES_64(448),
    CUPRUM_ENTRIES_64(512), CUPRUM_ENTRIES_64(576), CUPRUM_ENTRIES_64(640), CUPRUM_ENTRIES_64(704),
    CUPRUM_ENTRIES_64(768), CUPRUM_ENTRIES_64(832), CUPRUM_ENTRIES_64(896), CUPRUM_ENTRIES_64(960),
};

}  // namespace cuprum::cuda::bytecode
