// A kernel of a module on the CPU: checks of its launch, and the blocks on all cores.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/cpu/user_kernels/block.h"
#include "runtime/user_kernels.h"

namespace cuprum::cpu {

/// Shared memory of a block, as on GPUs of compute capability 9.0: what every launch may have, and the most that
/// max_dynamic_shared_size_bytes may ask for.
inline constexpr int kSharedBytes = 48 * 1024, kMostSharedBytes = 227 * 1024;

class HostFunction final : public UserFunction {
 public:
  /// `static_shared`: bytes of the kernel's __shared__ variables.
  HostFunction(const lang::Entry& entry, int static_shared);

  void check(const Launch& launch) const override;
  void run(const Launch& launch, void** arguments) const override;
  const std::vector<ParameterType>* parameters() const override { return &parameters_; }
  int attribute(std::string_view key) const override;
  void set_attribute(std::string_view key, int value) override;

 private:
  void run_blocks(lang::Blocks blocks, std::uint64_t count, void** arguments) const;
  void run_cooperative(const lang::Blocks& blocks, std::uint64_t count, void** arguments) const;

  const lang::Entry& entry_;
  const std::vector<ParameterType> parameters_;
  const int static_shared_;
  std::atomic<int> most_dynamic_shared_, carveout_{-1};
};

}  // namespace cuprum::cpu
