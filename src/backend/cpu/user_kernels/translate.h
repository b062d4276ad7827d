// From CUDA C++, preprocessed, to C++: what a macro of the language's headers cannot say.
//
//   __global__        goes
//   __device__        goes; before a variable it becomes an attribute that keeps the variable for the host
//   __shared__        thread_local: an OS thread runs one block at a time
//   extern __shared__ the module's one piece of dynamic shared memory, under another name
//   __noinline__      an attribute; as a macro it would break the standard library's headers, which use that very word
//
// Kernels in which nobody waits have their heads marked (head.h). Lines stay where they are. Behind the text comes the table of the module's entries (machine.h).
#pragma once

#include <string>
#include <vector>

namespace cuprum::cpu {

/// The symbol of the dynamic shared memory.
inline constexpr char kDynamicShared[] = "cuprum_dynamic_shared";

struct Translation {
  std::string text;
  /// Memory may be read as another type than it was written. The compiler must know, and gcc 12 then makes no vectors of a loop whose
  /// loads are conditional.
  bool casts_pointers = false;
};

/// Throws CompileError for what has no meaning on the CPU. `as_written`: heads are not marked, and threads run one by one.
Translation translate(const std::string& preprocessed, const std::vector<std::string>& name_expressions,
                      bool as_written);

}  // namespace cuprum::cpu
