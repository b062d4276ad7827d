// What the core finds when it opens this library: the devices, and why one cannot be used.
#include "runtime/plugin.h"

#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "backend/cuda/architectures.h"
#include "backend/cuda/backend.h"
#include "backend/cuda/driver.h"
#include "backend/cuda/libraries.h"
#include "cuprum/error.h"
#include "jit/compiler.h"
#include "runtime/disk_cache.h"
#include "runtime/pool.h"

namespace cuprum::cuda {

namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

int device_attribute(int device, CUdevice_attribute which) {
  int value = 0;
  driver().cuDeviceGetAttribute(&value, which, device);
  return value;
}

int architecture_of(int device) {
  return device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) * 10 +
         device_attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

class CudaPlugin final : public Plugin {
 public:
  std::string problem() override { return driver_problem(); }

  int device_count() override {
    int count = 0;
    if (driver().cuDeviceGetCount(&count) != CUDA_SUCCESS) return 0;
    return std::min(count, kMost);
  }

  std::string description(int device) override {
    char model[256] = {};
    std::size_t bytes = 0;
    driver().cuDeviceGetName(model, sizeof model, device);
    driver().cuDeviceTotalMem(&bytes, device);
    const int capability = architecture_of(device);
    return std::string(model) + ", " + human_bytes(bytes) + ", compute capability " +
           std::to_string(capability / 10) + "." + std::to_string(capability % 10);
  }

  std::string device_problem(int device) override { return cuda::device_problem(device); }

  std::string pci_bus_id(int device) override {
    char id[32] = {};
    driver().cuDeviceGetPCIBusId(id, sizeof id, device);
    return id;
  }

  std::pair<int, int> versions() override {
    int version = 0;
    driver().cuDriverGetVersion(&version);
    return {version, CUDA_VERSION};
  }

  Backend& backend(int device) override {
    const std::lock_guard lock(mutex_);
    auto& slot = backends_.at(static_cast<std::size_t>(device));
    if (!slot) {
      const std::string problem = cuda::device_problem(device);
      if (!problem.empty())
        throw DeviceError("cuprum: the device cuda:" + std::to_string(device) +
                          " cannot be used: " + problem);
      slot = new CudaBackend(device);
    }
    return *slot;
  }

  std::vector<std::string> notes() override {
    const auto [supported, built] = versions();
    std::vector<std::string> lines = {
        "driver: supports CUDA " + version_text(supported),
        "plug-in: built with CUDA " + version_text(built) + " for architectures " CUPRUM_CUDA_ARCHITECTURES};
    for (const char* name : {"nvrtc", "cublasLt", "cublas"})
      lines.push_back(std::string(name) + ": " + nvidia_library_status(name));
    const std::vector<std::string>& headers = nvidia_header_folders();
    lines.push_back("toolkit's headers: " +
                    (headers.empty() ? "none, for kernels that include them; set CUDA_PATH to a CUDA toolkit"
                                     : headers[0]));
    lines.push_back("compiled kernels: " + disk_cache().describe());
    return lines;
  }

  void finish_compiling() override { cuda::finish_compiling(); }
  void push_range(const char* name) override { nvtxRangePushA(name); }
  void pop_range() override { nvtxRangePop(); }
  void watch(bool on) override { check(on ? cudaProfilerStart() : cudaProfilerStop(), "cudaProfilerStart"); }
  void stop() override { stop_compiling(); }

 private:
  static constexpr int kMost = 64;
  std::mutex mutex_;
  std::array<CudaBackend*, kMost> backends_ = {};  // never destroyed: buffers outlive static destructors
};

}  // namespace

std::string device_problem(int device) {
  const int architecture = architecture_of(device);
  if (runs_on(CUPRUM_CUDA_ARCHITECTURES, architecture)) return {};
  return "its compute capability " + std::to_string(architecture / 10) + "." +
         std::to_string(architecture % 10) +
         " is not among what this build was compiled for (" CUPRUM_CUDA_ARCHITECTURES
         "); build it with -DCUPRUM_CUDA_ARCHITECTURES=" +
         std::to_string(architecture);
}

}  // namespace cuprum::cuda

extern "C" {
int cuprum_cuda_version() { return cuprum::kPluginVersion; }
cuprum::Plugin* cuprum_cuda_plugin() {
  static auto* const plugin = new cuprum::cuda::CudaPlugin;  // never destroyed, as its backends
  return plugin;
}
}
