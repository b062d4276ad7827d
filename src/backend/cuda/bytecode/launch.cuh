// What launches of the interpreter's kernels share.
#pragma once

#include <atomic>
#include <cstring>
#include <optional>

#include "backend/cuda/bytecode/argument.cuh"
#include "backend/cuda/bytecode/encode.h"
#include "backend/cuda/context.h"

namespace cuprum::cuda::bytecode {

/// The program as a kernel's argument. Holds the device memory of a long one until the kernel is enqueued.
class Argument {
 public:
  Argument(Context& context, const Program& program, ProgramArgument& to) {
    const std::size_t n = program.bytes.size();
    to.planes = static_cast<int>(n / 16);
    to.far = nullptr;
    if (n <= kNearBytes) {
      std::memcpy(to.near, program.bytes.data(), n);
      return;
    }
    // The bytes are not pinned: they have been read when the call returns.
    scratch_.emplace(context, n);
    check(cudaMemcpyAsync(scratch_->get(), program.bytes.data(), n, cudaMemcpyHostToDevice, context.stream),
          "copying a program of the interpreter");
    to.far = scratch_->get<const uint4>();
  }

 private:
  std::optional<Scratch> scratch_;
};

/// Lets a kernel ask for `bytes` of dynamic shared memory. `done` remembers the devices where it may.
template <class Function>
void allow_shared(const DeviceFacts& context, Function* function, std::size_t bytes,
                  std::atomic<std::uint64_t>& done) {
  const std::uint64_t bit = std::uint64_t{1} << (context.device & 63);
  if (done.load(std::memory_order_relaxed) & bit) return;
  check(cudaFuncSetAttribute(reinterpret_cast<const void*>(function),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
        "shared memory of the interpreter");
  done.fetch_or(bit, std::memory_order_relaxed);
}

}  // namespace cuprum::cuda::bytecode
