// From a program's text to a shared library for this machine: by the on-disk cache, else preprocessed, translated and compiled.
#pragma once

#include <string>

#include "runtime/user_kernels.h"

namespace cuprum::cpu {

/// What a program's text is called in messages and in tables of lines.
inline constexpr char kKernelFile[] = "kernel.cu";

/// What a specification says, as one text.
std::string key_of(const ModuleSpec& spec);

/// The library. Throws CompileError, with the program's own line where the compiler names one.
std::string compile_image(const ModuleSpec& spec);

/// What the compiler warns of in a text that compiles. Asked for seldom: the text is read once more.
std::string warnings_of(const ModuleSpec& spec);

}  // namespace cuprum::cpu
