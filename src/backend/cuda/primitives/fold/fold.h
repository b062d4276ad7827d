// Folds with any operation, one element after the other: accumulate and ufunc.at where nothing faster gives the same.
#pragma once

#include "backend/cuda/primitives/index/destinations.h"

namespace cuprum::cuda::primitives {

/// Rows of a scan: strides in bytes.
struct FoldRows {
  std::int64_t rows, n;
  const char* in;
  char* out;
  std::int64_t in_row, in_step, out_row, out_step;
};

/// out[r, i] = in[r, 0] op ... op in[r, i], in this order; both of dtype `key`.
void fold_rows(Context& context, Op op, dtype key, const FoldRows& rows);

/// array[place] = op(array[place], line[position]) for the positions of each place, in C order.
void fold_places(Context& context, Op op, dtype key, const Move& move, const Destinations& sorted);

}  // namespace cuprum::cuda::primitives
