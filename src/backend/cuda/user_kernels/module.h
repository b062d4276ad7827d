// A program's text on a CUDA device: compiled, loaded, its kernels and variables by name.
#pragma once

#include <memory>

#include "backend/cuda/context.h"
#include "runtime/user_kernels.h"

namespace cuprum::cuda {

/// The same specification again gives the same module; other threads that ask for it wait. Throws CompileError, and LoadError where the
/// driver refuses what was compiled, or the program's own machine code. The device stays as long as the process.
std::shared_ptr<UserModule> compile_on_device(const DeviceFacts& facts, const ModuleSpec& spec);

}  // namespace cuprum::cuda
