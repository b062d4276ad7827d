#include "backend/cpu/scan.h"

#include "backend/reference/primitives.h"

namespace cuprum::cpu {

void scan(ScanOp op, Op fold, const View& in, const View& out) { reference::scan(op, fold, in, out); }

}  // namespace cuprum::cpu
