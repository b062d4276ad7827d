// A kernel of a module on a CUDA device.
#pragma once

#include <cuda.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "backend/cuda/context.h"
#include "runtime/launch_checks.h"

namespace cuprum::cuda {

class CudaFunction final : public UserFunction {
 public:
  /// With the device current. `described`: its parameters, or none where nobody knows more than their sizes.
  CudaFunction(std::string name, const DeviceFacts& facts, CUfunction function,
               std::optional<std::vector<ParameterType>> described);

  void check(const Launch& launch) const override;
  const std::vector<ParameterType>* parameters() const override {
    return described_ ? &parameters_ : nullptr;
  }
  int attribute(std::string_view key) const override;
  void set_attribute(std::string_view key, int value) override;

  CUfunction function() const { return function_; }

 private:
  int read(CUfunction_attribute which) const;
  LaunchLimits limits() const;
  void check_cooperative(const Launch& launch) const;

  const DeviceFacts& facts_;
  const CUfunction function_;
  const bool described_;
  const std::vector<ParameterType> parameters_;
  const int most_threads_, static_shared_;
  std::atomic<int> dynamic_shared_;
};

}  // namespace cuprum::cuda
