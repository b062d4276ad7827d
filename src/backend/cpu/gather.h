// Indexing with integer arrays, see runtime/primitives.h. Every index is checked before anything is written.
#pragma once

#include <vector>

#include "runtime/backend.h"

namespace cuprum::cpu {

/// The first index that is out of bounds of `shape`.
Fault first_fault(Operands index, const Dims& shape);
/// `checked`: none is.
Fault gather(const View& from, Operands index, const View& out, bool checked = false);
Fault scatter(const View& to, Operands index, const View& from);
Fault scatter_fold(Op op, dtype key, const View& to, Operands index, const View& from, bool checked = false);

}  // namespace cuprum::cpu
