// Polynomials by their coefficients, the highest power first.
//
// Coefficients stay on the device; only their number is asked for, where zeros at the head are dropped.
#pragma once

#include <cstdint>

#include "expr/array.h"

namespace cuprum::ops {

Array polyadd(const Array& a, const Array& b);
Array polysub(const Array& a, const Array& b);
/// Without the zeros at the heads of both.
Array polymul(const Array& a, const Array& b);

struct PolyQuotient {
  Array quotient, remainder;
};
/// The remainder is without leading coefficients that are zero but for rounding.
PolyQuotient polydiv(const Array& a, const Array& b);

/// The derivative of order m.
Array polyder(const Array& p, std::int64_t m = 1);
/// The integral of order m; `k`: the constants of each integration, one for all, or zeros.
Array polyint(const Array& p, std::int64_t m = 1, const Array* k = nullptr);
/// The value at every element of x, by Horner's rule in one fused kernel.
Array polyval(const Array& p, const Array& x);

/// The zeros: eigenvalues of the companion matrix. Waits for the device.
Array roots(const Array& p);
/// The polynomial with these zeros, or the characteristic polynomial of a square matrix.
Array poly(const Array& zeros);

}  // namespace cuprum::ops
