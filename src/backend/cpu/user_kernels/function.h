// A kernel of a module on the CPU: checks of its launch, and the blocks on all cores.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/cpu/user_kernels/block.h"
#include "backend/cpu/user_kernels/checked/checked_module.h"
#include "runtime/launch_checks.h"
#include "runtime/user_kernels.h"

namespace cuprum::cpu {

/// The most shared memory that a block may have, as on GPUs of compute capability 9.0.
inline constexpr int kMostSharedBytes = 227 * 1024;

class HostFunction final : public HostKernel {
 public:
  /// `static_shared`: bytes of the kernel's __shared__ variables. `checked`: of a module with checks, else null.
  HostFunction(const lang::Entry& entry, int static_shared, const CheckedModule* checked);

  void check(const Launch& launch) const override;
  void run(const Launch& launch, void** arguments, std::span<const View> in,
           std::span<const View> out) const override;
  const std::vector<ParameterType>* parameters() const override { return &parameters_; }
  int attribute(std::string_view key) const override;
  void set_attribute(std::string_view key, int value) override;

 private:
  LaunchLimits limits() const;
  void run_blocks(lang::Blocks blocks, std::uint64_t count, void** arguments) const;

  const lang::Entry& entry_;
  const CheckedModule* const checked_;
  const std::vector<ParameterType> parameters_;
  const int static_shared_;
  std::atomic<int> most_dynamic_shared_, carveout_{-1};
};

}  // namespace cuprum::cpu
