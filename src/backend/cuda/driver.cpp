#include "backend/cuda/driver.h"

#include <dlfcn.h>

#include "cuprum/error.h"

namespace cuprum::cuda {

namespace {

#define CUPRUM_TEXT_OF(name) #name
#define CUPRUM_TEXT(name) \
  CUPRUM_TEXT_OF(name)  // after <cuda.h> has replaced cuDeviceTotalMem by cuDeviceTotalMem_v2

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

struct Opened {
  Driver functions;
  std::string problem;

  Opened() : problem(open()) {}

  std::string open() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (!library) {
      return "there is no NVIDIA driver (libcuda.so.1 was not found); install the driver, and in a container "
             "give it "
             "the GPU (--gpus all)";
    }
    const auto find = [library](const char* name) { return dlsym(library, name); };
    functions.cuDriverGetVersion =
        reinterpret_cast<decltype(functions.cuDriverGetVersion)>(find("cuDriverGetVersion"));
    int version = 0;
    if (functions.cuDriverGetVersion) functions.cuDriverGetVersion(&version);
    if (version / 1000 < CUDA_VERSION / 1000) {
      return "the NVIDIA driver is too old: it supports CUDA " + version_text(version) +
             ", this library was built for CUDA " + version_text(CUDA_VERSION) +
             "; update the driver, or install a build for an older CUDA";
    }
#define CUPRUM_FIND(name)                                                               \
  functions.name = reinterpret_cast<decltype(functions.name)>(find(CUPRUM_TEXT(name))); \
  if (!functions.name)                                                                  \
    return "the NVIDIA driver (CUDA " + version_text(version) + ") lacks " CUPRUM_TEXT(name) "; update it";
    CUPRUM_DRIVER_FUNCTIONS(CUPRUM_FIND)
#undef CUPRUM_FIND
#define CUPRUM_FIND(name) \
  functions.name = reinterpret_cast<decltype(functions.name)>(find(CUPRUM_TEXT(name)));
    CUPRUM_YOUNG_DRIVER_FUNCTIONS(CUPRUM_FIND)
#undef CUPRUM_FIND
    return initialize();
  }

  std::string initialize() const {
    const CUresult status = functions.cuInit(0);
    if (status == CUDA_SUCCESS) return {};
    const char* text = nullptr;
    functions.cuGetErrorString(status, &text);
    const std::string words = text ? text : "unknown error";
    if (status == CUDA_ERROR_NO_DEVICE) {
      return "the driver sees no NVIDIA GPU (" + words +
             "); look at nvidia-smi and at CUDA_VISIBLE_DEVICES, and in a container give it the GPU (--gpus "
             "all)";
    }
    if (status == CUDA_ERROR_SYSTEM_DRIVER_MISMATCH) {
      return "the driver's library and its kernel module differ (" + words + "); reboot the machine";
    }
    return "the NVIDIA driver cannot be initialised (" + words + "); nvidia-smi may say why";
  }
};

const Opened& opened() {
  static const Opened* const instance = new Opened;  // never destroyed: buffers outlive static destructors
  return *instance;
}

}  // namespace

const std::string& driver_problem() { return opened().problem; }

const Driver& driver() {
  const Opened& o = opened();
  if (!o.problem.empty()) throw Error("cuprum: no CUDA device can be used: " + o.problem);
  return o.functions;
}

}  // namespace cuprum::cuda
