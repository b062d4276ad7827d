// The public kernels of C++ (cuprum/kernel.h): what they compute, what they refuse, and their order. Python's tests ask for the rest.
#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "cuprum/cuprum.h"

namespace {

namespace cp = cuprum;

constexpr const char* kScale = R"(
extern "C" __global__ void scale(const double* x, double* y, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = by * x[i];
})";

class Kernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { cp::set_device(GetParam()); }
  void TearDown() override { cp::set_device("cpu"); }
};

TEST_P(Kernels, ComputeWithPendingOperands) {
  const cp::raw_kernel scale(kScale, "scale");
  const cp::array x = cp::arange(100.0) + 1.0, y = cp::zeros({100});
  ASSERT_TRUE(x.is_pending());
  scale(2, 64, x, y, 3, 100);
  const cp::array z = y - 1.0;
  EXPECT_EQ(z.to_host<double>()[99], 299);
  EXPECT_EQ(cp::sum(y).item<double>(), 3 * 5050);
}

TEST_P(Kernels, ShareMemoryOfAnySize) {
  const cp::raw_kernel turn(R"(
    extern "C" __global__ void turn(int* x) {
      extern __shared__ int s[];
      s[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
    })",
                            "turn");
  const cp::array x = cp::array::from_host(std::vector<std::int32_t>{1, 2, 3});
  turn.launch({.grid = 1, .block = 3, .shared_bytes = 12}, x);
  EXPECT_EQ(x.to_host<std::int32_t>(), (std::vector<std::int32_t>{3, 2, 1}));
}

TEST_P(Kernels, OfTemplatesAndVariables) {
  const cp::raw_module module(R"(
    __device__ float offset[2];
    template <class T> __global__ void add(T* x) { x[threadIdx.x] += offset[threadIdx.x]; })",
                              {}, {"add<double>"});
  const cp::array offset = module.get_global<float>("offset");
  EXPECT_EQ(offset.shape(), cp::shape_type{2});
  offset += cp::array::from_host(std::vector<float>{1, 2}) - offset;
  const cp::array x = cp::zeros({2});
  module.get_function("add<double>")(1, 2, x);
  EXPECT_EQ(x.to_host<double>(), (std::vector<double>{1, 2}));
  EXPECT_THROW(module.get_function("add<int>")(1, 2, x), cp::LoadError);
}

struct Pair {
  int first;
  double second;
};

TEST_P(Kernels, TakeNumbersStructsAndNull) {
  const cp::raw_kernel show(R"(
    struct Pair { int first; double second; };
    extern "C" __global__ void show(Pair pair, float2 z, const int* nothing, bool flag, double* out) {
      out[0] = pair.first; out[1] = pair.second; out[2] = z.x; out[3] = z.y; out[4] = nothing == nullptr; out[5] = flag;
    })",
                            "show");
  const cp::array out = cp::zeros({6});
  show(1, 1, Pair{1, 2.5}, std::complex<float>(3, 4), nullptr, true, out);
  EXPECT_EQ(out.to_host<double>(), (std::vector<double>{1, 2.5, 3, 4, 1, 1}));
}

TEST_P(Kernels, RefuseWhatDoesNotFit) {
  const cp::raw_kernel scale(kScale, "scale");
  const cp::array x = cp::ones({4}), y = cp::zeros({4});
  EXPECT_THROW(scale(1, 4, x, y, 2.0), cp::TypeError);
  EXPECT_THROW(scale(1, 4, x.astype(cp::dtype::float32), y, 2.0, 4), cp::TypeError);
  EXPECT_THROW(scale(1, 4, x, y, std::complex<double>(1, 1), 4), cp::TypeError);
  EXPECT_THROW(scale(1, 4, x, y, 2.0, std::numeric_limits<std::int64_t>::max()), cp::OverflowError);
  EXPECT_THROW(scale(1, 2, x, y.at(cp::slice({}, {}, 2)), 2.0, 2), cp::ValueError);
  EXPECT_THROW(scale(1, 2000, x, y, 2.0, 4), cp::DeviceError);
  EXPECT_THROW(scale.launch({.grid = 1, .block = 4, .shared_bytes = 1 << 20}, x, y, 2.0, 4), cp::DeviceError);
  EXPECT_THROW(cp::raw_kernel("nonsense", "f")(1, 1), cp::CompileError);
  EXPECT_EQ(cp::sum(y).item<double>(), 0);
}

TEST_P(Kernels, HaveAttributes) {
  const cp::raw_kernel scale(kScale, "scale");
  EXPECT_EQ(scale.attribute("max_threads_per_block"), 1024);
  scale.set_attribute("max_dynamic_shared_size_bytes", 60'000);
  EXPECT_EQ(scale.attribute("max_dynamic_shared_size_bytes"), 60'000);
  EXPECT_THROW(scale.attribute("colour"), cp::ValueError);
}

INSTANTIATE_TEST_SUITE_P(Devices, Kernels, testing::Values("cpu", "far"));

}  // namespace
