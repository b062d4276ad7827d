// Determinants from LU factors.
#pragma once

#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda::primitives {

/// Of `count` matrices of n x n in columns. `pivots` counts from 1, as LAPACK does; a matrix with an `info`
/// has the determinant 0. out as Determinant's.
template <class Int>
void multiply_diagonals(Context& context, const View& factors, const Int* pivots, const int* info,
                        std::span<const View> out, bool log);

}  // namespace cuprum::cuda::primitives
