#include "backend/cpu/blas_library.h"

#ifdef CUPRUM_HAS_CBLAS

#ifndef CUPRUM_BLAS_LINKED

#include <dlfcn.h>
#include <sched.h>

#include <optional>
#include <string_view>

#include "cuprum/error.h"
#include "runtime/devices.h"

namespace cuprum::cpu {

namespace {

constexpr const char* kFile = CUPRUM_BLAS_FILE;

/// While it lives, the calling thread runs on one processor. OpenBLAS that is loaded then counts one, and starts no threads, which
/// would spin beside the work that it was loaded for (a program of 8 ms took 13); they come when more than one is asked for.
class OnOneProcessor {
 public:
  OnOneProcessor() {
    cpu_set_t one;
    CPU_ZERO(&one);
    const int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    CPU_SET(here, &one);
    narrowed_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~OnOneProcessor() {
    if (narrowed_) sched_setaffinity(0, sizeof before_, &before_);
  }
  OnOneProcessor(const OnOneProcessor&) = delete;
  OnOneProcessor& operator=(const OnOneProcessor&) = delete;

 private:
  cpu_set_t before_;
  bool narrowed_ = false;
};

/// Never closed: those who call it keep its addresses.
struct Library {
  void* handle = nullptr;
  std::string problem;

  Library() {
    if (open(kFile)) return;  // where the library that we are in looks for its own (RUNPATH), or the system
    if (std::string_view(CUPRUM_BLAS_PACKAGE).empty()) return;
    for (const std::string& folder : package_folders()) {
      if (open(folder + "/" CUPRUM_BLAS_PACKAGE "/" + kFile)) return;
    }
  }

 private:
  bool open(const std::string& path) {
    std::optional<OnOneProcessor>
        narrow;  // the system's library may be that of others too, who count on its threads
    if (!std::string_view(CUPRUM_BLAS_PACKAGE).empty()) narrow.emplace();
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle) {
      problem.clear();
    } else if (const char* words = dlerror(); problem.empty()) {
      problem = words ? words : path + " was not found";
    }
    return handle != nullptr;
  }
};

const Library& library() {
  static const Library* const opened = new Library;  // outlives threads that run while the process exits
  return *opened;
}

}  // namespace

const std::string& blas_problem() { return library().problem; }

void* blas_function(const char* name) {
  void* function = library().handle ? dlsym(library().handle, name) : nullptr;
  if (!function) {
    throw DeviceError(std::string("cuprum: OpenBLAS has no ") + name + " (" +
                      (library().handle ? kFile : library().problem) + "); install OpenBLAS again");
  }
  return function;
}

}  // namespace cuprum::cpu

#else

namespace cuprum::cpu {

const std::string& blas_problem() {
  static const std::string none;
  return none;
}

}  // namespace cuprum::cpu

#endif

#endif
