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
  X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetPTXSize) X(nvrtcGetPTX) \
  X(nvrtcAddNameExpression) X(nvrtcGetLoweredName)
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
  Program(const std::string& source, const SourceFacts& facts) : facts_(facts) {
    std::vector<const char*> texts, names;
    for (const auto headers : {embedded_headers(), facts.headers}) {
      for (const EmbeddedHeader& h : headers) {
        texts.push_back(h.text);
        names.push_back(h.name);
      }
    }
    check(nvrtc().nvrtcCreateProgram(&program_, source.c_str(), facts.file, static_cast<int>(texts.size()),
                                     texts.data(), names.data()));
    for (const std::string& name : facts.names) check(nvrtc().nvrtcAddNameExpression(program_, name.c_str()));
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
  std::vector<std::string> symbols() const {
    std::vector<std::string> list;
    for (const std::string& name : facts_.names) {
      const char* symbol = nullptr;
      check(nvrtc().nvrtcGetLoweredName(program_, name.c_str(), &symbol));
      list.emplace_back(symbol);
    }
    return list;
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

  const SourceFacts& facts_;
  nvrtcProgram program_ = nullptr;
};

}  // namespace

Target plain_target_for(int architecture) {
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
                  std::to_string(target.architecture)};
  return target;
}

Target target_for(int architecture) {
  Target target = plain_target_for(architecture);
  target.flags.insert(target.flags.end(),
                      {"--std=c++20", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true",
                       "--device-as-default-execution-space", "--device-int128"});
  return target;
}

bool nvrtc_is_open() { return is_open.load(std::memory_order_acquire); }

std::string nvrtc_version() { return std::to_string(nvrtc().major) + "." + std::to_string(nvrtc().minor); }

Compilation compile(const std::string& source, const Target& target, const SourceFacts& facts) {
  Program program(source, facts);
  Compilation result;
  const bool done = program.compile(target.flags);
  result.log = program.log();
  if (done) {
    result.image = program.image(target.machine_code);
    result.symbols = program.symbols();
  }
  return result;
}

unsigned long long headers_fingerprint() {
  static const unsigned long long value = fingerprint(embedded_headers());
  return value;
}

}  // namespace cuprum::cuda
