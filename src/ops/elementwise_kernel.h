// A program's own elementwise operation: the body of a loop in CUDA C++ (CuPy's ElementwiseKernel).
//
// Most are *pure*: one result, that depends on the elements of at most three operands and on nothing else. Their text becomes an
// operation of the lazy engine (core/user_op.h): recorded, fused with its neighbours, equal ones found, like a row of the table. The host
// compiles it as a loop over contiguous elements; for a GPU it is a function that the generated kernel calls. All others are launched as a
// kernel over CArrays: those with `raw` parameters, with the loop's index in their text, with several results or more operands; and on a GPU
// those with options or a preprocessor of their own, which are not those of the generated kernel.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/op.h"
#include "core/user_op.h"
#include "ops/kernel.h"
#include "ops/kernel_call.h"

namespace cuprum::ops {

struct ElementwiseSpec {
  std::string in_params, out_params;
  std::string operation;
  std::string name = "kernel";
  bool reduce_dims = true;
  std::string preamble;
  std::vector<std::string> options;
  std::string loop_prep, after_loop;
};

struct ElementwiseOptions {
  std::int64_t size = -1;  // of the loop, where all arrays are raw
  std::int64_t block_size = 128;
  Backend* device = nullptr;  // where numbers alone compute; not asked where there is an array
};

class ElementwiseKernel {
 public:
  /// Throws ValueError and TypeError for parameters and a name that are none.
  explicit ElementwiseKernel(ElementwiseSpec spec);

  const ElementwiseSpec& spec() const { return spec_; }
  std::span<const KernelParameter> inputs() const { return in_; }
  std::span<const KernelParameter> outputs() const { return out_; }

  /// The inputs, then all outputs or none. Returns the outputs, new arrays in C order where none were given.
  std::vector<Array> operator()(std::span<const Value> arguments, const ElementwiseOptions& options = {});

  /// What has been compiled so far: the dtypes of the arrays that were given, and the text.
  std::vector<KernelCode> codes() const { return codes_.all(); }

 private:
  bool is_pure(const KernelCall& call) const;
  Op operation_of(const KernelCall& call);
  std::vector<Array> record_pure(const KernelCall& call, const Dims& shape);
  /// A call whose dtypes have been seen before: nothing is found out anew. None: it has to be.
  std::optional<std::vector<Array>> record_known(std::span<const Value> arguments);
  static std::vector<Array> record_results(Op op, std::span<const Value> arguments, bool has_output,
                                           const Dims& shape);
  std::vector<Array> launch_loop(const KernelCall& call, Dims shape, const ElementwiseOptions& options);
  bool runs_as_threads(const KernelCall& call) const;
  std::string launch_text(const KernelCall& call, std::span<const Array* const> arrays,
                          const Dims& shape) const;
  const KernelFunction& kernel_of(const KernelCall& call, std::span<const Array* const> arrays,
                                  const Dims& shape);

  const ElementwiseSpec spec_;
  std::vector<KernelParameter> in_, out_;
  bool pure_text_ = false;      // nothing in the text keeps it from being an operation of the engine
  bool portable_text_ = false;  // nor from being a part of another text
  bool names_threads_ = false;  // the text knows of CUDA's threads: they are what it says

  std::mutex mutex_;                      // of what has been compiled
  std::map<std::string, Op> operations_;  // by device and dtypes of all arguments, 255 for numbers
  std::map<std::string, KernelFunction> kernels_;
  KernelCodes codes_;
};

}  // namespace cuprum::ops
