// Tiles of a matrix product in registers of 64 bytes: float32 and float64, each element one chain of fused multiply-adds in the
// order of k, from zero. So no bit depends on how a product is cut, nor on which part of it stood in the result before.
//
// Zen 5, one core, 512 x 512: 110 to 117 Gflop/s in float64, 227 to 235 in float32. A tile has eight rows of three registers:
// 24 sums hide the latency, and eleven loads stand beside 24 multiplications.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "backend/cpu/simd/product.h"
#include "cuprum/dtype.h"

namespace cuprum {

inline constexpr int kTileRows = 8;
inline constexpr int kTileBytes = 3 * 64;  // of a row of a tile

/// A panel of the product: at most kTileBytes wide.
struct FusedPanel {
  int64_t m, n, k;
  MatrixRef a;       // of blocks of kTileRows rows
  int64_t a_block;   // bytes from block to block
  MatrixRef b, out;  // elements of a row are neighbours
  int64_t ahead;     // bytes from what is read of b to what is asked for beside
  bool adds;         // to what stands in `out`, which is otherwise written over
};

/// Has this level such registers?
CUPRUM_DECLARE_FOR_LEVELS(bool has_fused_product())

/// out = a @ b, or out += a @ b. `type` is float32 or float64.
CUPRUM_DECLARE_FOR_LEVELS(void fused_product(dtype type, const FusedPanel& panel))

}  // namespace cuprum
