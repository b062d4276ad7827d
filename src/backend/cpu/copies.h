// Copies between strided and contiguous memory: how an operand that cannot be read in place enters a register, and how a
// result that cannot be written in place leaves it. Elements are moved as bits: one version per itemsize.
#pragma once

#include <cstdint>

#include "backend/cpu/dispatch.h"

namespace cuprum {

/// to[r, c] = from[r, c] for a tile of rows x cols elements of `itemsize` bytes (1, 2, 4, 8 or 16). Strides in bytes, of
/// any sign, 0 to repeat. The two sides do not overlap. Tiles whose sides run along memory in different directions are
/// transposed in vector registers, block by block.
struct TileCopy {
  std::int64_t rows, cols;
  void* to;
  std::int64_t to_row, to_col;
  const void* from;
  std::int64_t from_row, from_col;
};

struct CopyLoops {
  void (*tile)(int itemsize, const TileCopy& copy);
  /// to[i] = *value for i in [0, n), contiguous.
  void (*fill)(int itemsize, std::int64_t n, void* to, const void* value);
  /// Copies past the cache: for results too large to be found there by the next reader.
  void (*stream)(std::int64_t nbytes, void* to, const void* from);
  /// Makes streamed copies visible to other threads; once at the end.
  void (*stream_end)();
};

CUPRUM_DECLARE_FOR_LEVELS(const CopyLoops& copy_loops())

inline const CopyLoops& copies() {
  static const CopyLoops& loops = CUPRUM_CALL_LEVEL(copy_loops());
  return loops;
}

}  // namespace cuprum
