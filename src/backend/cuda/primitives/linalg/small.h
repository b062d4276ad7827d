// Stacks of matrices of at most 32 rows and columns: kernels of our own, one lane of a warp for each row or
// column, which it keeps in registers. Matrices are padded to 8, 16 or 32 rows, so that a warp has four, two
// or one of them; they are read and written where they lie.
#pragma once

#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda::primitives {

/// out = a^-1 b; without b: a^-1. `info` as LAPACK's, one word a matrix; a matrix that is singular becomes
/// NaN.
void small_solve(Context& context, const View& a, const View* b, const View& out, int* info);
/// out[0]: the determinants; `log`: signs and out[1], the logarithms.
void small_determinant(Context& context, const View& a, std::span<const View> out, bool log);
void small_cholesky(Context& context, const View& a, const View& out, bool upper, int* info);
/// `reflectors` (m x n, any strides) and `factors` (min(m, n)) as LAPACK's geqrf gives them; `r`: zeros below
/// the diagonal; `q`: as many columns as its view has. What is null is not written.
struct SmallQr {
  const View* reflectors = nullptr;
  const View* factors = nullptr;
  const View* q = nullptr;
  const View* r = nullptr;
};
void small_qr(Context& context, const View& a, const SmallQr& to);
/// s falls; without u and vh: the values alone. u has all columns, or as many as there are values, and vh
/// rows, as their views say.
void small_svd(Context& context, const View& a, const View& s, const View* u, const View* vh, int* info);
/// `values` rise; `vectors` may be null.
void small_eigh(Context& context, const View& a, const View& values, const View* vectors, bool lower,
                int* info);

}  // namespace cuprum::cuda::primitives
