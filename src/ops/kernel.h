// Launching a program's own kernels (runtime/user_kernels.h).
//
// A launch is a call like any other: what is pending among its operands is evaluated first, it is handed to the current stream behind
// all that others have still to do with them, a capture keeps it, the timeline shows it by the kernel's name.
//
// What a kernel is given is looked at in ops/kernel_arguments.h; here it is bytes and arrays.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "expr/array.h"
#include "runtime/user_kernels.h"

namespace cuprum::ops {

/// Are a program's kernels run by the host's processors there, whatever memory they see? Else by a GPU's threads. Cheap.
bool computes_on_host(const Backend& device);

/// A module on a device. It lives as long as the process: equal texts are one module, with one set of variables.
class KernelModule {
 public:
  /// The module of a text on a device, compiled if it has not been yet, without the GIL. Throws CompileError.
  static std::shared_ptr<KernelModule> of(Backend& device, const ModuleSpec& spec);

  KernelModule(Backend& device, std::shared_ptr<UserModule> compiled)
      : device(device), compiled_(std::move(compiled)) {}

  Backend& device;

  /// The compiler's warnings.
  std::string log() const { return compiled_->log(); }
  /// Throws LoadError where there is none.
  std::shared_ptr<UserFunction> function(const std::string& name);
  /// The bytes of a __device__ or __constant__ variable, as a vector; throws LoadError. From here on every launch counts as a write to them.
  Array global(const std::string& name);
  std::vector<Array> known_globals() const;

 private:
  struct Global {
    std::string name;
    Array bytes;
  };
  const std::shared_ptr<UserModule> compiled_;
  std::atomic<bool> has_globals_ = false;
  mutable std::mutex mutex_;
  std::vector<Global> globals_;
};

/// A kernel of a module.
struct KernelFunction {
  std::shared_ptr<KernelModule> module;
  std::shared_ptr<UserFunction> function;

  KernelFunction(std::shared_ptr<KernelModule> m, const std::string& name)
      : module(std::move(m)), function(module->function(name)) {}
};

/// A kernel wherever its arrays are: compiled for a device when it is first asked for there.
class PortableKernel {
 public:
  PortableKernel(ModuleSpec spec, std::string name) : spec_(std::move(spec)), name_(std::move(name)) {}

  /// Throws CompileError, and LoadError where the text has no such kernel.
  const KernelFunction& on(Backend& device);

 private:
  const KernelFunction& look_up(Backend& device);

  const ModuleSpec spec_;
  const std::string name_;
  std::atomic<const KernelFunction*> latest_ = nullptr;  // that of the device of the latest launch
  std::mutex mutex_;
  std::deque<KernelFunction> compiled_;  // one a device
};

/// What a parameter is given: the address of an array's first element, whatever its strides are, or a value by its bytes. With both,
/// a struct that begins with the address: the first eight bytes are free for it.
struct LaunchArgument {
  const Array* array = nullptr;
  bool written = false;  // the kernel may write the array; else it reads it alone
  std::span<const std::byte> bytes = {};
};

/// Launches of that many arguments take no memory from the heap.
inline constexpr std::size_t kFewArguments = 8;

/// How many threads are to run, and what they share.
struct LaunchShape {
  Extent3 grid, block;
  std::uint32_t shared_bytes = 0;  // dynamic shared memory
  bool cooperative = false;        // all blocks are there at once
};

/// Launches a kernel on the current stream of its device. `caller` names the call in errors: "RawKernel". Throws TypeError for
/// arrays of other devices, ValueError for read-only ones that are to be written, and what UserFunction::check throws.
void launch(const char* caller, const KernelFunction& kernel, const LaunchShape& shape,
            std::span<const LaunchArgument> arguments);

}  // namespace cuprum::ops
