// Kernels on their way from text to a function that can be launched: the on-disk cache, NVRTC, and the threads that wait
// for both so that nobody else does.
#pragma once

#include <cuda.h>

#include <atomic>
#include <cstdint>
#include <string>

namespace cuprum::cuda {

enum class Stage : std::uint8_t { waiting, ready, failed };

/// One kernel for one architecture. `kernel` and `tier` are set before `stage` becomes ready, `problem` before it becomes failed.
struct CompiledKernel {
  std::atomic<Stage> stage{Stage::waiting};
  CUkernel kernel = nullptr;  // serves every device of the architecture
  int tier = 1;               // 2: from the on-disk cache
  int architecture = 0;
  std::uint64_t hash = 0;  // of the key, for messages
  std::string source;      // until it is compiled
  std::string problem;
};

/// Makes `kernel` ready, now, on this thread.
void compile_now(CompiledKernel& kernel);

/// Makes it ready on a background thread. The kernel must stay where it is for good.
void compile_later(CompiledKernel& kernel);

/// Waits until every kernel that was given to compile_later is ready.
void finish_compiling();

/// Ends the background threads after what they are doing; kernels are compiled by whoever asks from then on.
void stop_compiling();

/// If compiling cost nothing to wait for: looks into the on-disk cache when NVRTC is open. True when the kernel is ready.
bool find_on_disk(CompiledKernel& kernel);

/// Waits until a kernel that was given to compile_later is ready or has failed.
void wait_for(CompiledKernel& kernel);

/// Everything that distinguishes the image of a source, for the on-disk cache. The texts that are included stand for the
/// version of this library.
std::string disk_key(const std::string& source, int architecture);

/// CUPRUM_TRACE contains "jit".
bool traces_jit();

}  // namespace cuprum::cuda
