#include "backend/cpu/sort.h"

#include "backend/reference/primitives.h"

namespace cuprum::cpu {

void sort(const View& in, const View& out) { reference::sort(in, out); }
void argsort(const View& in, const View& out) { reference::argsort(in, out); }

}  // namespace cuprum::cpu
