// Arrays as sets. NaN equals nothing, so it is in no set, as in NumPy.
#pragma once

#include "cuprum/sorting.h"

namespace cuprum {

/// Is each element among the values? With `invert`: is it not?
array isin(const array& elements, const operand& values, bool invert = false);
/// The sorted distinct elements of two arrays.
array union1d(const array& a, const array& b);
/// The sorted elements that two arrays have in common; `assume_unique`: neither has an element twice.
array intersect1d(const array& a, const array& b, bool assume_unique = false);
struct intersect1d_result {
  array values, index1, index2;
};
/// The same, and where each first stands in them (intersect1d with return_indices=True).
intersect1d_result intersect1d_indices(const array& a, const array& b, bool assume_unique = false);
/// The sorted elements that are in exactly one of two arrays.
array setxor1d(const array& a, const array& b, bool assume_unique = false);
/// The distinct elements of `a` that are not in `b`, sorted; as they stand where they are distinct by assumption.
array setdiff1d(const array& a, const array& b, bool assume_unique = false);

/// The distinct elements, sorted; NaN are distinct.
array unique_values(const array& a);
struct unique_counts_result {
  array values, counts;
};
/// The same, and how often each occurs.
unique_counts_result unique_counts(const array& a);
struct unique_inverse_result {
  array values, inverse_indices;
};
/// The distinct elements and the indices that restore `a` from them.
unique_inverse_result unique_inverse(const array& a);
struct unique_all_result {
  array values, indices, inverse_indices, counts;
};
/// The distinct elements, their first positions, the indices that restore `a`, and counts.
unique_all_result unique_all(const array& a);

}  // namespace cuprum
