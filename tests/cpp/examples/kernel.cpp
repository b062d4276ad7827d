// cuprum/kernel.h
#include "examples.h"

TEST(Examples, kernel) {
  // raw_kernel::raw_kernel, raw_kernel::operator()
  {
    const cp::raw_kernel twice(R"(
      extern "C" __global__ void twice(const double* x, double* y, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] = 2 * x[i];
      })",
                               "twice");
    const cp::array x = cp::arange(4.0), y = cp::zeros({4});
    twice(1, 256, x, y, 4);
    shows(y, "[0. 2. 4. 6.]");
  }
  // raw_kernel::launch, raw_kernel::launch_with, kernel_argument::kernel_argument
  {
    const cp::raw_kernel turn(R"(
      extern "C" __global__ void turn(double* x) {
        extern __shared__ double s[];
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
      })",
                              "turn");
    const cp::array x{1.0, 2.0, 3.0};
    turn.launch({.grid = 1, .block = 3, .shared_bytes = 24}, x);
    shows(x, "[3. 2. 1.]");
    const std::vector<cp::kernel_argument> arguments{x};
    turn.launch_with({.grid = 1, .block = 3, .shared_bytes = 24}, arguments);
    shows(x, "[1. 2. 3.]");
  }
  // raw_kernel::attribute, raw_kernel::set_attribute
  {
    const cp::raw_kernel one(R"(extern "C" __global__ void one(double* x) { *x = 1; })", "one");
    one.set_attribute("max_dynamic_shared_size_bytes", 40'000);
    shows(one.attribute("max_dynamic_shared_size_bytes"), "40000");
  }
  // raw_module::raw_module, raw_module::get_function, raw_module::get_global
  {
    const cp::raw_module module(R"(
      __device__ double offset[2];
      template <class T> __global__ void add(T* x) { x[threadIdx.x] += offset[threadIdx.x]; })",
                                {}, {"add<double>"});
    module.get_global<double>("offset")(cp::slice()) = cp::array{10.0, 20.0};
    const cp::array x{1.0, 2.0};
    module.get_function("add<double>")(1, 2, x);
    shows(x, "[11. 22.]");
  }
  // dim3::dim3
  {
    const cp::dim3 line = 256, tile(16, 16);
    shows(line.x * line.y * line.z, "256");
    shows(tile.y, "16");
  }
}
