// What every part of the CUDA backend shares: a device, a stream of it, and its memory.
//
// Work is asynchronous: a function returns when its kernels are enqueued. Scratch memory that was freed may be handed out again at
// once, because whoever uses it next comes later on the same stream.
#pragma once

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "runtime/backend.h"
#include "runtime/segments.h"

namespace cuprum::cuda {

class StagingSets;     // transfer.h
struct Faults;         // primitives/common/faults.h
struct PreparedCache;  // jit/prepared.h

/// Throws cuprum::Error that names `what` and CUDA's own words; an exhausted device is an OutOfMemoryError.
void check(cudaError_t status, const char* what);
void check(CUresult status, const char* what);

/// What to say of a status that means the end of the device's context; empty for any other.
std::string lost_context(cudaError_t status);

/// What the streams of a device have in common.
struct DeviceFacts {
  int device = 0;        // ordinal
  int architecture = 0;  // 90 for compute capability 9.0
  int multiprocessors = 0;
  int threads_per_multiprocessor = 0;
  std::size_t shared_per_block = 0;  // the most that a block may ask for, bytes
  std::size_t l2_bytes = 0;
  Pool* pool = nullptr;
  StagingSets* staging = nullptr;
  std::shared_ptr<Faults> faults;
};

struct Context : DeviceFacts {
  explicit Context(const DeviceFacts& facts) : DeviceFacts(facts) {}

  cudaStream_t stream = nullptr;  // the same thing as a CUstream
  Stream* owner = nullptr;        // the stream whose context this is

  // Held by the thread that hands work to the stream, for microseconds; never while it waits for the device (Waiting). What
  // follows is guarded by it.
  std::mutex handing;
  std::shared_ptr<PreparedCache> prepared;  // made by the first fused kernel
  std::uint32_t* tickets = nullptr;         // made by the first reduction of several blocks
};

/// Other threads hand over work while this one waits for the device. What the thread has made of its own stays valid.
class Waiting {
 public:
  explicit Waiting(Context& context) : context_(context) { context_.handing.unlock(); }
  ~Waiting() { context_.handing.lock(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  Context& context_;
};

/// Waits for what the stream has been given so far, and for nothing that comes later. Under `handing`, which is free meanwhile.
void wait_for_stream(Context& context, const char* what);

/// After a launch: reports what the launch itself got wrong, and, with CUPRUM_DEBUG=1, waits and reports faults of the
/// kernel under the name of the operation.
void launched(Context& context, const char* operation);

/// Device memory for the length of a scope. Aligned to 256 bytes.
class Scratch {
 public:
  Scratch(Context& context, std::size_t nbytes);
  ~Scratch();
  Scratch(Scratch&& other) noexcept
      : context_(other.context_), block_(std::exchange(other.block_, nullptr)), nbytes_(other.nbytes_) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;

  template <class T = std::byte>
  T* get() const {
    return reinterpret_cast<T*>(block_->data);
  }
  std::size_t size() const { return nbytes_; }

 private:
  Context* context_;
  Block* block_;
  std::size_t nbytes_;
};

// -- What CudaBackend calls; each is defined in the folder or file of its name.

/// Fused kernels and reductions: chooses the tier (jit/).
void run(Context& context, const Kernel& kernel);
/// What would run this kernel now. Compiles nothing.
enum class Tier : std::uint8_t { interpreted, compiled, from_disk };
Tier tier(const DeviceFacts& facts, const Kernel& kernel);
/// Does a kernel make itself what the call would give (primitives/leaves.cpp)?
bool fuses(const DeviceFacts& facts, const Primitive& call, Operands in, dtype type);
/// Tier 0, the interpreter (bytecode/). False when it cannot express this kernel.
bool run_bytecode(Context& context, const Kernel& kernel);
bool can_interpret(const DeviceFacts& facts, const Kernel& kernel);

// The forms of the primitives, each in the file of its family (primitives/).
#define CUPRUM_FORM(P) Answer<P> call(Context& context, const P& p, Operands in, Results<P> out);
CUPRUM_PRIMITIVES(CUPRUM_FORM)
#undef CUPRUM_FORM
bool order_statistics(Context& context, const View& in, const Dims& kth, const View& out);
std::shared_ptr<const CountedMask> count_true(Context& context, const View& mask);
/// Throws IndexError for an index of this thread's calls that a kernel has found out of bounds, LinAlgError for a matrix that could not be
/// factorized. To be called wherever the host has waited for the stream (synchronize, copy_to_host, a count that was read).
void raise_late_fault(Context& context);

}  // namespace cuprum::cuda
