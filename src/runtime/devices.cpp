#include "runtime/devices.h"

#include <dlfcn.h>

#include <atomic>
#include <charconv>
#include <fstream>
#include <mutex>
#include <optional>

#include "cuprum/error.h"
#include "runtime/far.h"
#include "runtime/host_side.h"
#include "runtime/plugin.h"
#include "runtime/settings.h"

namespace cuprum {

namespace {

thread_local Backend* thread_backend = nullptr;

/// The file that the system has mapped at an address; empty: it does not say.
std::string file_at(const void* address) {
  std::ifstream maps(
      "/proc/self/maps");  // "7f00a000-7f00b000 r-xp 00000000 08:01 1234    /usr/lib/libcuprum.so"
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    const char* stop = line.data() + line.size();
    const auto first = std::from_chars(line.data(), stop, begin, 16);
    if (first.ptr == stop) continue;
    std::from_chars(first.ptr + 1, stop, end, 16);
    const std::size_t slash = line.find('/');
    if (begin <= wanted && wanted < end && slash != std::string::npos) return line.substr(slash);
  }
  return {};
}

/// The folder of libcuprum.so, or of a program that holds it, with a slash at its end. Absolute: a program knows itself by the
/// name that it was called by, and a library by what LD_LIBRARY_PATH said; beside such a name, in the folder that the process
/// happens to be in, anybody's file may lie. Empty: not known.
std::string own_folder() {
  Dl_info info;
  const auto* here = reinterpret_cast<const void*>(&backend_named);
  std::string path = dladdr(here, &info) != 0 && info.dli_fname ? info.dli_fname : "";
  if (!path.starts_with('/')) path = file_at(here);
  return path.substr(0, path.rfind('/') + 1);
}

std::atomic<Plugin*> opened{nullptr};

/// The CUDA plug-in, or why there is none.
struct CudaPlugin {
  Plugin* plugin = nullptr;
  std::string problem;

  CudaPlugin() {
    problem = open();
    if (problem.empty() && plugin->device_count() == 0)
      problem = "the driver sees no NVIDIA GPU; look at nvidia-smi and at CUDA_VISIBLE_DEVICES";
  }

  bool works() const { return problem.empty(); }

 private:
  std::string open() {
    // Asked first because it costs 50 us where there is no GPU; the plug-in is far larger.
    if (!dlopen("libcuda.so.1", RTLD_LAZY)) {
      return "there is no NVIDIA driver (libcuda.so.1 was not found); install the driver, and in a container "
             "give it "
             "the GPU (--gpus all)";
    }
    // A driver that is too old for the first may do for the second.
    std::string failures, unusable;
    const std::string folder = own_folder();
    if (folder.empty()) return "the folder of this library, where the CUDA plug-in lies, is not known";
    for (const char* name : {"libcuprum_cuda13.so", "libcuprum_cuda12.so"}) {
      const std::string path = folder + name;
      if (void* library = dlopen(path.c_str(), RTLD_LAZY)) {
        const std::string failure = enter(library, path);
        const std::string reason = failure.empty() ? plugin->problem() : std::string();
        if (failure.empty() && reason.empty()) return {};
        if (unusable.empty()) unusable = reason;
        if (!failure.empty()) failures += (failures.empty() ? "" : "; ") + failure;
      } else if (const char* words = dlerror();
                 std::string_view(words).find("No such file") == std::string_view::npos) {
        failures += (failures.empty() ? "" : "; ") + std::string(words);
      }
    }
    if (!unusable.empty()) return unusable;
    if (failures.empty()) {
      return "this build has no CUDA plug-in (neither libcuprum_cuda13.so nor libcuprum_cuda12.so in " +
             folder +
             "); build it with -DCUPRUM_CUDA=ON where a CUDA toolkit is installed, or install a wheel that "
             "carries it";
    }
    return "the CUDA plug-in does not load: " + failures + "; reinstall Cuprum";
  }

  std::string enter(void* library, const std::string& path) {
    auto* version = reinterpret_cast<PluginVersionFn*>(dlsym(library, "cuprum_cuda_version"));
    auto* entry = reinterpret_cast<PluginFn*>(dlsym(library, "cuprum_cuda_plugin"));
    if (!version || !entry || version() != kPluginVersion)
      return path + " belongs to another version of Cuprum";
    plugin = entry();
    opened.store(plugin, std::memory_order_release);
    return {};
  }
};

CudaPlugin& cuda_plugin() {
  static CudaPlugin* const instance = new CudaPlugin;  // never destroyed, as the backends
  return *instance;
}

/// The ordinal in "cuda:N"; nothing if `name` is no such text.
std::optional<int> ordinal(std::string_view kind, std::string_view name) {
  if (name == kind) return 0;
  if (!name.starts_with(kind) || name[kind.size()] != ':') return {};
  int value = -1;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kind.size() + 1, end, value);
  if (error != std::errc() || stop != end || value < 0) return {};
  return value;
}

constexpr std::string_view kAuto = "auto";

/// Of "auto:far", "far".
std::optional<std::string_view> accelerator_of_auto(std::string_view text) {
  if (!text.starts_with(kAuto) || text.size() <= kAuto.size() + 1 || text[kAuto.size()] != ':') return {};
  const std::string_view of = text.substr(kAuto.size() + 1);
  return of.starts_with(kAuto) ? std::optional<std::string_view>() : of;
}

std::string far_name(int which) { return which == 0 ? "far" : "far:" + std::to_string(which); }

