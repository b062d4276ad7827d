// The system's C++ compiler, which is looked for when a program brings its first kernel.
#pragma once

#include <string>
#include <vector>

#include "runtime/work_folder.h"

namespace cuprum::cpu {

struct HostCompiler {
  std::string command;  // what is run
  std::string version;  // the first line of what it says of itself
};

/// CUPRUM_CXX, else CXX, else the first of c++, g++ and clang++ that there is. Throws CompileError, with the remedy.
const HostCompiler& host_compiler();

/// The processor, as far as code that is compiled for it depends on it.
const std::string& processor();

/// Runs the compiler in the folder, and waits for it.
WorkFolder::Outcome run_compiler(const WorkFolder& folder, const HostCompiler& compiler,
                                 const std::vector<std::string>& arguments);

}  // namespace cuprum::cpu
