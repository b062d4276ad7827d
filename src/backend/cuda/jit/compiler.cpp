#include "jit/compiler.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "backend/cuda/context.h"
#include "backend/cuda/driver.h"
#include "codegen/source.h"
#include "cuprum/error.h"
#include "jit/nvrtc.h"
#include "runtime/disk_cache.h"
#include "runtime/private_files.h"
#include "runtime/settings.h"
#include "runtime/trace.h"

namespace cuprum::cuda {

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void report(const CompiledKernel& kernel, const char* what, double milliseconds, std::size_t bytes) {
  if (!traces_jit()) return;
  std::fprintf(stderr, "[cuprum jit] %016llx tier %d: %s in %.1f ms, %.1f KiB\n",
               static_cast<unsigned long long>(kernel.hash), kernel.tier, what, milliseconds,
               static_cast<double>(bytes) / 1024);
}

/// Context-independent: one library serves all devices. It is never unloaded.
CUkernel load(const std::string& image) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  check(driver().cuLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
        "loading a generated kernel");
  check(driver().cuLibraryGetKernel(&kernel, library, kKernelName), "loading a generated kernel");
  return kernel;
}

void publish(CompiledKernel& kernel, Stage stage) {
  kernel.source.clear();
  kernel.source.shrink_to_fit();
  kernel.stage.store(stage, std::memory_order_release);
  kernel.stage.notify_all();
}

/// Keeps the source of a kernel that does not compile, for a report; says where.
std::string saved_source(const CompiledKernel& kernel) {
  char name[32];
  std::snprintf(name, sizeof name, "cuprum_%016llx", static_cast<unsigned long long>(kernel.hash));
  const std::string path = save_in_temporary_folder(name, ".cu", kernel.source);
  return path.empty() ? "" : "its source is in " + path + ", ";
}

void compile_or_throw(CompiledKernel& kernel) {
  if (find_on_disk(kernel)) return;
  const auto start = Clock::now();
  const tracing::HostSpan compiling(tracing::Kind::host, "compile a kernel");
  const Compilation result = compile(kernel.source, target_for(kernel.architecture));
  if (result.image.empty()) {
    throw Error("cuprum: a generated kernel does not compile; " + saved_source(kernel) +
                "the compiler says:\n" + result.log);
  }
  kernel.kernel = load(result.image);
  kernel.tier = 1;
  report(kernel, "compiled", milliseconds_since(start), result.image.size());
  disk_cache().add(disk_key(kernel.source, kernel.architecture), result.image);
  publish(kernel, Stage::ready);
}

/// The threads. Made by the first kernel that is to be compiled; ended, after what they are doing, by `stop_compiling` or by
/// exit(), before anything is destroyed that a compilation uses.
class Workers {
 public:
  static Workers& get() {
    static auto* const workers = new Workers;
    return *workers;
  }

  void add(CompiledKernel& kernel) {
    {
      const std::lock_guard lock(mutex_);
      if (!stopping_) {
        queue_.push_back(&kernel);
        if (threads_.empty()) start();
        wake_.notify_one();
        return;
      }
    }
    compile_now(kernel);
  }

  void stop() {
    if (getpid() != process_) return;  // the child of a fork() has no such threads, and maybe a locked mutex
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      queue_.clear();
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  /// Waits until nothing is left to compile.
  void settle() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return queue_.empty() && working_ == 0; });
  }

  bool stopped() {
    const std::lock_guard lock(mutex_);
    return stopping_ && threads_.empty();
  }

 private:
  void start() {
    process_ = getpid();
    const unsigned cores = std::thread::hardware_concurrency();
    const unsigned count = cores >= 8 ? 4 : cores >= 4 ? 2 : 1;
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  }

  void work() {
    for (;;) {
      CompiledKernel* kernel = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        kernel = queue_.front();
        queue_.pop_front();
        ++working_;
      }
      compile_now(*kernel);
      {
        const std::lock_guard lock(mutex_);
        if (--working_ == 0 && queue_.empty()) idle_.notify_all();
      }
      // NVRTC's static objects, which the first compilation makes, must not be destroyed under a thread that compiles: what
      // is registered after them runs before their destructors. While the first one is under way, MainThread does it.
      std::call_once(registered_, [] { std::atexit([] { get().stop(); }); });
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, idle_;
  int working_ = 0;
  std::deque<CompiledKernel*> queue_;
  std::vector<std::thread> threads_;
  pid_t process_ = 0;
  std::once_flag registered_;
  bool stopping_ = false;
};

/// An object of each thread that has kernels compiled. A return from main() or exit() on the main thread destroys that thread's
/// objects before all static ones, also before those that a compilation under way is about to make: a program of 40 ms ends
/// while its first kernel is being compiled.
struct MainThread {
  ~MainThread() {
    if (gettid() == getpid()) Workers::get().stop();
  }
};

}  // namespace

bool traces_jit() { return settings().trace_jit; }

std::string disk_key(const std::string& source, int architecture) {
  const Target target = target_for(architecture);
  std::string key = "nvrtc " + nvrtc_version() + "\nheaders " + std::to_string(headers_fingerprint()) + "\n";
  for (const std::string& flag : target.flags) key += flag + " ";
  return key + "\n" + source;
}

bool find_on_disk(CompiledKernel& kernel) {
  const auto start = Clock::now();
  const std::optional<std::string> image = disk_cache().find(disk_key(kernel.source, kernel.architecture));
  if (!image) return false;
  try {
    kernel.kernel = load(*image);
  } catch (const Error&) {
    return false;  // made for another driver: it will be compiled anew
  }
  kernel.tier = 2;
  report(kernel, "found on disk", milliseconds_since(start), image->size());
  publish(kernel, Stage::ready);
  return true;
}

void compile_now(CompiledKernel& kernel) {
  try {
    compile_or_throw(kernel);
  } catch (const std::exception& error) {
    kernel.problem = error.what();
    if (traces_jit()) std::fprintf(stderr, "[cuprum jit] %s\n", error.what());
    publish(kernel, Stage::failed);
  }
}

void compile_later(CompiledKernel& kernel) {
  if (traces_jit()) {
    std::fprintf(stderr, "[cuprum jit] %016llx tier 0: interpreted until it is compiled\n",
                 static_cast<unsigned long long>(kernel.hash));
  }
  thread_local const MainThread ends_them;
  Workers::get().add(kernel);
}

void finish_compiling() { Workers::get().settle(); }

void stop_compiling() { Workers::get().stop(); }

void wait_for(CompiledKernel& kernel) {
  if (kernel.stage.load(std::memory_order_acquire) != Stage::waiting) return;
  if (Workers::get().stopped()) return compile_now(kernel);  // it was dropped from the queue
  kernel.stage.wait(Stage::waiting, std::memory_order_acquire);
}

}  // namespace cuprum::cuda