/// The plug-in, for a device that it has.
Plugin& plugin_with(int device) {
  CudaPlugin& cuda = cuda_plugin();
  const std::string name = "cuda:" + std::to_string(device);
  if (!cuda.works()) throw DeviceError("cuprum: the device " + name + " cannot be used: " + cuda.problem);
  const int count = cuda.plugin->device_count();
  if (device >= count) {
    throw DeviceError("cuprum: there is no device " + name + "; this machine has " + std::to_string(count) +
                      " CUDA device" + (count == 1 ? "" : "s"));
  }
  return *cuda.plugin;
}

Backend& cuda_backend(int device) { return plugin_with(device).backend(device); }

/// CUDA is the choice where it works, and its failures are no error unless it was asked for.
Backend& best_device() {
  if (cuda_plugin().works() && cuda_plugin().plugin->device_problem(0).empty()) {
    try {
      return cuda_backend(0);
    } catch (const Error& error) {
      cuda_plugin().problem = error.what();
    }
  }
  return cpu_backend();
}

/// The device of the process.
Backend& choose() { return settings().device.empty() ? best_device() : backend_named(settings().device); }

[[gnu::always_inline]] inline Backend& process_backend() {
  static Backend& backend = choose();
  return backend;
}

struct Folders {
  std::mutex mutex;
  std::vector<std::string> list;
};
Folders& folders() {
  static auto* const instance = new Folders;
  return *instance;
}

}  // namespace

Backend& default_backend() {
  if (thread_backend) return *thread_backend;
  return process_backend();
}

Backend& current_device() { return default_backend().known_as(); }

Backend& backend_to_enter(std::string_view name) {
  Backend& named = backend_named(name);
  Backend& chosen = process_backend();
  return &chosen.known_as() == &named ? chosen : named;
}

std::string entry_name(const Backend& backend) {
  return backend.accelerator ? std::string(kAuto) + ":" + backend.name() : backend.name();
}

void finish_compiling() {
  if (Plugin* plugin = opened.load(std::memory_order_acquire)) plugin->finish_compiling();
}

void push_range(const char* name) {
  if (Plugin* plugin = opened.load(std::memory_order_acquire)) plugin->push_range(name);
}

void pop_range() {
  if (Plugin* plugin = opened.load(std::memory_order_acquire)) plugin->pop_range();
}

void watch(bool on) {
  if (Plugin* plugin = opened.load(std::memory_order_acquire)) plugin->watch(on);
}

void stop_devices() {
  if (Plugin* plugin = opened.load(std::memory_order_acquire)) plugin->stop();
}

Backend* set_thread_backend(Backend* backend) { return std::exchange(thread_backend, backend); }

std::optional<std::string> device_called(std::string_view text) {
  if (text == "cpu" || text == "reference" || text == kAuto) return std::string(text);
  if (const std::optional<std::string_view> of = accelerator_of_auto(text)) {
    const std::optional<std::string> device = device_called(*of);
    return device ? std::optional(std::string(kAuto) + ":" + *device) : std::nullopt;
  }
  if (const std::optional<int> far = ordinal("far", text)) return far_name(*far);
  if (const std::optional<int> device = ordinal("cuda", text)) return "cuda:" + std::to_string(*device);
  return std::nullopt;
}

Backend& backend_named(std::string_view name) {
  if (name == "cpu") return cpu_backend();
  if (name == "reference") return reference_backend();
  if (name == kAuto) return host_side_of(best_device());
  if (const std::optional<std::string_view> of = accelerator_of_auto(name))
    return host_side_of(backend_named(*of));
  if (const std::optional<int> far = ordinal("far", name)) {
    if (*far < kFarDevices) return far_backend(*far);
    throw DeviceError("cuprum: there is no device " + far_name(*far) + "; there are " +
                      std::to_string(kFarDevices) + " of them");
  }
  if (const std::optional<int> device = ordinal("cuda", name)) return cuda_backend(*device);
  throw ValueError(
      "cuprum: '" + std::string(name) +
      "' is not a device of this library; the devices are 'cpu', 'cuda', 'cuda:N' and 'auto' (in "
      "CUPRUM_DEVICE as well)");
}

std::vector<DeviceReport> device_reports() {
  std::vector<DeviceReport> reports = {{"cpu", cpu_backend().info().description, ""}};
  CudaPlugin& cuda = cuda_plugin();
  if (!cuda.works()) {
    reports.push_back({"cuda", "", cuda.problem});
    return reports;
  }
  for (int device = 0; device < cuda.plugin->device_count(); ++device) {
    reports.push_back({"cuda:" + std::to_string(device), cuda.plugin->description(device),
                       cuda.plugin->device_problem(device)});
  }
  return reports;
}

std::vector<std::string> cuda_notes() {
  return cuda_plugin().works() ? cuda_plugin().plugin->notes() : std::vector<std::string>{};
}

int cuda_device_count() { return cuda_plugin().works() ? cuda_plugin().plugin->device_count() : 0; }
std::string cuda_pci_bus_id(int device) { return plugin_with(device).pci_bus_id(device); }
std::pair<int, int> cuda_versions() {
  return cuda_plugin().works() ? cuda_plugin().plugin->versions() : std::pair<int, int>{};
}
std::string cuda_problem() { return cuda_plugin().problem; }

void set_package_folders(std::vector<std::string> list) {
  const std::lock_guard lock(folders().mutex);
  folders().list = std::move(list);
}

std::vector<std::string> package_folders() {
  std::vector<std::string> list;
  if (const std::string own = own_folder(); !own.empty()) list.push_back(own + "..");
  const std::lock_guard lock(folders().mutex);
  list.insert(list.end(), folders().list.begin(), folders().list.end());
  return list;
}

}  // namespace cuprum
