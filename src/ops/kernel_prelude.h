// The words that the text of elementwise and reduction kernels may use beside CUDA's: CuPy's CArray, CIndexer, complex, float16.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/kernel_parameters.h"
#include "runtime/user_kernels.h"

namespace cuprum::ops {

/// What stands before a text that computes with these dtypes and is `text` itself; a part that neither needs is left out, since the
/// compiler would read it every time.
std::string number_prelude(const ParameterTypes& types, std::string_view text);
/// The same before a kernel over arrays.
std::string kernel_prelude(const ParameterTypes& types, std::string_view text);

/// The module of a loop. Products and sums are not contracted, unless `options` say --fmad=true: a value is the same wherever it stands
/// in a loop, and whatever is computed in the same pass.
ModuleSpec loop_module(std::string text, const std::vector<std::string>& options);

/// A loop's function in the text: the program's own name may be that of a function of CUDA's, such as `norm`.
inline std::string function_name(const std::string& kernel) { return kernel + "_kernel"; }

/// A part of the program's text, on lines of its own: a compiler that refuses one shows it as it was written.
inline std::string own_lines(const std::string& text) { return "\n" + text + "\n"; }

}  // namespace cuprum::ops
