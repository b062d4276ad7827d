// Arrays as the text of elementwise and reduction kernels sees them, CArray and CIndexer of ops/kernel_prelude.cpp: how it declares
// them, and the bytes that a launch gives it.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "expr/array.h"
#include "ops/kernel.h"
#include "ops/kernel_parameters.h"

namespace cuprum::ops {

/// Merges the dimensions of `shape` that lie behind each other in all of `arrays`, which have that shape, and drops those of one
/// element: CuPy's reduce_dims.
void collapse_dimensions(Dims& shape, std::span<Array* const> arrays);

/// How many dimensions an array has in the text of a kernel, and whether it is known there to have no gaps: what the text of its type
/// depends on beside the dtype. Dimensions that the loop goes through are worth knowing of where they are one.
int layout_key(const KernelParameter& parameter, const Array& a);

std::string cindexer_type(const Dims& shape);

/// A kernel's parameter for an array or a number, as its text declares it: "const CArray<float, 1, true> _raw_x".
std::string declared(const KernelParameter& parameter, const Array* array, dtype type);
/// The element that a loop is at, by the parameter's name: "const T &x = _raw_x[_ind.get()];". Empty for what the text indexes itself.
std::string element_of(const KernelParameter& parameter, const Array* array, const char* indexer);

/// The arguments of a launch, in the order of the parameters.
class LoopArguments {
 public:
  void add(const Array& a, bool written);  // a CArray
  void add(const Scalar& number);
  void add(const Dims& shape);  // a CIndexer
  void add(std::int64_t number);
  /// A struct of the address of an array's first element and of numbers behind it.
  void add(const Array& a, bool written, std::initializer_list<std::int64_t> numbers);

  /// They live as long as this does, and nothing is added.
  std::vector<LaunchArgument> list() const;

 private:
  struct Argument {
    Array array;  // none: a value
    bool written;
    std::vector<std::byte> bytes;
  };
  std::vector<Argument> arguments_;
};

/// `n` items in ranges that lie together, a block of one thread for each, on a device whose work the host does. An item is `cost`
/// elements.
LaunchShape ranges_of(std::int64_t n, std::int64_t cost);

}  // namespace cuprum::ops
