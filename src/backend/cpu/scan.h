// Cumulative folds along the last axis, see runtime/primitives.h.
#pragma once

#include "runtime/backend.h"

namespace cuprum::cpu {

/// out[..., i] = in[..., 0] op ... op in[..., i]; one dtype. The order of the additions depends on the length
/// of the axis alone. `fold` is the operation of ScanOp::generic.
void scan(ScanOp op, Op fold, const View& in, const View& out);

}  // namespace cuprum::cpu
