// From a program's text to an image for a GPU: by the on-disk cache, else by NVRTC, or nvcc where the program asks for it.
//
// Behind the text stand descriptions of the parameters of its kernels (kernels/user/parameters.h), which the module reads out of the
// image. Kernels are found by name in the text as it was written: where that names one that the compiler does not know (a part that is
// switched off, a macro), the text is compiled once more, without them.
#pragma once

#include <string>
#include <vector>

#include "runtime/user_kernels.h"

namespace cuprum::cuda {

struct ModuleImage {
  std::string code;  // CUBIN, PTX or a fatbin
  std::string log;   // the compiler's warnings
  /// Kernels and name expressions, and their symbols in the image. The descriptions of the i-th one are variable `described_by(i)`.
  struct Name {
    std::string name, symbol;
  };
  std::vector<Name> names;
  bool described = false;
};

std::string described_by(std::size_t number);

/// Throws CompileError, with the program's own line where the compiler names one.
ModuleImage compile_module(const ModuleSpec& spec, int architecture);

}  // namespace cuprum::cuda
