// Folding single elements into chosen places of an array, for the operations that ufunc.at is used with.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "core/op.h"

namespace cuprum {

/// Places in memory: stride * index[i] bytes from its beginning, negative indices counted from `extent`.
struct Places {
  const int64_t* index;
  int64_t extent, stride;
  bool ahead = false;  // fetch what comes later: the memory is larger than the cache
  int64_t apart = 0;   // of integers: elements take turns in kCopies of the memory, so many bytes apart
};

/// A place that is written again waits for the write before: counting 4 values takes 0.60 ns an element with four copies, 0.77 with one.
inline constexpr int64_t kCopies = 4;

/// element(i) = op(element(i), from(i)), one after the other, where element(i) lies at the i-th of the places in `to` and
/// from(i) at from + i * step.
using FoldAtFn = void (*)(int64_t n, void* to, const Places& places, const void* from, int64_t step);

/// For add, subtract, multiply, maximum and minimum of one dtype; null for others.
CUPRUM_DECLARE_FOR_LEVELS(FoldAtFn fold_at_loop(Op op, dtype key))

}  // namespace cuprum
