// Piecewise linear interpolation; see runtime/primitives.h.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                 const View& out);

}  // namespace cuprum::cpu
