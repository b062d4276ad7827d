// From a program's text to a shared library for this machine: by the on-disk cache, else preprocessed, translated and compiled.
#pragma once

#include <string>

#include "runtime/user_kernels.h"

namespace cuprum::cpu {

/// What a specification says, as one text.
std::string key_of(const ModuleSpec& spec);

/// The library. Throws CompileError, with the program's own line where the compiler names one.
std::string compile_image(const ModuleSpec& spec);

}  // namespace cuprum::cpu
