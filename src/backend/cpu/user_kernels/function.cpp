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
#include "runtime/launch_checks.h"

namespace cuprum::cpu {

namespace {

// Pieces of a grid per thread of the pool: blocks of unequal length are spread, and a piece is not much dearer than its blocks.
// Blocks that walk over the grid have equal shares of the work by nature; the more of them a piece has, the longer are its ways through memory.
constexpr std::uint64_t kPieces = 32, kWalkPieces = 1;

lang::Dim dim(const Extent3& e) { return {e.x, e.y, e.z}; }

}  // namespace

HostFunction::HostFunction(const lang::Entry& entry, int static_shared, const CheckedModule* checked)
    : HostKernel(entry.name),
      entry_(entry),
      checked_(checked),
      parameters_(parameter_types({entry.parameters, entry.count})),
      static_shared_(static_shared),
      most_dynamic_shared_(kSharedBytes - static_shared) {}

LaunchLimits HostFunction::limits() const {
  return {kMaxBlock, most_dynamic_shared_.load(), kMostSharedBytes - static_shared_};
}

void HostFunction::check(const Launch& launch) const {
  check_shape(name, launch, limits());
  check_parameters(name, launch, parameters_);
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
  // A block that waits for those before it finds them begun.
  parallel_for_ascending(static_cast<std::int64_t>(pieces), [&](std::int64_t piece) {
    const auto p = static_cast<std::uint64_t>(piece);
    // count * p may need more than 64 bits.
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
    check_dynamic_shared_limit(name, value, limits());
    most_dynamic_shared_.store(value);
  } else if (key == "preferred_shared_memory_carveout") {
    check_carveout(value);
    carveout_.store(value);
  } else {
    attribute(key);  // throws for one that there is not
    throw ValueError("cuprum: the attribute '" + std::string(key) + "' of a kernel cannot be set");
  }
}

}  // namespace cuprum::cpu
