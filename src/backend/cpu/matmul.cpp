#include "backend/cpu/matmul.h"

#include "backend/reference/primitives.h"

namespace cuprum::cpu {

void matmul(const View& a, const View& b, const View& out) { reference::matmul(a, b, out); }

}  // namespace cuprum::cpu
