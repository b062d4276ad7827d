// The operation of a scan: four have a name of their own, the others are what was asked for.
#pragma once

#include "runtime/backend.h"

namespace cuprum {

constexpr Op fold_of(ScanOp op, Op generic) {
  switch (op) {
    case ScanOp::sum: return Op::add;
    case ScanOp::prod: return Op::multiply;
    case ScanOp::min: return Op::minimum;
    case ScanOp::max: return Op::maximum;
    case ScanOp::generic: break;
  }
  return generic;
}

}  // namespace cuprum
