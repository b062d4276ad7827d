// The folds of the cumulative functions, as types that a loop or a GPU's kernel is instantiated with.
#pragma once

#include "kernels/arithmetic.h"
#include "kernels/complex.h"
#include "kernels/minmax.h"

CUPRUM_KERNELS_BEGIN

struct Sum {
  template <class T>
  CUPRUM_FN static T fold(T a, T b) {
    return add(a, b);
  }
};

struct Prod {
  template <class T>
  CUPRUM_FN static T fold(T a, T b) {
    return multiply(a, b);
  }
};

struct Min {
  template <class T>
  CUPRUM_FN static T fold(T a, T b) {
    return minimum(a, b);
  }
};

struct Max {
  template <class T>
  CUPRUM_FN static T fold(T a, T b) {
    return maximum(a, b);
  }
};

CUPRUM_KERNELS_END
