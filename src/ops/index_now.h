// Few elements that the CPU has (`is_few` in expr/engine.h), picked and stored at once by index arrays and masks: three of 16 in 50 ns,
// where a node and its call take a microsecond. Nothing, or false: they are elsewhere, pending, watched or too many, or an index is out
// of bounds, and the way of all others has to be gone.
#pragma once

#include <optional>

#include "ops/basic_index.h"
#include "ops/value.h"

namespace cuprum::ops {

/// By integers of one shape, which index the first dimensions of `a`.
std::optional<Array> gathered_now(const Array& a, Index index);
/// The same for a number that is stored.
bool scattered_now(const Array& a, Index index, const Value& value);
/// By a mask of the shape of `a`.
std::optional<Array> selected_now(const Array& a, const Array& mask);

}  // namespace cuprum::ops
