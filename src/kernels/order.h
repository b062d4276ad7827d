// sorts_before: the order of sorting. NaN are greater than every number and equal to each other; complex numbers are
// ordered by the company of NaN they are in (none, imaginary, real, both), then by the real, then by the imaginary part.
#pragma once

#include "kernels/comparison.h"
#include "kernels/floating.h"

CUPRUM_KERNELS_BEGIN

template <class T>
CUPRUM_FN bool sorts_before(T a, T b) {
  return less(a, b) | (isnan(b) & !isnan(a));
}

template <class R>
CUPRUM_FN bool sorts_before(complex<R> a, complex<R> b) {
  const int rank_a = (a.im != a.im) + 2 * (a.re != a.re), rank_b = (b.im != b.im) + 2 * (b.re != b.re);
  const bool tie = !(a.re < b.re) & !(b.re < a.re);
  return (rank_a < rank_b) | ((rank_a == rank_b) & ((a.re < b.re) | (tie & (a.im < b.im))));
}

CUPRUM_KERNELS_END
