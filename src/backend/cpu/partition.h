// Partitions; see runtime/primitives.h.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void partition(const View& in, const Dims& kth, const View& out);

}  // namespace cuprum::cpu
