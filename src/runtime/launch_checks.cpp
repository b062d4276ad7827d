#include "runtime/launch_checks.h"

#include "cuprum/error.h"

namespace cuprum {

namespace {

constexpr std::uint32_t kMostBlocksX = 0x7fffffff, kMostBlocksYZ = 0xffff, kMostThreads = 1024,
                        kMostThreadsZ = 64;

std::string text_of(const Extent3& e) {
  return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
}

[[noreturn]] void refuse(const std::string& kernel, const std::string& rest, const char* error) {
  throw DeviceError("cuprum: kernel " + kernel + " is launched " + rest + " (" + error + ")");
}

std::uint32_t bytes_of(const ParameterType& p) { return p.pointer ? sizeof(void*) : p.size; }

}  // namespace

void check_shape(const std::string& kernel, const Launch& launch, const LaunchLimits& limits) {
  const Extent3 &grid = launch.grid, &block = launch.block;
  if (block.count() == 0 || grid.count() == 0) {
    refuse(kernel,
           "on a grid of " + text_of(grid) + " blocks of " + text_of(block) +
               " threads; each must be at least 1",
           "cudaErrorInvalidConfiguration");
  }
  if (block.count() > kMostThreads || block.x > kMostThreads || block.y > kMostThreads ||
      block.z > kMostThreadsZ) {
    refuse(kernel,
           "with blocks of " + text_of(block) + " threads; a block has at most 1024, at most 64 along z",
           "cudaErrorInvalidConfiguration");
  }
  if (block.count() > static_cast<std::uint64_t>(limits.block)) {
    refuse(kernel,
           "with blocks of " + text_of(block) +
               " threads, and needs so many registers that a block has at most " +
               std::to_string(limits.block) + "; write __launch_bounds__(" + std::to_string(block.count()) +
               ") before its name, or smaller blocks",
           "cudaErrorLaunchOutOfResources");
  }
  if (grid.x > kMostBlocksX || grid.y > kMostBlocksYZ || grid.z > kMostBlocksYZ) {
    refuse(kernel,
           "on a grid of " + text_of(grid) +
               " blocks; there are at most 2147483647 along x, 65535 along y and z",
           "cudaErrorInvalidConfiguration");
  }
  if (static_cast<std::int64_t>(launch.shared_bytes) > limits.dynamic_shared) {
    refuse(kernel,
           "with " + std::to_string(launch.shared_bytes) + " bytes of dynamic shared memory; it may have " +
               std::to_string(limits.dynamic_shared) +
               " (set its attribute max_dynamic_shared_size_bytes, at most " +
               std::to_string(limits.largest_dynamic) + ")",
           "cudaErrorInvalidValue");
  }
}

void check_parameters(const std::string& kernel, const Launch& launch,
                      std::span<const ParameterType> parameters) {
  if (launch.parameters.size() != parameters.size()) {
    throw DeviceError("cuprum: kernel " + kernel + " has " + std::to_string(parameters.size()) +
                      " parameters and is launched with " + std::to_string(launch.parameters.size()) +
                      " (cudaErrorInvalidValue)");
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::uint32_t wanted = bytes_of(parameters[i]);
    if (launch.parameters[i].size >= wanted) continue;
    throw DeviceError("cuprum: parameter " + std::to_string(i + 1) + " of kernel " + kernel + " has " +
                      std::to_string(wanted) + " bytes" + (parameters[i].pointer ? ", an address," : "") +
                      " and is given " + std::to_string(launch.parameters[i].size) +
                      " (cudaErrorInvalidValue)");
  }
}

void check_static_shared(const std::string& kernel, int bytes) {
  if (bytes <= kSharedBytes) return;
  throw CompileError(
      "cuprum: the kernel's text does not compile\nkernel " + kernel + " has " + std::to_string(bytes) +
      " bytes of __shared__ variables, and a block has " + std::to_string(kSharedBytes) +
      "; write extern __shared__, set max_dynamic_shared_size_bytes and launch it with shared_mem=");
}

void check_dynamic_shared_limit(const std::string& kernel, int asked, const LaunchLimits& limits) {
  if (asked >= 0 && asked <= limits.largest_dynamic) return;
  throw DeviceError("cuprum: max_dynamic_shared_size_bytes of kernel " + kernel + " is at most " +
                    std::to_string(limits.largest_dynamic) + ", not " + std::to_string(asked) +
                    " (cudaErrorInvalidValue)");
}

void check_carveout(int percent) {
  if (percent >= -1 && percent <= 100) return;
  throw DeviceError("cuprum: preferred_shared_memory_carveout is -1 to 100, not " + std::to_string(percent) +
                    " (cudaErrorInvalidValue)");
}

std::vector<ParameterType> parameter_types(std::span<const cuprum_language::Parameter> described) {
  std::vector<ParameterType> parameters;
  for (const cuprum_language::Parameter& p : described) {
    std::string text = p.text;
    if (text == "__nv_bool") text = "bool";  // NVRTC's word
    if (p.type == static_cast<int>(dtype::float16) || p.type == static_cast<int>(dtype::bfloat16)) {
      // On the host these are classes whose names say nothing to anybody.
      text = std::string(p.constant ? "const " : "") +
             (p.type == static_cast<int>(dtype::float16) ? "__half" : "__nv_bfloat16") +
             (p.pointer ? "*" : "");
    }
    parameters.push_back({.pointer = p.pointer,
                          .constant = p.constant,
                          .type = p.type < 0 ? std::nullopt : std::optional(static_cast<dtype>(p.type)),
                          .size = p.pointer ? p.pointee : p.bytes,
                          .text = std::move(text)});
  }
  return parameters;
}

}  // namespace cuprum
