// Elements repeated by counts; see runtime/primitives.h.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void repeat(const View& in, const View& ends, const View& out);

}  // namespace cuprum::cpu
