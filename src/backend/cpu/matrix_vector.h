// Products of a matrix and a vector in registers of our own (simd/matrix_pass.h).
#pragma once

#include "backend/cpu/matrix.h"
#include "cuprum/dtype.h"

namespace cuprum::cpu {

/// Is out = a @ b such a product, of operands that it takes?
bool is_matrix_vector(dtype type, const Matrix& a, const Matrix& b, const Matrix& out);

void matrix_vector(dtype type, const Matrix& a, const Matrix& b, const Matrix& out);

}  // namespace cuprum::cpu
