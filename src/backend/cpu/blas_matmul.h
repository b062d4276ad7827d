// One matrix product on BLAS.
#pragma once

#include <limits>

#include "backend/cpu/matrix.h"

namespace cuprum::cpu {

inline constexpr std::int64_t kMaxBlas = std::numeric_limits<int>::max();  // largest extent
inline constexpr std::int64_t kMaxBlasCallers = 64;  // OpenBLAS has working memory for that many threads

/// out = a @ b for a dtype that has_blas; no extent is 0 or above kMaxBlas.
void blas_matmul(dtype type, const Matrix& a, const Matrix& b, const Matrix& out);

}  // namespace cuprum::cpu
