// One matrix product in registers of our own (simd/fused_product.h), where the machine has them of 64 bytes. An element has
// the same bits however the product is cut and whichever operand is transposed, and a @ a.T is symmetric.
#pragma once

#include "backend/cpu/matrix.h"
#include "cuprum/dtype.h"

namespace cuprum::cpu {

bool has_fused_matmul(dtype type);

/// out = a @ b, of any strides.
void fused_matmul(dtype type, const Matrix& a, const Matrix& b, const Matrix& out);

}  // namespace cuprum::cpu
