// The texts of CUDA's language on the host (language/ and src/kernels), embedded when the library is built.
#pragma once

#include <span>
#include <string>

#include "runtime/embedded_headers.h"

namespace cuprum::cpu {

std::span<const EmbeddedHeader> language_headers();

/// Headers of CUDA that say nothing beyond what every text has here ("cuda_runtime.h"), or that pass on a standard one.
std::span<const EmbeddedHeader> forwarding_headers();

/// Changes with any of them.
const std::string& language_fingerprint();

}  // namespace cuprum::cpu
