// A program's own kernels, in CUDA C++.
//
//   const cp::raw_kernel twice(R"(
//     extern "C" __global__ void twice(const float* x, float* y, int n) {
//       int i = blockIdx.x * blockDim.x + threadIdx.x;
//       if (i < n) y[i] = 2 * x[i];
//     })", "twice");
//   twice((n + 255) / 256, 256, x, y, n);
//
// The text is compiled for a device when a kernel is first launched there: on the CPU by the system's C++ compiler. A launch is
// ordered like any other call: what is pending among its arrays is evaluated first, and whatever reads them later comes behind it.
//
// Arguments are compared with the parameters of the kernel: an array of T for `const T*`, which it then only reads, or `T*`; numbers
// are converted as far as their kind allows (bool, integer, real, complex) and integers fit; nullptr; structs by their bytes. What
// does not fit throws TypeError, OverflowError or ValueError, as do arrays that do not lie in memory without gaps.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "cuprum/array.h"
#include "cuprum/loop_kernel.h"  // IWYU pragma: export

namespace cuprum {

/// How many blocks a grid has, or threads a block, in each dimension.
struct dim3 {
  std::uint32_t x, y, z;
  /// One, two or three dimensions.
  constexpr dim3(std::uint32_t x = 1, std::uint32_t y = 1, std::uint32_t z = 1) : x(x), y(y), z(z) {}
};

/// How a kernel is launched.
struct launch_config {
  dim3 grid;                       // blocks of the grid
  dim3 block;                      // threads of a block
  std::uint32_t shared_bytes = 0;  // dynamic shared memory of a block
  bool cooperative = false;        // all blocks are there at once, and may wait for each other
};

/// An argument of a kernel: an array, a number, a struct, or nullptr. It names what it was made of.
class kernel_argument {
 public:
  kernel_argument(const array& a) : array_(&a) {}
  kernel_argument(std::nullptr_t) {}
  template <class T>
  requires(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_null_pointer_v<T>)
      kernel_argument(const T& value)
      : bytes_(std::as_bytes(std::span<const T, 1>(&value, 1))) {
    if constexpr (std::is_arithmetic_v<T> || is_complex_number<T>) type_ = dtype_of<T>;
  }

 private:
  friend struct kernel_access;
  template <class T>
  static constexpr bool is_complex_number =
      std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

  const array* array_ = nullptr;
  std::span<const std::byte> bytes_;
  std::optional<dtype> type_;  // of a number
};

/// A kernel, on whichever device its arrays are. Copies share what was compiled.
class raw_kernel {
 public:
  /// `code` is the text; `name` is that of a function with extern "C" __global__; `options` are NVRTC's: -D, -I, -std=c++17, --use_fast_math.
  raw_kernel(const std::string& code, const std::string& name, const std::vector<std::string>& options = {});

  /// Launches it.
  template <class... Args>
  void operator()(dim3 grid, dim3 block, const Args&... args) const {
    launch({grid, block}, args...);
  }
  /// The same with more to say: `kernel.launch({.grid = 4, .block = 256, .shared_bytes = 1024}, x, n)`.
  template <class... Args>
  void launch(const launch_config& config, const Args&... args) const {
    launch_with(config, std::array<kernel_argument, sizeof...(Args)>{kernel_argument(args)...});
  }
  /// The same for arguments that are known at run time.
  void launch_with(const launch_config& config, std::span<const kernel_argument> arguments) const;

  /// CUDA's attributes on the current device: "num_regs", "shared_size_bytes", "max_dynamic_shared_size_bytes", which can be set.
  int attribute(const std::string& key) const;
  void set_attribute(const std::string& key, int value) const;

 private:
  friend class raw_module;
  struct compiled;
  explicit raw_kernel(std::shared_ptr<compiled> c) : compiled_(std::move(c)) {}

  std::shared_ptr<compiled> compiled_;
};

/// Kernels and variables of one text.
class raw_module {
 public:
  /// `code` is the text; `name_expressions`: instances of templates that will be asked for, "scale<float>".
  explicit raw_module(std::string code, std::vector<std::string> options = {},
                      std::vector<std::string> name_expressions = {});

  /// By its name, if it is extern "C", or by a name expression.
  raw_kernel get_function(const std::string& name) const;
  /// The elements of a __device__ or __constant__ variable on the current device: what is written there kernels read.
  template <class T>
  array get_global(const std::string& name) const {
    return get_global(name, dtype_of<T>);
  }
  array get_global(const std::string& name, dtype type) const;

 private:
  std::string code_;
  std::vector<std::string> options_, name_expressions_;
};

}  // namespace cuprum
