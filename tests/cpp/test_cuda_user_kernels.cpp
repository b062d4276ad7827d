// A program's own kernels compile with NVRTC for a GPU: those of the guide, what elementwise and reduction kernels become, the headers that
// they include, and fused kernels that call a program's function. No GPU is needed, only the library: without it the tests are skipped.
//
// CompilingBackend is a GPU that compiles everything it is given and runs nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "backend/cuda/libraries.h"
#include "backend/cuda/user_kernels/compile.h"
#include "codegen/row_plan.h"
#include "codegen/source.h"
#include "cuprum/error.h"
#include "expr/engine.h"
#include "jit/headers.h"
#include "jit/nvrtc.h"
#include "ops/elementwise_kernel.h"
#include "ops/reduction_kernel.h"
#include "runtime/pool.h"
#include "runtime/stages.h"

namespace cuprum::cuda {
namespace {

constexpr int kArchitecture = 90;

/// Answers what a launch asks for.
class NoFunction final : public UserFunction {
 public:
  using UserFunction::UserFunction;
  void check(const Launch&) const override {}
  const std::vector<ParameterType>* parameters() const override { return &parameters_; }
  int attribute(std::string_view) const override { return 0; }
  void set_attribute(std::string_view, int) override {}

 private:
  const std::vector<ParameterType> parameters_{{.pointer = true, .size = 16, .text = "void*"}};
};

class NoModule final : public UserModule {
 public:
  explicit NoModule(ModuleImage image) : image_(std::move(image)) {}
  std::shared_ptr<UserFunction> function(const std::string& name) override {
    for (const ModuleImage::Name& n : image_.names) {
      if (n.name == name) return std::make_shared<NoFunction>(name);
    }
    throw DeviceError("no kernel " + name);
  }
  std::pair<std::byte*, std::size_t> global(const std::string& name) override { throw DeviceError(name); }
  std::string log() override { return image_.log; }

 private:
  const ModuleImage image_;
};

class PlainMemory final : public MemorySource {
 public:
  std::byte* allocate(std::size_t nbytes, Stream*) noexcept override {
    return static_cast<std::byte*>(std::aligned_alloc(64, nbytes));
  }
  void free(std::byte* block, std::size_t, const Uses&) noexcept override { std::free(block); }
  std::string describe() const override { return "host memory"; }
};

class CompilingBackend final : public Backend {
 public:
  CompilingBackend() { set_pool(std::make_unique<Pool>(memory_, Pool::Options{.device = this})); }
  const char* name() const override { return "compiling"; }
  DeviceInfo info() const override { return {.description = "no GPU", .compute_capability = kArchitecture}; }
  bool host_accessible() const override { return true; }
  void copy_to_host(Stream&, void* to, const std::byte* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }
  void copy_from_host(Stream&, std::byte* to, const void* from, std::size_t nbytes) override {
    std::memcpy(to, from, nbytes);
  }
  /// A kernel of several stages in both forms: as one launch where it has a plan, and split.
  void run(Stream& stream, const Kernel& kernel) override {
    if (!kernel.stages.empty()) {
      Plan plan;
      if (make_row_plan(kernel, has_clusters(kArchitecture), plan)) compile_fused(kernel, plan);
      for (const Kernel& part : split(kernel).kernels) run(stream, part);
      return;
    }
    for (const Pass pass : passes_of(kernel)) {
      Plan plan;
      make_plan(kernel, pass, true, plan);
      compile_fused(kernel, plan);
    }
  }
  Fault call(Stream&, const Call&) override {
    ++calls;
    return {};
  }
  std::shared_ptr<const CountedMask> count_true(Stream&, const View&) override { return nullptr; }
  std::shared_ptr<UserModule> compile(const ModuleSpec& spec) override {
    return std::make_shared<NoModule>(compile_module(spec, kArchitecture));
  }
  static Compilation compile(const std::string& source, const Target& target) {
    return cuda::compile(source, target);
  }

  int fused = 0, calls = 0;

 private:
  void compile_fused(const Kernel& kernel, const Plan& plan) {
    const std::string source = make_source(kernel, plan);
    const Compilation made = compile(source, target_for(kArchitecture));
    if (made.image.empty()) throw Error(made.log + "\n" + source);
    ++fused;
  }

  PlainMemory memory_;
};

class CudaUserKernels : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_version();
    } catch (const std::exception& error) {
      GTEST_SKIP() << error.what();
    }
  }

  static CompilingBackend& device() {
    static auto* const backend = new CompilingBackend;
    return *backend;
  }
  static bool has_toolkit() { return !nvidia_header_folders().empty(); }
  static ModuleImage compiled(const std::string& code, std::vector<std::string> options = {},
                              std::vector<std::string> names = {}) {
    return compile_module({code, std::move(options), std::move(names)}, kArchitecture);
  }
  static Array array(dtype type, const Dims& shape) { return make_array(device(), type, shape); }
};

TEST_F(CudaUserKernels, KernelsOfTheGuideCompile) {
  std::ifstream file(CUPRUM_SOURCE_DIR "/docs/guide/kernels.md");
  std::ostringstream page;
  page << file.rdbuf();
  const std::string text = page.str();
  int found = 0;
  for (std::size_t at = 0; (at = text.find("r\"\"\"", at)) != std::string::npos;) {
    const std::size_t end = text.find("\"\"\"", at + 4);
    const std::string code = text.substr(at + 4, end - at - 4);
    at = end + 3;
    if (code.find("__global__") == std::string::npos) continue;
    if (code.find("cooperative_groups") != std::string::npos && !has_toolkit()) continue;
    EXPECT_TRUE(compiled(code).described) << code;
    ++found;
  }
  EXPECT_GE(found, 3);
}

