// Calls that the CPU computes for another device: operands as they lie, results where the device has them.
#include <gtest/gtest.h>

#include <vector>

#include "ops/creation.h"
#include "ops/support.h"
#include "runtime/far.h"
#include "runtime/on_host.h"

namespace cuprum {
namespace {

TEST(OnHost, OperandsWithGapsAndResultsOfADevice) {
  Backend& far = far_backend();
  const Array all = ops::arange(0.0, 12.0, 1.0, far);
  evaluate({&all, 1});
  // Every second element from the end: 11, 9, ..., 1.
  const Array reversed = all.view(Dims{6}, Dims{-16}, 88);
  const Array result = make_array(far, dtype::float64, Dims{6});
  const View in = readable(reversed), out = writable(result);
  const Primitive primitive = Sort{};
  EXPECT_LT(call_on_host(far.first_stream(), {primitive, {&in, 1}, {&out, 1}}).axis, 0);
  std::vector<double> host(6);
  copy_to_host(result, host.data());
  EXPECT_EQ(host, (std::vector<double>{1, 3, 5, 7, 9, 11}));
}

}  // namespace
}  // namespace cuprum
