// From a program's text to a shared library for this machine: by the on-disk cache, else preprocessed, translated and compiled.
#pragma once

#include <string>

#include "runtime/user_kernels.h"

namespace cuprum::cpu {

/// The library. Throws CompileError, with the program's own line where the compiler names one.
std::string compile_image(const ModuleSpec& spec);

/// What the compiler warns of in a text that compiles. Asked for seldom: the text is read once more.
std::string warnings_of(const ModuleSpec& spec);

}  // namespace cuprum::cpu
