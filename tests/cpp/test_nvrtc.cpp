// Every scalar meaning compiles with NVRTC: the text of src/kernels is what the GPU will run.
//
// One source per family of the table, with one kernel per operation that calls it for every key and checks the dtype of
// the result, compiled to PTX. No GPU is needed, only the library, which is looked up at run time: without it the
// tests are skipped.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "core/op_signatures.h"

namespace cuprum {
namespace {

struct Family {
  const char* name;
  std::vector<std::pair<const char*, Op>> ops;
};

std::vector<Family> families() {
  std::map<std::string, Family> by_name;
#define CUPRUM_OP(op, family, ...) \
  by_name[#family].name = #family; \
  by_name[#family].ops.emplace_back(#op, Op::op);
#include "core/op_table.def"
#undef CUPRUM_OP
  std::vector<Family> list;
  for (auto& [name, family] : by_name) list.push_back(family);
  return list;
}

/// The kernels' type of a dtype.
std::string type_text(dtype t) {
  static const char* const names[kDTypeCount] = {"bool",      "k::int8",      "k::int16",     "k::int32",
                                                 "k::int64",  "k::uint8",     "k::uint16",    "k::uint32",
                                                 "k::uint64", "k::float16",   "k::bfloat16",  "float",
                                                 "double",    "k::complex64", "k::complex128"};
  return names[static_cast<int>(t)];
}

std::string load_text(dtype t, int input) {
  return "load<" + type_text(t) + ">(in" + std::to_string(input) + ", i)";
}

/// Each result has a place of its own, so that none is optimised away.
std::string store_text(dtype t, int place, const std::string& value) {
  return "  store<" + type_text(t) + ">(out + " + std::to_string(4096 * place) + ", i, " + value + ");\n";
}

std::string call_text(const char* op, const Signature& s, int inputs) {
  std::string call = std::string("k::") + op + "(";
  for (int i = 0; i < inputs; ++i) call += (i ? ", " : "") + load_text(s.in[i], i);
  return store_text(s.out, static_cast<int>(s.key), call + ")");
}

constexpr char kPrologue[] = R"(
#include "kernels/all.h"
namespace k = cuprum::kernels;
template <class T> __device__ T load(const void* p, int i) { return static_cast<const T*>(p)[i]; }
template <class Out, class Result> __device__ void store(void* p, int i, Result r) {
  static_assert(k::same<Out, Result>);
  static_cast<Out*>(p)[i] = r;
}
#define KERNEL(name) extern "C" __global__ void name(int i, const void* in0, const void* in1, const void* in2, char* out)
)";

std::string source_of(const Family& family) {
  std::string text = kPrologue;
  for (const auto& [name, op] : family.ops) {
    text += std::string("KERNEL(kernel_") + name + ") {\n";
    for (int key = 0; key < kDTypeCount; ++key) {
      const Signature* s = signature(op, static_cast<dtype>(key));
      if (s) text += call_text(name, *s, input_count(op));
    }
    text += "}\n";
  }
  return text;
}

std::string source_of_casts() {
  std::string text = kPrologue;
  for (int from = 0; from < kDTypeCount; ++from) {
    text += "KERNEL(cast_" + std::to_string(from) + ") {\n";
    for (int to = 0; to < kDTypeCount; ++to) {
      const dtype target = static_cast<dtype>(to);
      text += store_text(
          target, to, "k::cast<" + type_text(target) + ">(" + load_text(static_cast<dtype>(from), 0) + ")");
    }
    text += "}\n";
  }
  return text;
}

/// The few functions of NVRTC that are needed, found at run time.
class Nvrtc {
 public:
  Nvrtc() {
    std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12",
                                      "/usr/local/cuda/lib64/libnvrtc.so"};
    if (const char* path = std::getenv("CUDA_PATH"))
      names.push_back(std::string(path) + "/lib64/libnvrtc.so");
    void* library = nullptr;
    for (const std::string& name : names) {
      if (!library) library = dlopen(name.c_str(), RTLD_NOW);
    }
    if (!library) return;
    create_ = reinterpret_cast<decltype(create_)>(dlsym(library, "nvrtcCreateProgram"));
    compile_ = reinterpret_cast<decltype(compile_)>(dlsym(library, "nvrtcCompileProgram"));
    log_size_ = reinterpret_cast<decltype(log_size_)>(dlsym(library, "nvrtcGetProgramLogSize"));
    log_ = reinterpret_cast<decltype(log_)>(dlsym(library, "nvrtcGetProgramLog"));
    destroy_ = reinterpret_cast<decltype(destroy_)>(dlsym(library, "nvrtcDestroyProgram"));
  }

  bool found() const { return create_ && compile_ && log_size_ && log_ && destroy_; }

  /// Empty if the source compiles, else the compiler's words.
  std::string errors(const std::string& source) const {
    void* program = nullptr;
    if (create_(&program, source.c_str(), "kernels.cu", 0, nullptr, nullptr) != 0)
      return "nvrtcCreateProgram failed";
    const char* const options[] = {"--std=c++20", "--gpu-architecture=compute_75", "--fmad=false",
                                   "--include-path=" CUPRUM_GOLDEN_DIR "/../../src"};
    std::string log;
    if (compile_(program, 4, options) != 0) {
      std::size_t size = 0;
      log_size_(program, &size);
      log.resize(size + 1);
      log_(program, log.data());
    }
    destroy_(&program);
    return log;
  }

 private:
  int (*create_)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile_)(void*, int, const char* const*) = nullptr;
  int (*log_size_)(void*, std::size_t*) = nullptr;
  int (*log_)(void*, char*) = nullptr;
  int (*destroy_)(void**) = nullptr;
};

const Nvrtc& nvrtc() {
  static const Nvrtc library;
  return library;
}

class NvrtcTest : public testing::TestWithParam<Family> {};

TEST_P(NvrtcTest, EveryMeaningCompiles) {
  if (!nvrtc().found()) GTEST_SKIP() << "libnvrtc was not found";
  EXPECT_EQ(nvrtc().errors(source_of(GetParam())), "");
}

INSTANTIATE_TEST_SUITE_P(Families, NvrtcTest, testing::ValuesIn(families()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(NvrtcTest, EveryCastCompiles) {
  if (!nvrtc().found()) GTEST_SKIP() << "libnvrtc was not found";
  EXPECT_EQ(nvrtc().errors(source_of_casts()), "");
}

TEST(NvrtcTest, ErrorsAreReported) {
  if (!nvrtc().found()) GTEST_SKIP() << "libnvrtc was not found";
  EXPECT_NE(nvrtc().errors("this is not C++").find("error"), std::string::npos);
}

}  // namespace
}  // namespace cuprum
