// Sorting complex numbers goes through their order.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void sort_complex(const View& in, const View& out);

}  // namespace cuprum::cpu
