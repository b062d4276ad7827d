// Evenly spaced values, see runtime/primitives.h.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void arange(const View& out, const Scalar& start, const Scalar& step);

}  // namespace cuprum::cpu
