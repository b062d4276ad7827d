// Arrays as sets. NaN equals nothing, so it is in no set, as in NumPy.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/array.h"
#include "ops/sort.h"

namespace cuprum::ops {

/// np.unique: without an axis the distinct elements, `inverse` with the shape of `a`; with one, the distinct slices along it in
/// lexicographic order.
Unique unique_along(const Array& a, std::optional<std::int64_t> axis, const UniqueArgs& args = {});

/// Whether each element of `elements` is among `tests`. bool, of the shape of `elements`.
Array is_in(const Array& elements, const Array& tests);

/// The sorted distinct elements of two arrays.
Array union1d(const Array& a, const Array& b);

/// The sorted elements that two arrays have in common, and where each first stands in them.
struct Intersection {
  Array values;
  Array index1, index2;  // unset, unless they are asked for
};
Intersection intersect1d(const Array& a, const Array& b, bool assume_unique = false,
                         bool return_indices = false);

/// The sorted elements that are in exactly one of two arrays.
Array setxor1d(const Array& a, const Array& b, bool assume_unique = false);
/// The elements of `a` that are not in `b`: distinct and sorted, or as they stand where they are distinct by assumption.
Array setdiff1d(const Array& a, const Array& b, bool assume_unique = false);

}  // namespace cuprum::ops
