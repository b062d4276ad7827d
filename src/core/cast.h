// Conversion of single values between dtypes, with the meaning of `src/kernels/cast.h`.
#pragma once

#include "core/scalar.h"

namespace cuprum {

/// `value` as `type`: NumPy's astype(casting="unsafe") of one element.
Scalar cast_scalar(const Scalar& value, dtype type);

}  // namespace cuprum
