#include "backend/cuda/primitives/fold/fold.h"

#include "core/op_signatures.h"
#include "cuprum/error.h"

namespace cuprum::cuda::primitives {

// Instantiated in fold_integer.cu, fold_real.cu and fold_complex.cu.
template <dtype key>
void launch_fold_rows(Context& context, Op op, const FoldRows& rows);
template <dtype key>
void launch_fold_places(Context& context, Op op, const Move& move, const Destinations& sorted);

#define CUPRUM_EACH_DTYPE(X) \
  X(bool_)                   \
  X(int8)                    \
  X(int16)                   \
  X(int32)                   \
  X(int64)                   \
  X(uint8)                   \
  X(uint16) X(uint32) X(uint64) X(float16) X(bfloat16) X(float32) X(float64) X(complex64) X(complex128)

void fold_rows(Context& context, Op op, dtype key, const FoldRows& rows) {
  switch (key) {
#define CUPRUM_CASE(t) \
  case dtype::t: return launch_fold_rows<dtype::t>(context, op, rows);
    CUPRUM_EACH_DTYPE(CUPRUM_CASE)
#undef CUPRUM_CASE
  }
}

void fold_places(Context& context, Op op, dtype key, const Move& move, const Destinations& sorted) {
  switch (key) {
#define CUPRUM_CASE(t) \
  case dtype::t: return launch_fold_places<dtype::t>(context, op, move, sorted);
    CUPRUM_EACH_DTYPE(CUPRUM_CASE)
#undef CUPRUM_CASE
  }
}

}  // namespace cuprum::cuda::primitives
