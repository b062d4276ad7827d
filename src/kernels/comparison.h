// equal, not_equal, less, less_equal, greater, greater_equal, and the same between int64 and uint64.
//
// A NaN equals nothing and is ordered with nothing. Complex numbers are ordered by the real part, then by the
// imaginary part, as NumPy does; a NaN in either imaginary part leaves them unordered.
#pragma once

#include "kernels/types.h"

CUPRUM_KERNELS_BEGIN

template <real_number T>
CUPRUM_FN bool equal(T a, T b) {
  return a == b;
}
template <real_number T>
CUPRUM_FN bool less(T a, T b) {
  return a < b;
}
template <real_number T>
CUPRUM_FN bool less_equal(T a, T b) {
  return a <= b;
}

// Small floats are compared by their bits, 32 at a time in a vector, without conversion: NaN aside, this
// number orders them.
template <small_float T>
CUPRUM_FN int16 order(T x) {
  const int16 magnitude = static_cast<int16>(x.bits & 0x7fff);
  return static_cast<int16>((x.bits & 0x8000) != 0 ? -magnitude : magnitude);
}
template <small_float T>
CUPRUM_FN bool ordered(T a, T b) {
  return ((a.bits & 0x7fff) <= float_format<T>::infinity) & ((b.bits & 0x7fff) <= float_format<T>::infinity);
}
template <small_float T>
CUPRUM_FN bool equal(T a, T b) {
  return ordered(a, b) & (order(a) == order(b));
}
template <small_float T>
CUPRUM_FN bool less(T a, T b) {
  return ordered(a, b) & (order(a) < order(b));
}
template <small_float T>
CUPRUM_FN bool less_equal(T a, T b) {
  return ordered(a, b) & (order(a) <= order(b));
}

template <class R>
CUPRUM_FN bool equal(complex<R> a, complex<R> b) {
  return (a.re == b.re) & (a.im == b.im);
}
template <class R>
CUPRUM_FN bool less(complex<R> a, complex<R> b) {
  const bool ordered = (a.im == a.im) & (b.im == b.im);
  return ((a.re < b.re) & ordered) | ((a.re == b.re) & (a.im < b.im));
}
template <class R>
CUPRUM_FN bool less_equal(complex<R> a, complex<R> b) {
  const bool ordered = (a.im == a.im) & (b.im == b.im);
  return ((a.re < b.re) & ordered) | ((a.re == b.re) & (a.im <= b.im));
}

template <class T>
CUPRUM_FN bool not_equal(T a, T b) {
  return !equal(a, b);
}
template <class T>
CUPRUM_FN bool greater(T a, T b) {
  return less(b, a);
}
template <class T>
CUPRUM_FN bool greater_equal(T a, T b) {
  return less_equal(b, a);
}

// Between int64 and uint64 the usual conversion to a common type would lose: compare signs first.
CUPRUM_FN bool equal_mixed(int64 a, uint64 b) { return (a >= 0) & (static_cast<uint64>(a) == b); }
CUPRUM_FN bool equal_mixed(uint64 a, int64 b) { return equal_mixed(b, a); }
CUPRUM_FN bool not_equal_mixed(int64 a, uint64 b) { return !equal_mixed(a, b); }
CUPRUM_FN bool not_equal_mixed(uint64 a, int64 b) { return !equal_mixed(b, a); }
CUPRUM_FN bool less_mixed(int64 a, uint64 b) { return (a < 0) | (static_cast<uint64>(a) < b); }
CUPRUM_FN bool less_mixed(uint64 a, int64 b) { return (b > 0) & (a < static_cast<uint64>(b)); }
CUPRUM_FN bool greater_mixed(int64 a, uint64 b) { return less_mixed(b, a); }
CUPRUM_FN bool greater_mixed(uint64 a, int64 b) { return less_mixed(b, a); }
CUPRUM_FN bool less_equal_mixed(int64 a, uint64 b) { return !less_mixed(b, a); }
CUPRUM_FN bool less_equal_mixed(uint64 a, int64 b) { return !less_mixed(b, a); }
CUPRUM_FN bool greater_equal_mixed(int64 a, uint64 b) { return !less_mixed(a, b); }
CUPRUM_FN bool greater_equal_mixed(uint64 a, int64 b) { return !less_mixed(a, b); }

CUPRUM_KERNELS_END
