// What a call of an elementwise or reduction kernel finds out about its arguments, by CuPy's rules and in its words.
#pragma once

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ops/kernel_parameters.h"
#include "ops/value.h"

namespace cuprum::ops {

struct KernelCall {
  const char* function;     // "ElementwiseKernel"
  const std::string& name;  // of the kernel
  std::span<const KernelParameter> in_parameters, out_parameters;
  std::span<const Value> in, out;  // `out` is empty where results are new arrays
  Backend* device = nullptr;       // that of the arrays
  ParameterTypes types;

  /// Throws TypeError for outputs that are no arrays, dtypes that do not fit and arrays of two devices. `device` is where numbers
  /// alone compute.
  KernelCall(const char* function, const std::string& name, std::span<const KernelParameter> in_parameters,
             std::span<const KernelParameter> out_parameters, std::span<const Value> in,
             std::span<const Value> out, Backend* device);

  /// The i-th argument, outputs behind inputs; null for a number.
  const Array* array(std::size_t i) const;
  const KernelParameter& parameter(std::size_t i) const;
  std::size_t count() const { return in_parameters.size() + out.size(); }

  /// The common shape of the arrays that the loop runs over, of the first `n` arguments; none where there is no such array.
  std::optional<Dims> broadcast(std::size_t n) const;

  /// The outputs as they were given, of this shape unless they are raw, or new ones in C order. Throws ValueError.
  std::vector<Array> results(const Dims& shape, bool raw_may_be_new) const;

  /// A number as its parameter takes it.
  Scalar scalar(std::size_t i) const { return in[i].to_scalar(types.in[i]); }

  /// CuPy's words, and whose they are.
  [[noreturn]] void refuse(const std::string& what) const;
};

/// A text that was compiled, and the dtypes of the arrays that it was compiled for.
using KernelCode = std::pair<std::vector<dtype>, std::string>;

/// All of a kernel's, by dtypes: for whoever debugs a kernel.
class KernelCodes {
 public:
  void note(const KernelCall& call, const std::string& text);
  std::vector<KernelCode> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<KernelCode> codes_;
};

}  // namespace cuprum::ops
