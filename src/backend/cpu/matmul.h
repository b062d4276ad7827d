// Matrix products, see runtime/primitives.h: BLAS where the dtype has one, a blocked loop elsewhere.
#pragma once

#include "runtime/primitives.h"

namespace cuprum::cpu {

void matmul(const View& a, const View& b, const View& out);

/// Computes two products of one matrix with a vector each in one pass over it, with the bits that they have alone. False, and
/// nothing is done, where they are no such products.
bool matmul_both(const Call& first, const Call& second);

}  // namespace cuprum::cpu