TEST_F(CudaUserKernels, NamesAndSymbols) {
  const ModuleImage image = compiled(
      "#define T float\nnamespace a {\n__global__ void k(const T* x, int n) {}\n}\n"
      "template <class V> __global__ void scale(V* x) {}\n__constant__ float w[4];\n",
      {"-std=c++14", "-DX=1"}, {"scale<double>", "&w"});
  ASSERT_TRUE(image.described);
  ASSERT_EQ(image.names.size(), 3u);
  EXPECT_EQ(image.names[0].symbol, "_Z5scaleIdEvPT_");
  EXPECT_EQ(image.names[1].symbol, "w");
  EXPECT_EQ(image.names[2].name, "a::k");
  EXPECT_EQ(image.names[2].symbol, "_ZN1a1kEPKfi");
}

TEST_F(CudaUserKernels, KernelsThatTheCompilerDoesNotKnowAreNotDescribed) {
  const ModuleImage image =
      compiled("#if 0\n__global__ void absent(int n) {}\n#endif\nextern \"C\" __global__ void f() {}\n");
  EXPECT_FALSE(image.described);
  EXPECT_FALSE(image.code.empty());
}

TEST_F(CudaUserKernels, ErrorsShowTheProgramsLine) {
  try {
    compiled("extern \"C\" __global__ void f(float* x) {\n    x[0] = nonsense;\n}");
    FAIL();
  } catch (const CompileError& error) {
    EXPECT_NE(std::string(error.what()).find(">    2 |     x[0] = nonsense;\n"), std::string::npos)
        << error.what();
  }
  EXPECT_THROW(compiled("extern \"C\" __global__ void f() {}", {"--no-such-option"}), CompileError);
  EXPECT_THROW(compiled("extern \"C\" __global__ void f(int* x) { __shared__ int s[12289]; s[*x] = 1; "
                        "__syncthreads(); *x = s[0]; }"),
               CompileError);
}

TEST_F(CudaUserKernels, HeadersCompile) {
  for (const EmbeddedHeader& header : embedded_headers()) {
    const std::string name = header.name;
    if (!name.starts_with("kernels/user/") && !name.starts_with("kernels/jit/")) continue;
    if (name.ends_with("groups.h") && !has_toolkit()) continue;
    EXPECT_NO_THROW(compiled("#include \"" + name + "\"\nextern \"C\" __global__ void f() {}")) << name;
  }
  for (const char* name : {"cupy/complex.cuh", "cupy/carray.cuh", "thrust/complex.h", "assert.h", "cstdint",
                           "cmath", "climits", "cfloat"})
    EXPECT_NO_THROW(compiled("#include <" + std::string(name) + ">\nextern \"C\" __global__ void f() {}"))
        << name;
  // Cooperative groups bring the toolkit's own integers and limits.
  const std::string groups = has_toolkit() ? "#include <cooperative_groups.h>\n" : "";
  EXPECT_NO_THROW(compiled(groups + R"(
#include <cstdint>
#include <climits>
#include <cfloat>
#include <cmath>
extern "C" __global__ void f(std::int64_t* x, uint32_t* y) { *x = INT64_MAX - LLONG_MIN, *y = UINT32_MAX - INT_MAX; })"));
}

TEST_F(CudaUserKernels, PureBodiesAreFusedForEveryDtype) {
  ops::ElementwiseSpec spec;
  spec.in_params = "T x, T y";
  spec.out_params = "T z";
  spec.operation = "z = x * y + helper(x)";
  spec.preamble = "template <class V> __device__ V helper(V x) { return x + x; }";
  ops::ElementwiseKernel kernel(spec);
  for (int t = 1; t < kDTypeCount; ++t) {
    const Array x = array(static_cast<dtype>(t), {100});
    const int before = device().fused;
    const std::vector<Value> arguments{Value(x), Value(x)};
    EXPECT_NO_THROW(evaluate(kernel(arguments), Reason::requested)) << name(static_cast<dtype>(t));
    EXPECT_EQ(device().fused, before + 1);
  }
}

TEST_F(CudaUserKernels, OtherBodiesAreLaunched) {
  const Array x = array(dtype::complex64, {10, 12}), h = array(dtype::float16, {10, 12});
  for (const char* in : {"raw T x, float16 h", "T x, float16 h"}) {
    ops::ElementwiseSpec spec;
    spec.in_params = in;
    spec.out_params = "T y, T z";
    spec.operation = "y = z = T(float(h))";
    ops::ElementwiseKernel kernel(spec);
    const int before = device().calls;
    const std::vector<Value> arguments{Value(x), Value(h)};
    kernel(arguments);
    EXPECT_EQ(device().calls, before + 1);
  }
}

TEST_F(CudaUserKernels, Reductions) {
  ops::ReductionSpec spec;
  spec.in_params = "T x";
  spec.out_params = "T y";
  spec.map_expr = "x * x";
  spec.reduce_expr = "a + b";
  spec.post_map_expr = "y = a";
  spec.identity = "0";
  ops::ReductionKernel recorded(spec);
  spec.map_expr = "x * T(_J)";
  ops::ReductionKernel launched(spec);
  for (const dtype t : {dtype::float16, dtype::int32, dtype::complex128}) {
    const Array x = array(t, {3, 10000});
    const std::vector<Value> arguments{Value(x)};
    for (const Dims& axes : {Dims{0}, Dims{1}, Dims{0, 1}}) {
      EXPECT_NO_THROW(evaluate(recorded(arguments, {.axes = axes}), Reason::requested)) << name(t);
      const int before = device().calls;
      EXPECT_NO_THROW(launched(arguments, {.axes = axes})) << name(t);
      EXPECT_GT(device().calls, before);
    }
  }
}

}  // namespace
}  // namespace cuprum::cuda
