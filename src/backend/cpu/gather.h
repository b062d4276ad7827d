// Indexing with integer arrays, see runtime/primitives.h. Every index is checked before anything is written.
#pragma once

#include <vector>

#include "runtime/backend.h"

namespace cuprum::cpu {

/// The first index that is out of bounds of `shape`.
IndexFault first_fault(Operands index, const Dims& shape);
/// `checked`: none is.
IndexFault gather(const View& from, Operands index, const View& out, bool checked = false);
IndexFault scatter(const View& to, Operands index, const View& from);
IndexFault scatter_fold(Op op, dtype key, const View& to, Operands index, const View& from);

}  // namespace cuprum::cpu
