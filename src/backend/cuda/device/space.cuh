// The part of a kernel's argument that its skeleton reads, as plain structures: the host fills them in
// (codegen/), the device works by them.
#pragma once

#include "device/fault.cuh"

namespace cuprum::cuda::device {

using kernels::int64;
using kernels::uint32;
using kernels::uint64;

inline constexpr int kBlock = 256;  // threads of every block of every skeleton
inline constexpr int kQuad = 4;     // elements of an item of a reduction, whatever its dtype
inline constexpr int kTile = 32;    // rows and columns of a tile that is turned in shared memory

/// How V consecutive elements of an operand are reached:
///   vector     contiguous along the vector and aligned: accesses of up to 16 bytes
///   unit       contiguous but not aligned: V accesses
///   broadcast  one element for all
///   strided    V accesses, `stride` bytes apart
enum class Access : unsigned char { vector, unit, broadcast, strided };

/// Division of 0 <= n < 2^31 (Index int) or 2^63 (int64): (mulhi(n, magic) + n) >> shift, which is exact.
template <class Index>
struct Divisor;
template <>
struct Divisor<int> {
  uint32 divisor, magic, shift, unused;
};
template <>
struct Divisor<int64> {
  uint64 divisor, magic;
  uint32 shift, unused;
};

/// Elementwise kernels: rows of `inner` elements, cut into items of V.
template <class Index>
struct ElementwiseSpace {
  Index inner;             // elements of a row
  Index items;             // of all rows
  Divisor<Index> per_row;  // items of a row
};

/// Kernels that turn tiles: `outer` matrices of `major` rows and `inner` columns. Tiles are numbered down strips of
/// 1 << shift rows of tiles, so that blocks that run together touch long pieces of memory in both directions.
template <class Index>
struct TileSpace {
  Index inner, major;
  Index tiles;                         // of all matrices
  Divisor<Index> per_row, per_column;  // tiles along a row, strips of a matrix
  int shift;
};

template <class Index>
struct ReduceSpace {
  Index inner;             // elements of an inner row: reduced (rows), kept (columns)
  Index items;             // rows: of one result; columns: of all inner rows; serial: elements of a result
  Index major;             // columns: elements of one result
  Index results;           // number of results
  Index part;              // of `items` (rows) or `major` (columns), what one block reads
  Divisor<Index> per_row;  // items of an inner row
  int64 count;             // elements of one result
  int shift;        // log2 of the threads that share a result (rows), that stand side by side (columns)
  int splits;       // blocks that share a result: gridDim.y
  char* partials;   // states, by reducer, split, result
  uint32* tickets;  // one per blockIdx.x, 0 before and after the kernel
};

/// Row programs. A row (one result of its reductions) is cut as a reduction of its own would be.
template <class Index>
struct RowSpace {
  Index inner;             // elements of an inner row
  Index items;             // of one row
  Index rows;              // number of rows
  Index part;              // items of a split
  Divisor<Index> per_row;  // items of an inner row
  int64 count;             // elements of one row
  int shift;               // log2 of the threads that share a row, or a chunk of it
  int splits;              // of a row; each leaves a partial state
  int chunks;              // of a split: one block of the cluster for each
  int cluster;             // blocks that share a row
  int saved;               // where items that wait begin in the block's memory
};

/// A leaf that is read through indices (Gathered in runtime/program.h).
struct Gather {
  int64 extent;       // of the dimension of the table that is indexed
  int64 step;         // bytes of the table from index to index
  FaultRecord* told;  // of a bad index
  unsigned* claimed;
  const char* function;  // who asks, in the host's memory
  int axis, unused;
};

}  // namespace cuprum::cuda::device
