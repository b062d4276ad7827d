#include "backend/cuda/user_kernels/function.h"

#include <optional>
#include <utility>

#include "backend/cuda/current.h"
#include "backend/cuda/driver.h"
#include "cuprum/error.h"

namespace cuprum::cuda {

namespace {

struct Attribute {
  std::string_view name;
  CUfunction_attribute which;
  bool settable = false;
};

// CuPy's names.
constexpr Attribute kAttributes[] = {
    {"max_threads_per_block", CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK},
    {"shared_size_bytes", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
    {"const_size_bytes", CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES},
    {"local_size_bytes", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
    {"num_regs", CU_FUNC_ATTRIBUTE_NUM_REGS},
    {"ptx_version", CU_FUNC_ATTRIBUTE_PTX_VERSION},
    {"binary_version", CU_FUNC_ATTRIBUTE_BINARY_VERSION},
    {"cache_mode_ca", CU_FUNC_ATTRIBUTE_CACHE_MODE_CA},
    {"max_dynamic_shared_size_bytes", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, true},
    {"preferred_shared_memory_carveout", CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, true},
};

const Attribute& attribute_named(std::string_view key) {
  for (const Attribute& a : kAttributes) {
    if (a.name == key) return a;
  }
  throw ValueError("cuprum: kernels have no attribute '" + std::string(key) + "'");
}

/// Their sizes are all that the driver knows; nothing where it does not tell.
std::vector<ParameterType> sizes_of(CUfunction function) {
  std::vector<ParameterType> list;
#if CUDA_VERSION >= 12040
  if (!driver().cuFuncGetParamInfo) return list;
  std::size_t offset = 0, size = 0;
  while (driver().cuFuncGetParamInfo(function, list.size(), &offset, &size) == CUDA_SUCCESS)
    list.push_back({.size = static_cast<std::uint32_t>(size), .text = std::to_string(size) + " bytes"});
#endif
  return list;
}

}  // namespace

CudaFunction::CudaFunction(std::string name, const DeviceFacts& facts, CUfunction function,
                           std::optional<std::vector<ParameterType>> described)
    : UserFunction(std::move(name)),
      facts_(facts),
      function_(function),
      described_(described.has_value()),
      parameters_(described ? *std::move(described) : sizes_of(function)),
      most_threads_(read(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)),
      static_shared_(read(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)),
      dynamic_shared_(read(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)) {}

int CudaFunction::read(CUfunction_attribute which) const {
  int value = 0;
  cuda::check(driver().cuFuncGetAttribute(&value, which, function_), "an attribute of a kernel");
  return value;
}

LaunchLimits CudaFunction::limits() const {
  return {most_threads_, dynamic_shared_.load(std::memory_order_relaxed),
          static_cast<int>(facts_.shared_per_block) - static_shared_};
}

void CudaFunction::check(const Launch& launch) const {
  check_shape(name, launch, limits());
  if (!parameters_.empty() || described_) check_parameters(name, launch, parameters_);
  if (launch.cooperative) check_cooperative(launch);
}

void CudaFunction::check_cooperative(const Launch& launch) const {
  const Current current(facts_.device);
  int blocks = 0;
  cuda::check(driver().cuOccupancyMaxActiveBlocksPerMultiprocessor(
                  &blocks, function_, static_cast<int>(launch.block.count()), launch.shared_bytes),
              "the occupancy of a kernel");
  const auto most = static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(facts_.multiprocessors);
  if (launch.grid.count() <= most) return;
  throw DeviceError("cuprum: kernel " + name + " is launched cooperatively with " +
                    std::to_string(launch.grid.count()) + " blocks, and the device has room for " +
                    std::to_string(most) + " of them at once (cudaErrorCooperativeLaunchTooLarge)");
}

int CudaFunction::attribute(std::string_view key) const {
  const Current current(facts_.device);
  return read(attribute_named(key).which);
}

void CudaFunction::set_attribute(std::string_view key, int value) {
  const Attribute& attribute = attribute_named(key);
  if (!attribute.settable)
    throw ValueError("cuprum: the attribute '" + std::string(key) + "' of a kernel cannot be set");
  const bool dynamic = attribute.which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  if (dynamic)
    check_dynamic_shared_limit(name, value, limits());
  else
    check_carveout(value);
  const Current current(facts_.device);
  cuda::check(driver().cuFuncSetAttribute(function_, attribute.which, value), "an attribute of a kernel");
  if (dynamic) dynamic_shared_.store(value);
}

}  // namespace cuprum::cuda
