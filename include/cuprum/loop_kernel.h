// A program's own elementwise operations and reductions, in CUDA C++: the text of a loop's body, without the loop.
//
//   const cp::elementwise_kernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
//   cp::array z = squared_diff(x, 2);                                   // recorded, and fused with its neighbours
//   const cp::reduction_kernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");
//   cp::array lengths = norm.reduce(z, {1});
//
// Parameters are a type and a name: a dtype, or one letter, which stands for the dtype of the array that is given; "raw" before it: the
// body indexes the array itself. `i` is the place in the loop. docs/guide/kernels.md has it all.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cuprum/array.h"

namespace cuprum {

/// What a kernel's text needs beside its body.
struct kernel_fragments {
  std::string preamble;                   // before the loop's function
  std::string loop_prep, after_loop;      // at its begin and end
  std::vector<std::string> options = {};  // of the compiler: -D, -I, --fmad=true
  std::string reduce_type;                // of what a reduction folds; empty: that of the first output
};

/// A loop over the elements of arrays. Copies share what was compiled.
class elementwise_kernel {
 public:
  /// The parameters, separated by commas, and the body in terms of their names: `operation` writes the outputs.
  elementwise_kernel(const std::string& in_params, const std::string& out_params,
                     const std::string& operation, const std::string& name = "kernel",
                     const kernel_fragments& fragments = {});

  /// The inputs, then all outputs or none: those that are not given are new arrays. Returns the first output.
  template <class... Args>
  array operator()(const Args&... args) const {
    return call(std::array<operand, sizeof...(Args)>{operand(args)...}).at(0);
  }
  /// The same for arguments that are known at run time, and for kernels with several outputs or none. `size` is the length of the loop
  /// where all arrays are raw.
  std::vector<array> call(std::span<const operand> args, std::int64_t size = -1) const;

 private:
  struct compiled;
  std::shared_ptr<compiled> compiled_;
};

/// A map of elements, a fold of two values `a` and `b`, a map of the result `a`. Copies share what was compiled.
class reduction_kernel {
 public:
  /// The parameters, separated by commas; `map_expr` is what an element counts, `reduce_expr` folds the values `a` and `b`,
  /// `post_map_expr` writes the outputs from `a`, and `identity` is where folding starts.
  reduction_kernel(const std::string& in_params, const std::string& out_params, const std::string& map_expr,
                   const std::string& reduce_expr, const std::string& post_map_expr,
                   const std::string& identity, const std::string& name = "reduce_kernel",
                   const kernel_fragments& fragments = {});

  /// Over all axes. The inputs, then all outputs or none; returns the first output.
  template <class... Args>
  array operator()(const Args&... args) const {
    return call(std::array<operand, sizeof...(Args)>{operand(args)...}).at(0);
  }
  /// Of one input over some axes.
  array reduce(const array& a, const axes_type& axes, bool keepdims = false) const;
  /// The same for arguments that are known at run time; without axes over all.
  std::vector<array> call(std::span<const operand> args, const axes_type& axes = {},
                          bool keepdims = false) const;

 private:
  struct compiled;
  std::shared_ptr<compiled> compiled_;
};

}  // namespace cuprum
