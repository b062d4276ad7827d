// Launches that a device has no room for, or whose parameters are not the kernel's: looked at before they are handed over, by one text
// for all devices. The limits are CUDA's; a device whose work the host does has those of a recent GPU.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/user/parameters.h"
#include "runtime/user_kernels.h"

namespace cuprum {

/// Shared memory of a block, bytes: what every launch may have without asking for more. __shared__ variables have this much at most.
inline constexpr int kSharedBytes = 48 * 1024;

/// What a launch of a kernel may have.
struct LaunchLimits {
  int block = 1024;         // threads; fewer where each needs many registers
  int dynamic_shared = 0;   // bytes; the attribute max_dynamic_shared_size_bytes
  int largest_dynamic = 0;  // the most that this attribute may be set to
};

/// Throws DeviceError, with the name of CUDA's error.
void check_shape(const std::string& kernel, const Launch& launch, const LaunchLimits& limits);
void check_parameters(const std::string& kernel, const Launch& launch,
                      std::span<const ParameterType> parameters);
/// Of the __shared__ variables of a kernel: ptxas refuses a text that has more than kSharedBytes of them.
void check_static_shared(const std::string& kernel, int bytes);
void check_dynamic_shared_limit(const std::string& kernel, int asked, const LaunchLimits& limits);
void check_carveout(int percent);

/// What a compiled module says of a kernel's parameters.
std::vector<ParameterType> parameter_types(std::span<const cuprum_language::Parameter> described);

}  // namespace cuprum
