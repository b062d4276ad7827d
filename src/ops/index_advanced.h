// Indexing with arrays of bools and integers, with NumPy's rules for mixtures: a boolean array stands for the
// integer arrays of its true positions; index arrays broadcast together; their dimensions stand where the index
// arrays stood when those were next to each other, else first.
#pragma once

#include "core/op.h"
#include "ops/basic_index.h"

namespace cuprum::ops {

bool is_advanced(Index index);

/// An array, what indexes it and what it is to get come to one place (expr/place.h), before a plan is made for a device.
void bring_together(const Array& a, Index index, const Value* value = nullptr);

/// `function` is the call that a backend names when it finds a bad index later. `order`: 'K', or 'C'.
Array get_advanced(const Array& a, Index index, const char* function = "ndarray.__getitem__",
                   char order = 'K');
void set_advanced(const Array& a, Index index, const Value& value,
                  const char* function = "ndarray.__setitem__");

/// `a[index] = op(a[index], value)` one after the other, so that repeated indices accumulate (ufunc.at). Each result is
/// cast back to the dtype of `a`, without asking. `value` is null for an operation with one input.
void fold_at(const Array& a, Index index, Op op, const Value* value);

}  // namespace cuprum::ops
