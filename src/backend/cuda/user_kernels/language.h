// The headers that a program's kernels may include beside the toolkit's: CuPy's, and those of the C and C++ libraries whose contents NVRTC
// knows without them.
#pragma once

#include <span>
#include <string>

#include "runtime/embedded_headers.h"

namespace cuprum::cuda {

std::span<const EmbeddedHeader> user_headers();
const std::string& user_headers_fingerprint();

}  // namespace cuprum::cuda
