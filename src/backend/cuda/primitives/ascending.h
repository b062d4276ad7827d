// Many writes at places that ascend (ascending_kernels.cuh).
#pragma once

#include "backend/cuda/primitives/indices.h"

namespace cuprum::cuda::primitives {

/// Did the index array of this move ascend when it was last written by?
bool ascended_before(const Context& context, const Move& move);

/// Writes single words, or sets *falls, which is 0 on the device; then all are to be written again.
void write_if_ascending(Context& context, const Move& move, unsigned* falls);

/// Has it noted whether the move's index array falls, as soon as the device knows.
void remember_order(Context& context, const Move& move, const unsigned* falls);

}  // namespace cuprum::cuda::primitives
