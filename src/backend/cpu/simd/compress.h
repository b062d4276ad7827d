// The inner loops of boolean masks, one run at a time. A mask byte counts as true when it is not zero.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// A strided run of memory: element i lies at data + i * step.
struct Run {
  unsigned char* data;
  int64_t step;
};

/// True elements among the first n.
CUPRUM_DECLARE_FOR_LEVELS(int64_t count_run(Run mask, int64_t n))

/// Stores in[i] for each true mask[i] contiguously at `out`, which has room for exactly `count` elements: the
/// number of true elements of the run. Elements have 1, 2, 4, 8 or 16 bytes.
CUPRUM_DECLARE_FOR_LEVELS(void compress_run(int itemsize, Run in, Run mask, int64_t n, void* out,
                                            int64_t count))

/// Stores first + i for each true mask[i]: count int64 values, `out.step` bytes apart.
CUPRUM_DECLARE_FOR_LEVELS(void true_positions(Run mask, int64_t n, int64_t first, Run out, int64_t count))

/// to[i] = the next element of `from` for each true mask[i]; `count` as above.
CUPRUM_DECLARE_FOR_LEVELS(void expand_run(int itemsize, Run to, Run mask, int64_t n, Run from, int64_t count))

/// to[i] = *value for each true mask[i].
CUPRUM_DECLARE_FOR_LEVELS(void fill_run(int itemsize, Run to, Run mask, int64_t n, const void* value))

}  // namespace cuprum
