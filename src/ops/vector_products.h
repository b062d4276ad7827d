// Products along the last axes of stacks of vectors and matrices, and cross products.
#pragma once

#include <cstdint>

#include "expr/array.h"

namespace cuprum::ops {

/// Dot products of vectors, the first ones conjugated; one kernel, nothing stored between.
Array vecdot(const Array& a, const Array& b);
/// Matrices times vectors.
Array matvec(const Array& a, const Array& b);
/// Vectors, which are conjugated, times matrices.
Array vecmat(const Array& a, const Array& b);

/// Cross products of vectors of two or three components along an axis of each; `axisc` is where the result has them.
Array cross(const Array& a, const Array& b, std::int64_t axisa = -1, std::int64_t axisb = -1,
            std::int64_t axisc = -1);

}  // namespace cuprum::ops
