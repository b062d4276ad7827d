#include "backend/cpu/user_kernels/checked/checked_launch.h"

#include <exception>
#include <mutex>

#include "backend/cpu/user_kernels/checked/block_checker.h"
#include "backend/cpu/user_kernels/cooperative.h"
#include "cuprum/error.h"

namespace cuprum::cpu {

std::string run_checked(const CheckedModule& module, const lang::Entry& entry, const Launch& launch,
                        lang::Blocks blocks, void** arguments, std::span<const View> in,
                        std::span<const View> out) {
  GuardedArrays arrays(launch, arguments, in, out);
  CheckedLaunch checked(module, arrays);
  std::exception_ptr error;
  try {
    if (launch.cooperative) {
      run_at_once(blocks, [&](BlockMachine& machine, const lang::Blocks& block, GridBarrier& barrier) {
        const std::lock_guard turn(checked.turn);
        BlockChecker checker(checked, machine);
        machine.run(block, entry, arguments, &barrier);
      });
    } else {
      BlockMachine& machine = BlockMachine::here();
      BlockChecker checker(checked, machine);
      blocks.machine = &machine;
      for (blocks.first = 0; blocks.first < launch.grid.count(); ++blocks.first)
        machine.run(blocks, entry, arguments, nullptr);
    }
  } catch (const DeviceError&) {
    error = std::current_exception();  // an assertion: what was found before it may be why
  }
  arrays.copy_back();
  if (!checked.findings.empty()) return checked.findings.describe(entry.name, module.code);
  if (error) std::rethrow_exception(error);
  return {};
}

}  // namespace cuprum::cpu
