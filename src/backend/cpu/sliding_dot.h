// Convolution and correlation; see Backend::sliding_dot.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out);

}  // namespace cuprum::cpu
