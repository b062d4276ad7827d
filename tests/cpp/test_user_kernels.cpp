#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cuprum/error.h"
#include "user_kernels.h"

namespace cuprum {
namespace {

using testing::launch;

TEST(UserKernels, ThreadsOfManyBlocks) {
  const auto module = testing::compile(R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void reverse(const float* in, float* out) {
  extern __shared__ float tile[];
  int t = threadIdx.x;
  tile[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = tile[blockDim.x - 1 - t];
}
)");
  const int n = 1000;
  std::vector<float> x(n), y(n, 1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  launch(module, "saxpy", {4}, {256}, 2.0f, x.data(), y.data(), n);
  for (int i = 0; i < n; ++i) EXPECT_EQ(y[i], 2.0f * i + 1);
  std::vector<float> out(1000);
  launch(module, "reverse", {10}, {100}, testing::Shared{400}, x.data(), out.data());
  for (int i = 0; i < n; ++i) EXPECT_EQ(out[i], i / 100 * 100 + 99 - i % 100);
}

}  // namespace
}  // namespace cuprum
