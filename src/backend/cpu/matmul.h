// Matrix products, see runtime/primitives.h: BLAS where the dtype has one, a blocked loop elsewhere.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void matmul(const View& a, const View& b, const View& out);

}  // namespace cuprum::cpu
