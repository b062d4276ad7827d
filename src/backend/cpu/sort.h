// Stable sorting along the last axis, NaN last, see runtime/primitives.h.
#pragma once

#include "runtime/program.h"

namespace cuprum::cpu {

void sort(const View& in, const View& out);

/// `out` is int64.
void argsort(const View& in, const View& out);

}  // namespace cuprum::cpu
