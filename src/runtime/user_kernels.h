// Kernels that a program brings, as text in CUDA C++.
//
// A module is a text compiled for one kind of device: by NVRTC or nvcc for a GPU (src/backend/cuda/user_kernels), by the system's C++
// compiler for devices whose work the host does (the CPU, far, reference), against headers that give CUDA's language there
// (src/backend/cpu/user_kernels). A function of a module is launched by the primitive Launch (runtime/primitives_launch.h), in the
// order of its stream like any other call.
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
  /// What `code` is, and who compiles it for a GPU. The host's devices have one compiler, and cannot run machine code.
  enum class Form : std::uint8_t { nvrtc, nvcc, machine_code };

  std::string code;                  // a text; of machine_code, the bytes of PTX, a cubin or a fatbin
  std::vector<std::string> options;  // NVRTC's: -D, -I, -std=c++17, --use_fast_math, ...
  std::vector<std::string> name_expressions;  // instances of templates that will be asked for: "scale<float>"
  Form form = Form::nvrtc;
  bool checked = false;  // looks at every access (CUPRUM_CHECK_KERNELS); the host's devices alone
  bool operator==(const ModuleSpec&) const = default;

  /// Different for any two specifications.
  std::string key() const;
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
  /// What it takes; null: the device does not know.
  virtual const std::vector<ParameterType>* parameters() const { return nullptr; }
  /// CUDA's attributes by CuPy's names: "num_regs", "shared_size_bytes", "max_threads_per_block". Throws ValueError.
  virtual int attribute(std::string_view key) const = 0;
  virtual void set_attribute(std::string_view key, int value) = 0;
};

/// A kernel on a device whose work the host does.
class HostKernel : public UserFunction {
 public:
  using UserFunction::UserFunction;
  /// Runs it now, on all cores; `arguments[i]` is the address of the bytes of the i-th parameter, as cuLaunchKernel takes them.
  /// `in` and `out` are the launch's arrays.
  virtual void run(const Launch& launch, void** arguments, std::span<const View> in,
                   std::span<const View> out) const = 0;
};

class UserModule {
 public:
  virtual ~UserModule() = default;
  /// By its plain name, if it is extern "C", or by a name expression. Throws DeviceError, naming the kernels there are.
  virtual std::shared_ptr<UserFunction> function(const std::string& name) = 0;
  /// A __device__ or __constant__ variable: its address and size in bytes.
  virtual std::pair<std::byte*, std::size_t> global(const std::string& name) = 0;
  /// The compiler's warnings.
  virtual std::string log() = 0;
};

/// Compiles for devices whose work the host does; the same specification again gives the same module. Throws CompileError.
std::shared_ptr<UserModule> compile_on_host(const ModuleSpec& spec);

/// The parameters of a launch, as `HostKernel::run` and cuLaunchKernel take them. Kept from launch to launch, it allocates nothing.
class LaunchArguments {
 public:
  /// Addresses into a copy of the launch's bytes, where those of arrays are filled in: `address(view)` is what the kernel is to see.
  template <class AddressOf>
  void** fill(const Launch& launch, std::span<const View> in, std::span<const View> out,
              AddressOf&& address) {
    bytes_.assign(launch.bytes.begin(), launch.bytes.end());
    addresses_.clear();
    for (const Launch::Parameter& p : launch.parameters) {
      if (p.operand >= 0) {
        const std::byte* data = address((p.written ? out : in)[static_cast<std::size_t>(p.operand)]);
        std::memcpy(bytes_.data() + p.at, &data, sizeof data);
      }
      addresses_.push_back(bytes_.data() + p.at);
    }
    return addresses_.data();
  }

 private:
  std::vector<std::byte> bytes_;
  std::vector<void*> addresses_;
};

/// The form of Launch on devices whose work the host does.
void launch_on_host(const Launch& launch, std::span<const View> in, std::span<const View> out);

}  // namespace cuprum
