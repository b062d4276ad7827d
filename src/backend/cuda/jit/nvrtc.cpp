#include "jit/nvrtc.h"

#include <nvrtc.h>

#include <algorithm>
#include <atomic>

#include "backend/cuda/libraries.h"
#include "cuprum/error.h"
#include "jit/headers.h"

namespace cuprum::cuda {

namespace {

struct Nvrtc {
// clang-format off
#define CUPRUM_NVRTC_FUNCTIONS(X) \
  X(nvrtcVersion) X(nvrtcGetErrorString) X(nvrtcGetNumSupportedArchs) X(nvrtcGetSupportedArchs) X(nvrtcCreateProgram) \
  X(nvrtcDestroyProgram) X(nvrtcCompileProgram) X(nvrtcGetProgramLogSize) X(nvrtcGetProgramLog) \
  X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetPTXSize) X(nvrtcGetPTX)
// clang-format on
#define CUPRUM_DECLARE(name) decltype(&::name) name = nullptr;
  CUPRUM_NVRTC_FUNCTIONS(CUPRUM_DECLARE)
#undef CUPRUM_DECLARE
  int major = 0, minor = 0;
  std::vector<int> architectures;
};

Nvrtc open_nvrtc() {
  Nvrtc n;
  void* library = nvidia_library("nvrtc");
#define CUPRUM_FIND(name) n.name = symbol<decltype(&::name)>(library, #name);
  CUPRUM_NVRTC_FUNCTIONS(CUPRUM_FIND)
#undef CUPRUM_FIND
  n.nvrtcVersion(&n.major, &n.minor);
  int count = 0;
  if (n.nvrtcGetNumSupportedArchs(&count) == NVRTC_SUCCESS && count > 0) {
    n.architectures.resize(static_cast<std::size_t>(count));
    n.nvrtcGetSupportedArchs(n.architectures.data());
  }
  return n;
}

std::atomic<bool> is_open{false};

/// Throws where the library is missing, each time anew.
const Nvrtc& nvrtc() {
  static const Nvrtc table = open_nvrtc();
  is_open.store(true, std::memory_order_release);
  return table;
}

class Program {
 public:
  explicit Program(const std::string& source) {
    static const auto* const headers = [] {
      auto* lists = new std::pair<std::vector<const char*>, std::vector<const char*>>;
      for (const EmbeddedHeader& h : embedded_headers()) {
        lists->first.push_back(h.text);
        lists->second.push_back(h.name);
      }
      return lists;
    }();
    check(nvrtc().nvrtcCreateProgram(&program_, source.c_str(), "cuprum.cu",
                                     static_cast<int>(headers->first.size()), headers->first.data(),
                                     headers->second.data()));
  }
  ~Program() { nvrtc().nvrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  bool compile(const std::vector<std::string>& flags) {
    std::vector<const char*> options;
    for (const std::string& flag : flags) options.push_back(flag.c_str());
    return nvrtc().nvrtcCompileProgram(program_, static_cast<int>(options.size()), options.data()) ==
           NVRTC_SUCCESS;
  }
  std::string log() const {
    std::string text = read(nvrtc().nvrtcGetProgramLogSize, nvrtc().nvrtcGetProgramLog);
    while (!text.empty() && (text.back() == '\0' || text.back() == '\n')) text.pop_back();
    return text;
  }
  std::string image(bool machine_code) const {
    return machine_code ? read(nvrtc().nvrtcGetCUBINSize, nvrtc().nvrtcGetCUBIN)
                        : read(nvrtc().nvrtcGetPTXSize, nvrtc().nvrtcGetPTX);
  }

 private:
  static void check(nvrtcResult result) {
    if (result == NVRTC_SUCCESS) return;
    throw Error(std::string("cuprum: the run-time compiler failed: ") + nvrtc().nvrtcGetErrorString(result));
  }
  template <class Size, class Get>
  std::string read(Size size, Get get) const {
    std::size_t n = 0;
    check(size(program_, &n));
    std::string text(n, '\0');
    if (n != 0) check(get(program_, text.data()));
    return text;
  }

  nvrtcProgram program_ = nullptr;
};

}  // namespace

Target target_for(int architecture) {
  Target target;
  const std::vector<int>& known = nvrtc().architectures;
  target.architecture = architecture;
  target.machine_code = known.empty() || std::find(known.begin(), known.end(), architecture) != known.end();
  if (!target.machine_code) {
    for (const int a : known) {
      if (a < architecture) target.architecture = a;
    }
  }
  target.flags = {std::string("--gpu-architecture=") + (target.machine_code ? "sm_" : "compute_") +
                      std::to_string(target.architecture),
                  "--std=c++20",
                  "--fmad=false",
                  "--ftz=false",
                  "--prec-div=true",
                  "--prec-sqrt=true",
                  "--device-as-default-execution-space"};
  return target;
}

bool nvrtc_is_open() { return is_open.load(std::memory_order_acquire); }

std::string nvrtc_version() { return std::to_string(nvrtc().major) + "." + std::to_string(nvrtc().minor); }

Compilation compile(const std::string& source, const Target& target) {
  Program program(source);
  Compilation result;
  const bool done = program.compile(target.flags);
  result.log = program.log();
  if (done) result.image = program.image(target.machine_code);
  return result;
}

unsigned long long headers_fingerprint() {
  static const unsigned long long value = fingerprint(embedded_headers());
  return value;
}

}  // namespace cuprum::cuda
