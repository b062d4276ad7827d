// Indexing, in layers: each knows those before it.
//   basic_index      integers, slices, ellipsis, newaxis: a view
//   index_now        few elements by index arrays and masks, at once
//   index_mask       a boolean array of the array's own shape: select, fill
//   index_plan       any mixture with arrays made one gather or scatter
//   index_advanced   the gather, the scatter, and ufunc.at (index_fold.cpp)
//   index            a[index] and a[index] = value, whatever the index holds
#pragma once

#include <optional>

#include "ops/basic_index.h"

namespace cuprum::ops {

/// `a[index]`: a view, a value (0-d snapshot) when integers index every dimension, or a gathered copy.
Array get_item(const Array& a, Index index);

/// The element at an offset of the storage of `a`: a value, by its number where the CPU has it.
Array element(const Array& a, std::int64_t offset);
/// The number alone; nothing: the CPU does not have it, or somebody watches.
std::optional<HostNumber> element_number(const Array& a, std::int64_t offset);

/// `a[index] = value`: broadcasts and casts. Throws ValueError when `a` is read-only.
void set_item(const Array& a, Index index, const Value& value);

/// Throws what `a[index] = value` does, whatever the value: `a` is read-only, or the items of the index do not fit it.
void check_target(const Array& a, Index index);

/// `a[i]`: the shortest way to a view.
Array item_first(const Array& a, std::int64_t i);

}  // namespace cuprum::ops
