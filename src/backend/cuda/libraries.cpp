#include "backend/cuda/libraries.h"

#include <cuda.h>
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "cuprum/error.h"
#include "runtime/devices.h"

namespace cuprum::cuda {

namespace {

constexpr int kMajor = CUDA_VERSION / 1000;

struct Library {
  const char* name;
  const char* soname;
  const char* component;  // its folder in the wheels of CUDA 12
  const char* package;    // what pip installs
  std::vector<const char*> first =
      {};  // libraries that must be loaded before, so that they come from the same place
};

const std::vector<Library>& table() {
#define CUPRUM_SO(lib, so12, so13) (kMajor >= 13 ? "lib" lib ".so." so13 : "lib" lib ".so." so12)
  static const std::vector<Library> libraries = {
      {"nvrtc", CUPRUM_SO("nvrtc", "12", "13"), "cuda_nvrtc", "nvidia-cuda-nvrtc"},
      {"nvJitLink", CUPRUM_SO("nvJitLink", "12", "13"), "nvjitlink", "nvidia-nvjitlink"},
      {"cublasLt", CUPRUM_SO("cublasLt", "12", "13"), "cublas", "nvidia-cublas"},
      {"cublas", CUPRUM_SO("cublas", "12", "13"), "cublas", "nvidia-cublas", {"cublasLt"}},
      {"cufft", CUPRUM_SO("cufft", "11", "12"), "cufft", "nvidia-cufft"},
      {"curand", CUPRUM_SO("curand", "10", "10"), "curand", "nvidia-curand"},
      {"cusparse", CUPRUM_SO("cusparse", "12", "12"), "cusparse", "nvidia-cusparse", {"nvJitLink"}},
      {"cusolver",
       CUPRUM_SO("cusolver", "11", "12"),
       "cusolver",
       "nvidia-cusolver",
       {"nvJitLink", "cusparse", "cublasLt", "cublas"}},
  };
#undef CUPRUM_SO
  return libraries;
}

/// Folders that may hold wheels' or other libraries, in the order in which they are tried before the system's.
std::vector<std::string> folders(const Library& library) {
  std::vector<std::string> list;
  const std::string below = kMajor >= 13 ? "/nvidia/cu" + std::to_string(kMajor) + "/lib"
                                         : "/nvidia/" + std::string(library.component) + "/lib";
  for (const std::string& folder : package_folders()) list.push_back(folder + below);
  if (const char* conda = std::getenv("CONDA_PREFIX")) {
    list.push_back(std::string(conda) + "/lib64");
    list.push_back(std::string(conda) + "/lib");
  }
  return list;
}

std::vector<std::string> fallback_folders() {
  std::vector<std::string> list;
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* path = std::getenv(variable)) list.push_back(std::string(path) + "/lib64");
  }
  list.emplace_back("/usr/local/cuda/lib64");
  return list;
}

