// Products of vectors and matrices.
#pragma once

#include <string>
#include <vector>

#include "cuprum/array.h"

namespace cuprum {

/// Matrix product over the last two dimensions; leading ones broadcast.
array matmul(const array& a, const array& b);
/// NumPy's dot: inner product of vectors, matrix product of matrices.
array dot(const array& a, const array& b);
/// Products of all pairs of elements of the flattened arrays.
array outer(const array& a, const array& b);
/// Sum of products over the last axes.
array inner(const array& a, const array& b);
/// Sum of products over the last `axes` of a and the first of b.
array tensordot(const array& a, const array& b, std::int64_t axes = 2);
/// Sums of products over labelled axes: einsum("ij,jk->ik", {a, b}) is a matrix product. Three operands and more are contracted in
/// pairs, the one first that saves most memory.
array einsum(const std::string& subscripts, const std::vector<array>& operands);

}  // namespace cuprum
