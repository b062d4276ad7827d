// The words that the text of elementwise and reduction kernels may use beside CUDA's: CuPy's CArray, CIndexer, complex, float16.
#pragma once

#include <string>
#include <string_view>

#include "ops/kernel_parameters.h"

namespace cuprum::ops {

/// What stands before a kernel of these dtypes whose own text is `text`; a part that neither needs is left out, since the compiler
/// would read it every time.
std::string kernel_prelude(const ParameterTypes& types, std::string_view text);

/// A part of the program's text, in which errors are told by its own lines: "saxpy.operation:2".
std::string marked(const std::string& kernel, const char* part, std::string_view text);

}  // namespace cuprum::ops
