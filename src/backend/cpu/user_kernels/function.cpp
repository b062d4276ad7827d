#include "backend/cpu/user_kernels/function.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "backend/cpu/threads.h"
#include "backend/cpu/user_kernels/checked/checked_launch.h"
#include "backend/cpu/user_kernels/cooperative.h"
#include "cuprum/error.h"

namespace cuprum::cpu {

namespace {

// Pieces of a grid per thread of the pool: blocks of unequal length are spread, and a piece is not much dearer than its blocks.
// Blocks that walk over the grid have equal shares of the work by nature; the more of them a piece has, the longer are its ways through memory.
constexpr std::uint64_t kPieces = 32, kWalkPieces = 1;

lang::Dim dim(const Extent3& e) { return {e.x, e.y, e.z}; }

std::string text_of(const Extent3& e) {
  return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
}

/// "const float*". Numbers of 16 bits are classes of ours, whose names say nothing to anybody; of all other types a compiler says
/// what it makes of text_of (language/parameter_types.h): "... [with T = const float*]".
std::string text_of(const lang::Parameter& p) {
  if (p.type == static_cast<int>(dtype::float16) || p.type == static_cast<int>(dtype::bfloat16)) {
    const bool half = p.type == static_cast<int>(dtype::float16);
    return std::string(p.constant ? "const " : "") + (half ? "__half" : "__nv_bfloat16") +
           (p.pointer ? "*" : "");
  }
  const std::string_view text = p.text;
  const std::size_t begin = text.find("T = ") + 4;
  std::string type(text.substr(begin, text.rfind(']') - begin));
  if (const std::size_t space = type.find(" *"); space != std::string::npos) type.erase(space, 1);  // clang's
  return type;
}

std::vector<ParameterType> parameters_of(const lang::Entry& entry) {
  std::vector<ParameterType> parameters;
  for (unsigned i = 0; i < entry.count; ++i) {
    const lang::Parameter& p = entry.parameters[i];
    parameters.push_back({.pointer = p.pointer,
                          .constant = p.constant,
                          .type = p.type < 0 ? std::nullopt : std::optional(static_cast<dtype>(p.type)),
                          .size = p.pointer ? p.pointee : p.bytes,
                          .text = text_of(p)});
  }
  return parameters;
}

}  // namespace

HostFunction::HostFunction(const lang::Entry& entry, int static_shared, const CheckedModule* checked)
    : UserFunction(entry.name),
      entry_(entry),
      checked_(checked),
      parameters_(parameters_of(entry)),
      static_shared_(static_shared),
      most_dynamic_shared_(std::max(kSharedBytes - static_shared, 0)) {}

void HostFunction::check(const Launch& launch) const {
  const Extent3 &grid = launch.grid, &block = launch.block;
  if (block.count() == 0 || grid.count() == 0) {
    throw DeviceError("cuprum: kernel " + name + " is launched on a grid of " + text_of(grid) +
                      " blocks of " + text_of(block) +
                      " threads; each must be at least 1 (cudaErrorInvalidConfiguration)");
  }
  if (block.count() > kMaxBlock || block.x > kMaxBlock || block.y > kMaxBlock || block.z > 64) {
    throw DeviceError(
        "cuprum: kernel " + name + " is launched with blocks of " + text_of(block) +
        " threads; a block has at most 1024, at most 64 along z (cudaErrorInvalidConfiguration)");
  }
  if (grid.x > 0x7fffffffu || grid.y > 0xffffu || grid.z > 0xffffu) {
    throw DeviceError("cuprum: kernel " + name + " is launched on a grid of " + text_of(grid) +
                      " blocks; there are at most 2147483647 along x, 65535 along y and z "
                      "(cudaErrorInvalidConfiguration)");
  }
  if (static_cast<std::int64_t>(launch.shared_bytes) > most_dynamic_shared_.load()) {
    throw DeviceError("cuprum: kernel " + name + " is launched with " + std::to_string(launch.shared_bytes) +
                      " bytes of dynamic shared memory; it may have " +
                      std::to_string(most_dynamic_shared_.load()) +
                      " (set its attribute max_dynamic_shared_size_bytes, at most " +
                      std::to_string(kMostSharedBytes - static_shared_) + ") (cudaErrorInvalidValue)");
  }
  if (launch.parameters.size() != entry_.count) {
    throw DeviceError("cuprum: kernel " + name + " has " + std::to_string(entry_.count) +
                      " parameters and is launched with " + std::to_string(launch.parameters.size()) +
                      " (cudaErrorInvalidValue)");
  }
  for (unsigned i = 0; i < entry_.count; ++i) {
    const lang::Parameter& wanted = entry_.parameters[i];
    if (launch.parameters[i].size < wanted.bytes) {
      throw DeviceError("cuprum: parameter " + std::to_string(i + 1) + " of kernel " + name + " has " +
                        std::to_string(wanted.bytes) + " bytes" + (wanted.pointer ? ", an address," : "") +
                        " and is given " + std::to_string(launch.parameters[i].size) +
                        " (cudaErrorInvalidValue)");
    }
  }
}

void HostFunction::run(const Launch& launch, void** arguments, std::span<const View> in,
                       std::span<const View> out) const {
  check(launch);
  const lang::Blocks blocks{nullptr,           0, 0, dim(launch.grid), dim(launch.block), launch.shared_bytes,
                            launch.cooperative};
  std::string found;
  try {
    if (checked_) {
      found = run_checked(*checked_, entry_, launch, blocks, arguments, in, out);
    } else if (launch.cooperative) {
      run_at_once(blocks, [&](BlockMachine& machine, const lang::Blocks& block, GridBarrier& barrier) {
        machine.run(block, entry_, arguments, &barrier);
      });
    } else {
      run_blocks(blocks, launch.grid.count(), arguments);
    }
  } catch (DeviceError& error) {
    error.add_note("; in kernel " + name);
    throw;
  }
  std::fflush(stdout);  // what the kernel printed comes before what the program prints next
  if (!found.empty()) throw DeviceError(found);
}

void HostFunction::run_blocks(lang::Blocks blocks, std::uint64_t count, void** arguments) const {
  const std::uint64_t pieces = std::min(
      count, (entry_.walks ? kWalkPieces : kPieces) * static_cast<std::uint64_t>(std::max(num_threads(), 1)));
  parallel_for(static_cast<std::int64_t>(pieces), [&](std::int64_t piece) {
    const auto p = static_cast<std::uint64_t>(piece);
    // Ascending: a block that waits for those before it finds them begun. (count * p may need more than 64 bits.)
    const std::uint64_t each = count / pieces, more = count % pieces;
    lang::Blocks mine = blocks;
    BlockMachine& machine = BlockMachine::here();
    mine.machine = &machine;
    mine.first = p * each + std::min(p, more);
    mine.last = mine.first + each + (p < more ? 1 : 0);
    if (entry_.loop) return machine.run_loop(mine, entry_, arguments);
    for (const std::uint64_t end = mine.last; mine.first < end; ++mine.first)
      machine.run(mine, entry_, arguments, nullptr);
  });
}

int HostFunction::attribute(std::string_view key) const {
  if (key == "max_threads_per_block") return kMaxBlock;
  if (key == "shared_size_bytes") return static_shared_;
  if (key == "const_size_bytes" || key == "local_size_bytes" || key == "cache_mode_ca") return 0;
#if defined(__x86_64__)
  if (key == "num_regs") return 16;
#else
  if (key == "num_regs") return 32;
#endif
  if (key == "ptx_version" || key == "binary_version") return 90;  // what __CUDA_ARCH__ says
  if (key == "max_dynamic_shared_size_bytes") return most_dynamic_shared_.load();
  if (key == "preferred_shared_memory_carveout") return carveout_.load();
  throw ValueError("cuprum: kernels have no attribute '" + std::string(key) + "'");
}

void HostFunction::set_attribute(std::string_view key, int value) {
  if (key == "max_dynamic_shared_size_bytes") {
    if (value < 0 || value > kMostSharedBytes - static_shared_) {
      throw DeviceError("cuprum: max_dynamic_shared_size_bytes of kernel " + name + " is at most " +
                        std::to_string(kMostSharedBytes - static_shared_) + ", not " + std::to_string(value) +
                        " (cudaErrorInvalidValue)");
    }
    most_dynamic_shared_.store(value);
  } else if (key == "preferred_shared_memory_carveout") {
    if (value < -1 || value > 100)
      throw DeviceError("cuprum: preferred_shared_memory_carveout is -1 to 100, not " +
                        std::to_string(value) + " (cudaErrorInvalidValue)");
    carveout_.store(value);
  } else {
    attribute(key);  // throws for one that there is not
    throw ValueError("cuprum: the attribute '" + std::string(key) + "' of a kernel cannot be set");
  }
}

}  // namespace cuprum::cpu
