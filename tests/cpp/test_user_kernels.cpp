// A program's own kernels on the host: compiling, names, options, errors, launches. Threads that wait are in test_user_kernels_threads.cpp,
// the language's functions in test_user_kernels_language.cpp.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "backend/cpu/user_kernels/head.h"
#include "cuprum/error.h"
#include "runtime/kernel_text/survey.h"
#include "user_kernels.h"

namespace cuprum {
namespace {

using testing::launch;
using testing::Shared;

template <class F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const char* const kPlain = R"(
extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
namespace deep { namespace inside {
__device__ int offset = 5;
__global__ void fill(int* out) { out[threadIdx.x] = threadIdx.x + offset; }
} }
__global__ void where(int* out) {
  unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[b * blockDim.x * blockDim.y * blockDim.z + t] = b * 1000 + t;
}
template <class T, int n> __global__ void scale(T* x) { x[threadIdx.x] *= n; }
template <class T> __device__ T constant_of;
__constant__ float weights[4];
static __device__ int counter = 7;
extern "C" __device__ double table[3] = {1, 2, 3};
__global__ void use_globals(float* out) {
  out[threadIdx.x] = weights[threadIdx.x] + counter + table[1];
  if (threadIdx.x == 3) counter = 9;
}
__global__ void overloaded(int* x) { *x = 1; }
__global__ void overloaded(float* x) { *x = 2; }
#define KERNEL(name) extern "C" __global__ void name(int* out)
KERNEL(from_macro) { *out = N; }
struct Point { double x, y; int tag; };
__global__ void takes_struct(Point p, short s, Point* out) { *out = Point{p.y, p.x, p.tag + s}; }
__global__ void local_array(const int* in, int* out) {
  int window[5];
  for (int k = 0; k < 5; ++k) window[k] = in[threadIdx.x + k];
  for (int k = 0; k < 2; ++k) { int t = window[k]; window[k] = window[4 - k]; window[4 - k] = t; }
  int value = 0;
  for (int k = 0; k < 5; ++k) value = value * 10 + window[k];
  out[threadIdx.x] = value;
}
__global__ void asserts(int n) { assert(n > 3 && "more than three"); }
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive(int* out) { out[threadIdx.x] = fibonacci(threadIdx.x); }
__shared__ int outside[4];
__global__ void tile_of_one(int* out) { outside[threadIdx.x] = threadIdx.x; out[threadIdx.x] = outside[threadIdx.x]; }
)";

const std::shared_ptr<UserModule>& plain() {
  static const auto module =
      testing::compile(kPlain, {"scale<float, 3>", "scale<long long,-2>", "&constant_of<short>"}, {"-DN=42"});
  return module;
}

TEST(UserKernels, BlocksAndThreads) {
  const int n = 1000;
  std::vector<float> x(n), y(n, 1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  launch(plain(), "saxpy", {4}, {256}, 2.0f, x.data(), y.data(), n);
  for (int i = 0; i < n; ++i) EXPECT_EQ(y[i], 2.0f * static_cast<float>(i) + 1);
  for (const Extent3 block : {Extent3{1, 1, 1}, Extent3{7, 3, 2}, Extent3{1, 64, 4}, Extent3{33, 1, 31}}) {
    const Extent3 grid{3, 5, 2};
    const auto threads = static_cast<int>(block.count()), blocks = static_cast<int>(grid.count());
    std::vector<int> out(static_cast<std::size_t>(threads * blocks));
    launch(plain(), "where", grid, block, out.data());
    for (int i = 0; i < threads * blocks; ++i) EXPECT_EQ(out[i], i / threads * 1000 + i % threads);
  }
}

TEST(UserKernels, ArraysOfThreadsAreTheirOwn) {
  std::vector<int> in(100), out(96);
  for (int i = 0; i < 100; ++i) in[i] = i % 7;
  launch(plain(), "local_array", {1}, {96}, in.data(), out.data());
  for (int i = 0; i < 96; ++i) {
    int expected = 0;
    for (int k = 4; k >= 0; --k) expected = expected * 10 + (i + k) % 7;
    EXPECT_EQ(out[i], expected);
  }
  launch(plain(), "recursive", {1}, {16}, out.data());
  EXPECT_EQ(out[15], 610);
  launch(plain(), "tile_of_one", {1}, {4}, out.data());
  EXPECT_EQ(out[3], 3);
}

TEST(UserKernels, Names) {
  std::vector<int> out(8);
  launch(plain(), "deep::inside::fill", {1}, {8}, out.data());
  EXPECT_EQ(out[7], 12);
  float value = 2;
  launch(plain(), "scale<float, 3>", {1}, {1}, &value);
  EXPECT_EQ(value, 6);
  long long whole = 5;
  launch(plain(), "scale<long long,-2>", {1}, {1}, &whole);
  EXPECT_EQ(whole, -10);
  launch(plain(), "from_macro", {1}, {1}, out.data());
  EXPECT_EQ(out[0], 42);
  const std::string error = error_of([] { plain()->function("nothing"); });
  EXPECT_TRUE(holds(error, "no kernel 'nothing'") && holds(error, "'saxpy'")) << error;
  EXPECT_THROW(plain()->function("overloaded"), DeviceError);
  EXPECT_EQ(plain()->function("saxpy"), plain()->function("saxpy"));
}

TEST(UserKernels, Variables) {
  const auto [weights, bytes] = plain()->global("weights");
  ASSERT_EQ(bytes, 4 * sizeof(float));
  const float values[] = {1, 2, 3, 4};
  std::memcpy(weights, values, bytes);
  std::vector<float> out(4);
  launch(plain(), "use_globals", {1}, {4}, out.data());
  EXPECT_EQ(out, (std::vector<float>{10, 11, 12, 13}));
  const auto counter = plain()->global("counter");
  EXPECT_EQ(*reinterpret_cast<int*>(counter.first), 9);
  EXPECT_EQ(plain()->global("table").second, 3 * sizeof(double));
  EXPECT_EQ(*reinterpret_cast<int*>(plain()->global("deep::inside::offset").first), 5);
  EXPECT_EQ(plain()->global("&constant_of<short>").second, sizeof(short));
  EXPECT_THROW(plain()->global("nothing"), DeviceError);
}

TEST(UserKernels, Parameters) {
  struct Point {
    double x, y;
    int tag;
  };
  Point out{};
  launch(plain(), "takes_struct", {1}, {1}, Point{1, 2, 3}, short{4}, &out);
  EXPECT_EQ(out.x, 2);
  EXPECT_EQ(out.y, 1);
  EXPECT_EQ(out.tag, 7);
  EXPECT_TRUE(holds(error_of([&] { launch(plain(), "saxpy", {1}, {1}, 2.0f); }), "has 4 parameters"));
  const std::string error = error_of([&] { launch(plain(), "saxpy", {1}, {1}, 2.0f, 1.0f, &out, 1); });
  EXPECT_TRUE(holds(error, "parameter 2") && holds(error, "an address")) << error;
}

TEST(UserKernels, LaunchesThatCudaRefuses) {
  std::vector<int> out(8);
  const auto refused = [&](Extent3 grid, Extent3 block, std::uint32_t shared = 0) {
    return error_of([&] { launch(plain(), "from_macro", grid, block, Shared{shared}, out.data()); });
  };
  EXPECT_TRUE(holds(refused({1}, {1025}), "at most 1024"));
  EXPECT_TRUE(holds(refused({1}, {1, 1, 65}), "64 along z"));
  EXPECT_TRUE(holds(refused({1}, {0}), "at least 1"));
  EXPECT_TRUE(holds(refused({1, 65536}, {1}), "65535"));
  EXPECT_TRUE(holds(refused({1}, {1}, 50000), "max_dynamic_shared_size_bytes"));
  const auto function = plain()->function("from_macro");
  function->set_attribute("max_dynamic_shared_size_bytes", 60000);
  EXPECT_EQ(function->attribute("max_dynamic_shared_size_bytes"), 60000);
  EXPECT_EQ(refused({1}, {1}, 50000), "");
  EXPECT_THROW(function->set_attribute("max_dynamic_shared_size_bytes", 300000), DeviceError);
  EXPECT_THROW(function->set_attribute("num_regs", 3), ValueError);
  EXPECT_THROW(function->attribute("colour"), ValueError);
  for (const char* key : {"max_threads_per_block", "num_regs", "ptx_version", "binary_version"})
    EXPECT_GT(function->attribute(key), 0) << key;
}

TEST(UserKernels, AFailedAssertionIsAnError) {
  const std::string error = error_of([] { launch(plain(), "asserts", {2}, {64}, 3); });
  EXPECT_TRUE(holds(error, "assertion n > 3") && holds(error, "in kernel asserts")) << error;
  launch(plain(), "asserts", {2}, {64}, 4);
}

TEST(UserKernels, CompileErrorsShowTheLine) {
  const std::string error = error_of([] {
    testing::compile(R"(
__device__ float twice(float x) { return 2 * x; }
extern "C" __global__ void wrong(float* y) {
  y[threadIdx.x] = twice(z);
}
)");
  });
  EXPECT_TRUE(holds(error, ">    4 |   y[threadIdx.x] = twice(z);")) << error;
  EXPECT_TRUE(holds(error, "'z' was not declared")) << error;
  const std::string in_template = error_of([] {
    testing::compile("template <class T> __global__ void f(T* x) {\n  x->missing();\n}\n", {"f<float>"});
  });
  EXPECT_TRUE(holds(in_template, ">    2 |   x->missing();")) << in_template;
  const std::string name = error_of([] { testing::compile("__global__ void f(int* x) {}\n", {"g<float>"}); });
  EXPECT_TRUE(holds(name, "name_expressions:1")) << name;
  const std::string ptx =
      error_of([] { testing::compile("__global__ void f() {\n asm(\"bar.sync 0;\");\n}"); });
  EXPECT_TRUE(holds(ptx, "line 2")) << ptx;
  EXPECT_THROW(testing::compile("#include \"missing.h\"\n"), CompileError);
  EXPECT_THROW(testing::compile("__device__ int f(); __global__ void k(int* x) { *x = f(); }"), CompileError);
}

TEST(UserKernels, Options) {
  const std::string code = R"(
#include "offset.cuh"
__global__ void k(double* out, double a, double b, double c) { out[0] = a * b - c; out[1] = OFFSET + M; }
)";
  const auto folder = std::filesystem::temp_directory_path() / ("cuprum_test_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const auto run = [&](std::vector<std::string> options, int offset) {
    std::ofstream(folder / "offset.cuh") << "#define OFFSET " << offset << "\n";
    options.insert(options.end(),
                   {"-I" + folder.string(), "-D", "M=1", "--std=c++14", "-lineinfo", "-arch=sm_80"});
    std::vector<double> out(2);
    launch(testing::compile(code + "// " + std::to_string(offset), {}, options), "k", {1}, {1}, out.data(),
           1 + 0x1p-30, 1 - 0x1p-30, 1.0);
    return out;
  };
  EXPECT_EQ(run({"--fmad=false"}, 3), (std::vector<double>{0, 4}));
  EXPECT_EQ(run({"--use_fast_math"}, 5)[1], 6);
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(holds(error_of([] { testing::compile("", {}, {"--no-such"}); }), "'--no-such' is not known"));
  EXPECT_TRUE(holds(error_of([] { testing::compile("", {}, {"-std=c++99"}); }), "-std=c++99"));
}

/// How a kernel with this body is found to run.
cpu::Head::Kind kind_of(const std::string& body) {
  const std::string text =
      "__global__ void f(const int* x, int* y, int n) { "
      "int i = blockIdx.x * blockDim.x + threadIdx.x, j = threadIdx.y; " +
      body + " }";
  const std::vector<Token> tokens = own_tokens(text);
  const Survey found = survey(tokens);
  return cpu::read_head(tokens, found.texts.at(0), found).kind;
}

TEST(UserKernels, HeadsWhoseThreadsAreNeighbours) {
  using cpu::Head;
  for (const char* body : {"if (i < n) y[i] = 1;", "if (0 < i && i < n - 1 && j % 2 == 0) y[i] = 1;",
                           "if (i >= n || i < 1 || (j > 3 && n > 5)) return; y[i] = 1;",
                           "if (i < 1) return; if (n > (i)) y[i] = 1; else y[0] = 1;"}) {
    EXPECT_EQ(kind_of(body), Head::spans) << body;
  }
  // Wrong answers here would skip conditions of threads for whom they do not hold.
  for (const char* body :
       {"if (i < 3 || i > 9) y[i] = 1;", "if (i % 3 == 1) y[i] = 1;",
        "if (i == 7 || i >= n) return; y[i] = 1;", "if (i > 3 && i < n) return; y[i] = 1;",
        "if (i > 2 && i < 5 && j ? 0 : 1) y[i] = 1;", "if (i - 5u > 3) y[i] = 1;",
        "if (!(i > 2 && i < 5)) y[i] = 1;", "if (i < n & 1) y[i] = 1;",
        "unsigned char c = i; if (c < 5) y[i] = 1;", "short s = threadIdx.x; if (s < n) y[i] = 1;",
        "if (i < n - i) y[i] = 1;", "if (i < n << 1) y[i] = 1;"}) {
    EXPECT_EQ(kind_of(body), Head::asks) << body;
  }
  EXPECT_EQ(kind_of("for (int k = i; k < n; k += gridDim.x * blockDim.x) y[k] = 1;"), Head::walks);
  EXPECT_EQ(kind_of("for (; i < n; i += gridDim.x * blockDim.x) y[i] = 1;"), Head::strides);
  EXPECT_EQ(kind_of("if (x[i] > 0) y[i] = 1;"), Head::none);
}

TEST(UserKernels, OneCompilationForEqualTexts) {
  const std::string code = "__global__ void once(int* x) { *x = 3; }";
  std::vector<std::shared_ptr<UserModule>> modules(4);
  {
    std::vector<std::jthread> threads;
    for (auto& module : modules) threads.emplace_back([&] { module = testing::compile(code); });
  }
  for (const auto& module : modules) EXPECT_EQ(module, modules[0]);
  EXPECT_NE(testing::compile(code, {}, {"-DX"}), modules[0]);
}

}  // namespace
}  // namespace cuprum
