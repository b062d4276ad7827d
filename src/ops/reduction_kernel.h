// A program's own reduction: a map, a fold of two values, and a map of the result, in CUDA C++ (CuPy's ReductionKernel).
//
// One result of at most three elements, folded in a type that is a dtype, is three operations of the engine: the map, the fold and the
// map of the result (ops/kernel_operation.h). They are recorded: the map and whatever is pending before it are the prologue of the
// reduction, and nothing of them is written. All others are launched:
//
// The loop is a kernel over rows: the elements that become one result are a row, cut into chunks of a fixed length whose partial
// results a second launch merges. The host folds a chunk in sixteen lanes of one thread; on a GPU the threads of a block fold it together.
// So the order of the fold depends on the length of the rows alone (on a GPU also on whether rows lie along memory or across), and the bits
// on no number of threads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/op.h"
#include "ops/kernel.h"
#include "ops/kernel_call.h"

namespace cuprum::ops {

struct ReductionSpec {
  std::string in_params, out_params;
  std::string map_expr, reduce_expr, post_map_expr;
  std::string identity;  // where a fold begins; empty: at a value of the type that is made of nothing
  std::string name = "reduce_kernel";
  std::string reduce_type;  // of what is folded; empty: that of the first output
  bool reduce_dims = true;
  std::string preamble;
  std::vector<std::string> options;
};

struct ReductionOptions {
  std::optional<Dims> axes;  // none: all
  bool keepdims = false;
};

class ReductionKernel {
 public:
  /// Throws ValueError and TypeError for parameters and a name that are none.
  explicit ReductionKernel(ReductionSpec spec);

  const ReductionSpec& spec() const { return spec_; }
  std::span<const KernelParameter> inputs() const { return in_; }
  std::span<const KernelParameter> outputs() const { return out_; }

  /// The inputs, then all outputs or none. Returns the outputs, new arrays in C order where none were given.
  std::vector<Array> operator()(std::span<const Value> arguments, const ReductionOptions& options = {});

  /// What has been compiled so far: the dtypes of the arrays that were given, and the text.
  std::vector<KernelCode> codes() const { return codes_.all(); }

 private:
  struct Rows;
  struct Compiled {
    KernelFunction map, merge;
    std::size_t state_bytes;  // of a partial result
  };

  /// The three operations of a call.
  struct Operations {
    Op map, fold, post;
    dtype type;  // of what is folded
  };
  /// None: the call is no pure one.
  std::optional<dtype> folded_dtype(const KernelCall& call) const;
  Operations operations_of(const KernelCall& call, dtype folded);
  Array record_pure(const KernelCall& call, const Operations& operations, const Dims& shape,
                    const ReductionOptions& options) const;

  std::string text_of(const KernelCall& call, const Rows& rows) const;
  const Compiled& compiled(const KernelCall& call, const Rows& rows);
  void launch_rows(const KernelCall& call, const Rows& rows);

  const ReductionSpec spec_;
  std::vector<KernelParameter> in_, out_;
  bool pure_text_ = false;      // nothing in the text keeps it from being operations of the engine
  bool portable_text_ = false;  // nor from being a part of another text

  std::mutex mutex_;
  std::map<std::string, Operations> operations_;  // by device, dtypes and whether there is an output
  std::map<std::string, Compiled> compiled_;
  KernelCodes codes_;
};

}  // namespace cuprum::ops
