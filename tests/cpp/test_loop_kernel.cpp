// Elementwise and reduction kernels of C++ (cuprum/loop_kernel.h). Python's tests ask for the rest.
#include <gtest/gtest.h>

#include "cuprum/cuprum.h"

namespace {

namespace cp = cuprum;

class LoopKernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { cp::set_device(GetParam()); }
  void TearDown() override { cp::set_device("cpu"); }
};

TEST_P(LoopKernels, PureBodiesAreRecorded) {
  const cp::elementwise_kernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
  const cp::array z = squared_diff(cp::arange(100.0) + 1.0, 2) * 2.0;
  EXPECT_TRUE(z.is_pending());
  EXPECT_EQ(cp::sum(z).item<double>(), 2 * (99 * 98 * 197 / 6 + 1));
  EXPECT_THROW(squared_diff(cp::arange(3.0), cp::arange(3)), cp::TypeError);
}

TEST_P(LoopKernels, RawBodiesAndSeveralOutputs) {
  const cp::elementwise_kernel turn("raw T x", "T y, int64 place", "y = x[n - 1 - i] * TWO; place = i",
                                    "turn", {.options = {"-DTWO=2"}});
  const cp::array x = cp::arange(4.0);
  const std::vector<cp::array> results = turn.call(std::vector<cp::operand>{x}, 4);
  EXPECT_EQ(results.at(0).to_host<double>(), (std::vector<double>{6, 4, 2, 0}));
  EXPECT_EQ(results.at(1).to_host<std::int64_t>(), (std::vector<std::int64_t>{0, 1, 2, 3}));
}

TEST_P(LoopKernels, Reductions) {
  const cp::reduction_kernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");
  const cp::array x = cp::array::from_host(std::vector<double>{3, 4, 6, 8}).reshape({2, 2});
  EXPECT_EQ(norm.reduce(x, {1}).to_host<double>(), (std::vector<double>{5, 10}));
  EXPECT_EQ(norm.reduce(x, {0}, true).shape(), (cp::shape_type{1, 2}));
  EXPECT_EQ(norm(x * 1.0).item<double>(), std::sqrt(125.0));
}

INSTANTIATE_TEST_SUITE_P(On, LoopKernels, testing::Values("cpu", "far"));

}  // namespace
