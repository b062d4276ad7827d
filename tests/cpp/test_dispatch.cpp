// The choice of an instruction-set level, and that CUPRUM_CALL_LEVEL follows it.
#include "backend/cpu/dispatch.h"

#include <gtest/gtest.h>

namespace cuprum {

namespace v2 {
SimdLevel here() { return SimdLevel::v2; }
}  // namespace v2
namespace v3 {
SimdLevel here() { return SimdLevel::v3; }
}  // namespace v3
namespace v4 {
SimdLevel here() { return SimdLevel::v4; }
}  // namespace v4
namespace plain {
SimdLevel here() { return SimdLevel::plain; }
}  // namespace plain

TEST(Dispatch, CallsTheChosenLevel) { EXPECT_EQ(CUPRUM_CALL_LEVEL(here()), simd_level()); }

TEST(Dispatch, EveryLevelHasAName) {
  for (const SimdLevel level : {SimdLevel::v2, SimdLevel::v3, SimdLevel::v4, SimdLevel::plain}) {
    EXPECT_STRNE(name(level), "");
  }
}

}  // namespace cuprum
