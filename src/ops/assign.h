// Assignment as NumPy means it: the value is broadcast to the target and cast without asking, and leading dimensions of
// size 1 that the target does not have fall away.
#pragma once

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// `target[...] = value`. `function` names the caller in errors; null: they are NumPy's own words.
void assign_value(const char* function, const Array& target, const Value& value);

/// `a` without the leading dimensions of size 1 by which it has more than `ndim`.
Array without_surplus(const Array& a, int ndim);

[[noreturn]] void throw_read_only();

}  // namespace cuprum::ops
