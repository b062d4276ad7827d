// Folding single elements into chosen places of an array, for the operations that ufunc.at is used with.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "core/op.h"

namespace cuprum {

/// element(i) = op(element(i), from(i)), one after the other, where element(i) lies at to + offsets[i] and
/// from(i) at from + i * step.
using FoldAtFn = void (*)(int64_t n, void* to, const int64_t* offsets, const void* from, int64_t step);

/// For add, subtract, multiply, maximum and minimum of one dtype; null for others.
CUPRUM_DECLARE_FOR_LEVELS(FoldAtFn fold_at_loop(Op op, dtype key))

}  // namespace cuprum
