// The launch of a program's own kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace cuprum {

class UserFunction;  // runtime/user_kernels.h

/// CUDA's dim3.
struct Extent3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// in: arrays that the kernel reads alone; out: those that it may write, whose contents it may read as well. They may overlap: what
/// the kernel does with that is the program's affair.
struct Launch {
  static constexpr bool several = true;

  std::shared_ptr<const UserFunction> function;
  Extent3 grid, block;
  std::uint32_t shared_bytes = 0;  // dynamic shared memory
  bool cooperative = false;        // all blocks are there at once, and may wait for each other

  /// A parameter of the kernel: `size` bytes of `bytes` from `at` on. `operand` not below 0: they begin with the address of that array
  /// (of `out` if it is `written`, else of `in`).
  struct Parameter {
    std::int32_t operand = -1;
    bool written = false;
    std::uint32_t at = 0, size = 0;
  };
  std::vector<Parameter> parameters;
  std::vector<std::byte> bytes;  // parameters lie at multiples of 16
};

}  // namespace cuprum
