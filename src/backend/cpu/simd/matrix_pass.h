// One pass over a matrix whose rows lie in memory: its products with a vector from the right, from the left, or both. float32
// and float64, in registers of 64 bytes.
//
// From the right an element is the sum of two registers of partial sums, those of even and of odd registers of the row; from the
// left one chain of fused multiply-adds in the order of the rows. So neither depends on which other rows or columns there are,
// nor on what else the pass computes.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

struct MatrixPass {
  int64_t rows, columns;
  const unsigned char* matrix;
  int64_t row;  // bytes from row to row; the elements of a row are neighbours

  const unsigned char* right;  // `columns` numbers, or null
  unsigned char* dots;         // dots[i] = matrix[i] @ right, one for each row
  int64_t dots_step;           // bytes

  const unsigned char* left;  // `rows` numbers, or null
  unsigned char* sums;        // sums = or += left @ matrix, one for each column
  bool adds;
};

/// `type` is float32 or float64. Where `has_fused_product()`.
CUPRUM_DECLARE_FOR_LEVELS(void matrix_pass(dtype type, const MatrixPass& pass))

}  // namespace cuprum
