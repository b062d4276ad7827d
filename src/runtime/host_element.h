// Operations on single elements, which the host computes at once.
#pragma once

#include <cstdint>

#include "core/op.h"

namespace cuprum {

/// dst[i] = op(a[i], b[i], c[i]) for i in [0, n), as kernels of the CPU compute it.
using ElementLoop = void (*)(std::int64_t n, void* dst, const void* a, const void* b, const void* c);

/// The loop of an operation by its key (core/op.h); null: the CPU has none. Defined by the CPU backend.
ElementLoop element_loop(Op op, dtype key);

}  // namespace cuprum
