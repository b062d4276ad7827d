// What a program gives its kernels, compared with what they take.
//
// Where the parameters of a kernel are known (UserFunction::parameters), their number must be right, and every argument fits its
// parameter or is refused by a text that names both:
//
//     parameter         takes                                                     as
//     const T*, T*      an array of T; of anything, where T is void, a struct     the address of its first element
//                       or plain char; integers and bool go by their size
//                       alone, complex numbers as pairs of reals
//     any pointer       memory; an integer that is an address of the device;      the address; null
//                       nothing
//     a number          a number of no greater kind: bool, integer, real,         converted; an integer must fit
//                       complex
//     a struct          bytes, or a number, of the same size                      its bytes
//
// Arrays lie in memory without gaps, in C or Fortran order: a kernel is told an address, and would read the wrong elements of any
// other. Those that a parameter points to const at are read, all others count as written.
//
// Where parameters are not known, numbers go by their own size, Python's as int64, float64 and complex128.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "ops/kernel.h"
#include "ops/value.h"

namespace cuprum::ops {

/// The memory from the first byte of an array on, whatever is in it.
struct MemoryArgument {
  const Array& bytes;
};
/// A struct by value. What it names must live until the launch is handed over.
struct StructArgument {
  std::span<const std::byte> bytes;
};
/// A null pointer.
struct NullArgument {};

using KernelArgument = std::variant<Value, MemoryArgument, StructArgument, NullArgument>;

/// Launches a kernel after a look at its arguments. Beside what `launch` throws: TypeError for their number and what does not fit,
/// OverflowError for integers, ValueError for arrays with gaps and sizes of structs.
void launch_checked(const char* caller, const KernelFunction& kernel, const LaunchShape& shape,
                    std::span<const KernelArgument> arguments);

}  // namespace cuprum::ops
