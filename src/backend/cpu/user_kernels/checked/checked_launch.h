// A launch in the checked mode (CUPRUM_CHECK_KERNELS): its blocks one after the other, every access looked at.
#pragma once

#include <span>
#include <string>

#include "backend/cpu/user_kernels/checked/checked_module.h"
#include "backend/cpu/user_kernels/language/cuprum_language/machine.h"
#include "runtime/user_kernels.h"

namespace cuprum::cpu {

/// Runs the kernel on copies of its arrays, and copies back what it has written. Tells what was wrong; empty: nothing.
std::string run_checked(const CheckedModule& module, const cuprum_language::Entry& entry,
                        const Launch& launch, cuprum_language::Blocks blocks, void** arguments,
                        std::span<const View> in, std::span<const View> out);

}  // namespace cuprum::cpu
