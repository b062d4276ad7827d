// Elements taken out of an array and put into it: new arrays, for the length changes. And the zeros at its ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expr/array.h"
#include "ops/basic_index.h"

namespace cuprum::ops {

/// `a` without what an integer, a slice or an array of integers or bools names of an axis, or of the flattened array.
Array delete_items(const Array& a, const IndexItem& where, std::optional<std::int64_t> axis = std::nullopt);

/// `a` with `values` put in before the positions that the same things name. One position takes any number of values.
Array insert(const Array& a, const IndexItem& where, const Value& values,
             std::optional<std::int64_t> axis = std::nullopt);

/// For each axis of `a` the part that is left without the zeros at its front ("f") and back ("b"); whole axes where `axes`
/// do not have them. Waits for the device.
std::vector<Range> trimmed_spans(const Array& a, const std::string& trim,
                                 const std::optional<Dims>& axes = std::nullopt);
/// The view of that part.
Array trim_zeros(const Array& a, const std::string& trim = "fb",
                 const std::optional<Dims>& axes = std::nullopt);

}  // namespace cuprum::ops
