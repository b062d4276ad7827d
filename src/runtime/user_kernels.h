// Kernels that a program brings, as text in CUDA C++.
//
// A module is a text compiled for one kind of device: by the system's C++ compiler for devices whose work the host does (the CPU, far,
// reference), against headers that give CUDA's language there (src/backend/cpu/user_kernels). A function of a module is
// launched by the primitive Launch (runtime/primitives_launch.h), in the order of its stream like any other call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/primitives_launch.h"
#include "runtime/program.h"

namespace cuprum {

class Backend;

/// What a module is made of. Equal specifications are compiled once per kind of device, and kept on disk.
struct ModuleSpec {
  std::string code;
  std::vector<std::string> options;           // NVRTC's: -D, -I, -std=c++17, --use_fast_math, ...
  std::vector<std::string> name_expressions;  // instances of templates that will be asked for: "scale<float>"
  bool checked = false;  // looks at every access (CUPRUM_CHECK_KERNELS); the host's devices alone
  bool operator==(const ModuleSpec&) const = default;
};

/// A parameter as a kernel's text declares it: what its argument is compared with.
struct ParameterType {
  bool pointer = false;
  bool constant = false;  // a pointer to const: the kernel only reads there
  std::optional<dtype>
      type;  // of the number, or of what is pointed to; none: a struct, void, plain char (bytes of anything)
  std::uint32_t size = 0;  // bytes of the value, or of what is pointed to (void: 0)
  std::string text;        // "const float*": for people
};

/// A kernel: what CUDA calls a function with __global__.
class UserFunction {
 public:
  explicit UserFunction(std::string name) : name(std::move(name)) {}
  virtual ~UserFunction() = default;
  UserFunction(const UserFunction&) = delete;
  UserFunction& operator=(const UserFunction&) = delete;

  const std::string name;

  /// Throws DeviceError for a launch that there is no room for, or whose parameters are not the kernel's. Before it is handed over.
  virtual void check(const Launch& launch) const = 0;
  /// Runs it now, on all cores; `arguments[i]` is the address of the bytes of the i-th parameter, as cuLaunchKernel takes them.
  virtual void run(const Launch& launch, void** arguments) const = 0;
  /// What it takes; null: the device does not know.
  virtual const std::vector<ParameterType>* parameters() const { return nullptr; }
  /// CUDA's attributes by CuPy's names: "num_regs", "shared_size_bytes", "max_threads_per_block". Throws ValueError.
  virtual int attribute(std::string_view key) const = 0;
  virtual void set_attribute(std::string_view key, int value) = 0;
};

class UserModule {
 public:
  virtual ~UserModule() = default;
  /// By its plain name, if it is extern "C", or by a name expression. Throws DeviceError, naming the kernels there are.
  virtual std::shared_ptr<UserFunction> function(const std::string& name) = 0;
  /// A __device__ or __constant__ variable: its address and size in bytes.
  virtual std::pair<std::byte*, std::size_t> global(const std::string& name) = 0;
};

/// Compiles for devices whose work the host does; the same specification again gives the same module. Throws CompileError.
std::shared_ptr<UserModule> compile_on_host(const ModuleSpec& spec);

/// The parameters of a launch, as `UserFunction::run` takes them: addresses into `bytes`, where those of arrays are filled in.
/// `address(view)` is the address that the kernel is to see.
template <class AddressOf>
std::vector<void*> launch_arguments(const Launch& launch, std::vector<std::byte>& bytes,
                                    std::span<const View> in, std::span<const View> out,
                                    AddressOf&& address) {
  std::vector<void*> arguments;
  arguments.reserve(launch.parameters.size());
  bytes = launch.bytes;
  for (const Launch::Parameter& p : launch.parameters) {
    if (p.operand >= 0) {
      const std::byte* data = address((p.written ? out : in)[static_cast<std::size_t>(p.operand)]);
      std::memcpy(bytes.data() + p.at, &data, sizeof data);
    }
    arguments.push_back(bytes.data() + p.at);
  }
  return arguments;
}

/// The form of Launch on devices whose work the host does.
void launch_on_host(const Launch& launch, std::span<const View> in, std::span<const View> out);

}  // namespace cuprum
