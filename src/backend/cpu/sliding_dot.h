// Convolution and correlation; see runtime/primitives.h.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out);

}  // namespace cuprum::cpu