/// NVRTC 13's wheel finds its builtins only if they are loaded already.
void preload_builtins(const std::string& folder) {
  DIR* directory = opendir(folder.c_str());
  if (!directory) return;
  while (const dirent* entry = readdir(directory)) {
    const std::string_view name = entry->d_name;
    if (name.starts_with("libnvrtc-builtins.so."))
      dlopen((folder + "/" + std::string(name)).c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  closedir(directory);
}

struct Found {
  void* handle = nullptr;
  std::string path;   // where it is
  std::string tried;  // the places, one after the other
};

Found look_for(const Library& library) {
  Found found;
  const auto try_open = [&](const std::string& path, int flags) {
    found.handle = dlopen(path.c_str(), flags);
    if (!(flags & RTLD_NOLOAD)) found.tried += (found.tried.empty() ? "" : ", ") + path;
    return found.handle != nullptr;
  };
  const auto try_folder = [&](const std::string& folder) {
    // A path that is not absolute names another file wherever the process is; one without a slash, the system's search.
    if (!folder.starts_with('/')) return false;
    if (std::string_view(library.name) == "nvrtc") preload_builtins(folder);
    return try_open(folder + "/" + library.soname, RTLD_NOW | RTLD_LOCAL);
  };
  const auto any = [&](const std::vector<std::string>& list) {
    return std::ranges::any_of(list, try_folder);
  };
  if (try_open(library.soname, RTLD_NOW | RTLD_NOLOAD) || any(folders(library)) ||
      try_open(library.soname, RTLD_NOW | RTLD_LOCAL) || any(fallback_folders())) {
    link_map* map = nullptr;
    if (dlinfo(found.handle, RTLD_DI_LINKMAP, &map) == 0 && map) found.path = map->l_name;
  }
  return found;
}

const Library& library_named(std::string_view name) {
  for (const Library& library : table()) {
    if (library.name == name) return library;
  }
  throw ValueError("cuprum: no NVIDIA library is called '" + std::string(name) + "'");
}

/// Each library is looked for until it is found: a user may install it while the process runs.
const Found& find(std::string_view name) {
  static std::mutex* const mutex = new std::mutex;
  static auto* const found = new std::map<std::string, Found, std::less<>>;
  const Library& library = library_named(name);
  for (const char* before : library.first) find(before);
  const std::lock_guard lock(*mutex);
  Found& entry = (*found)[library.name];
  if (!entry.handle) entry = look_for(library);
  return entry;
}

std::string missing(std::string_view name, const Found& found) {
  return "lib" + std::string(name) + " was not found (tried " + found.tried +
         "); install it, for example by pip install " + library_named(name).package +
         (kMajor >= 13 ? "" : "-cu" + std::to_string(kMajor)) + ", or set CUDA_PATH to a CUDA " +
         std::to_string(kMajor) + " toolkit";
}

}  // namespace

void* nvidia_library(std::string_view name) {
  const Found& found = find(name);
  if (!found.handle) throw Error("cuprum: " + missing(name, found));
  return found.handle;
}

std::string nvidia_library_status(std::string_view name) {
  const Found& found = find(name);
  return found.handle ? found.path : missing(name, found);
}

void* find_new_symbol(void* library, const char* name) { return dlsym(library, name); }

const std::vector<std::string>& nvidia_header_folders() {
  static const auto* const found = [] {
    std::vector<std::string> candidates;
    const std::string below =
        kMajor >= 13 ? "/nvidia/cu" + std::to_string(kMajor) + "/include" : "/nvidia/cuda_runtime/include";
    for (const std::string& folder : package_folders()) candidates.push_back(folder + below);
    if (const char* conda = std::getenv("CONDA_PREFIX")) {
      candidates.push_back(std::string(conda) + "/targets/x86_64-linux/include");
      candidates.push_back(std::string(conda) + "/include");
    }
    for (const std::string& folder : fallback_folders())
      candidates.push_back(folder.substr(0, folder.rfind('/')) + "/include");
    // Wheels may have the runtime's headers alone: a folder that has CCCL too, which cooperative groups include, goes before them.
    auto* folders = new std::vector<std::string>;
    for (const bool whole : {true, false}) {
      for (const std::string& candidate : candidates) {
        const bool has_cccl = std::filesystem::exists(candidate + "/cccl/nv/target");
        if (!folders->empty() || !candidate.starts_with('/') ||
            !std::filesystem::exists(candidate + "/cuda_fp16.h") ||
            (whole && !has_cccl && !std::filesystem::exists(candidate + "/nv/target")))
          continue;
        folders->push_back(candidate);
        if (has_cccl) folders->push_back(candidate + "/cccl");
      }
    }
    return folders;
  }();
  return *found;
}

void* find_symbol(void* library, const char* name) {
  void* address = find_new_symbol(library, name);
  if (!address)
    throw Error(std::string("cuprum: an NVIDIA library lacks the function ") + name +
                "; install a newer one");
  return address;
}

}  // namespace cuprum::cuda
