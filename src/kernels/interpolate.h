// Linear interpolation between two points, as NumPy's interp has it.
#pragma once

#include "kernels/floating.h"

CUPRUM_KERNELS_BEGIN

/// The value at x of the line through (x0, y0) and (x1, y1). `reciprocal`: the slope is a product with 1 / (x1 - x0), as
/// it is for complex values. Where infinities make the sum from the left point NaN, it is taken from the right one; and
/// between equal values it is that value.
CUPRUM_FN double on_line(double x, double x0, double x1, double y0, double y1, bool reciprocal) {
  const double slope = reciprocal ? (y1 - y0) * (1.0 / (x1 - x0)) : (y1 - y0) / (x1 - x0);
  const double here = slope * (x - x0) + y0, there = slope * (x - x1) + y1;
  return !isnan(here) ? here : isnan(there) & (y0 == y1) ? y0 : there;
}

/// Points with rising xp, and the values beyond them.
struct Points {
  const double *xp, *fp;
  int64 n;
  double left, right;
  bool reciprocal;

  /// The value at x, of which `after` points do not lie behind it.
  CUPRUM_FN double at(double x, int64 after) const {
    if (isnan(x)) return n == 1 ? fp[0] : x;  // NumPy asks a single point for more and less alone
    if (after == 0) return left;
    if (x > xp[n - 1]) return right;
    const int64 j = after - 1;
    if (after == n || x == xp[j]) return fp[j];
    return on_line(x, xp[j], xp[j + 1], fp[j], fp[j + 1], reciprocal);
  }
};

CUPRUM_KERNELS_END
