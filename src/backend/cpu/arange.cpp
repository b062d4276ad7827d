#include "backend/cpu/arange.h"

#include "backend/reference/primitives.h"

namespace cuprum::cpu {

void arange(const View& out, const Scalar& start, const Scalar& step) { reference::arange(out, start, step); }

}  // namespace cuprum::cpu
