// How a kernel is run: which skeleton, over which space, and how each operand is reached. Made without allocation for ordinary
// kernels, and kept for those of the same structure (structure.h); what it decides beside numbers is part of the kernel's key.
//
// The dimensions of the kernel fall into three lists, each from the fastest to the slowest:
//              outer                         major                      inner
//   elementwise  -                           all but the last           the last
//   tiles        all others                  along which leaves lie     the last
//   rows         kept                        reduced, not inner         the last logical dimension, reduced
//   columns      kept, not inner             reduced                    the last logical dimension, kept
//   serial       kept                        reduced                    -
//   row programs as rows (row_plan.h)
// An operand's address is the sum of its coordinates times strides. Operands with equal strides share a *layout*: its
// offset is computed once.
#pragma once

#include "codegen/reduce_shape.h"
#include "device/space.cuh"

namespace cuprum::cuda {

using device::Access;
using DimList = SmallVector<std::uint8_t, 8>;

/// Which part of a kernel one launch does. Reductions that may not be regrouped need a launch of their own.
enum class Pass : std::uint8_t { elementwise, reduce, in_order };

struct Plan {
  Form form = Form::elementwise;
  Pass pass = Pass::elementwise;
  bool stores = true;       // does this launch write the kernel's stores?
  bool wide = false;        // 64-bit indices and offsets
  bool whole = false;       // no item is cut by the end of a row
  bool single_row = false;  // there is one row of items
  bool straddles =
      false;  // items may cross the end of the kernel's last dimension: elements are reached one by one
  bool interleaved = false;  // the stores fill one run of memory together, and are written as such
  std::uint8_t vector = 1;   // elements of an item
  std::uint8_t unroll = 1;   // items in flight
  DimList outer, major, inner;
  DimList kept;                              // fastest first, for the results of reductions
  SmallVector<const Dims*, 8> layouts;       // strides
  SmallVector<std::uint16_t, 16> layout_of;  // of leaves, stores, then the indices of gathers
  SmallVector<Access, 16> access_of;         // of these
  SmallVector<std::uint8_t, 16> turned;      // tiles: the leaves that lie across
  SmallVector<std::uint8_t, 8> reductions;   // those of this pass
  SmallVector<std::uint8_t, 8> dense;        // per reduction of this pass: are its results contiguous?
  SmallVector<std::uint8_t, 8> ordered;      // per reduction of this pass: do positions grow with the index?
  std::int64_t rows = 1, row = 1;            // of an elementwise space; of a matrix of tiles
  std::int64_t matrices = 1;                 // tiles
  std::int64_t tiles = 1, strips = 1;        // of all matrices; of one
  int strip_shift = 0;                       // log2 of the rows of tiles in a strip
  std::int64_t row_items = 1;                // items of a row
  ReduceShape shape;                         // of a reduction
  std::uint32_t grid_x = 1, grid_y = 1;
  // Row programs.
  bool full = false;                              // every thread has all its items
  std::uint8_t items = 1;                         // of a thread
  std::uint8_t memory_items = 0;                  // of these, the first ones wait in shared memory
  std::uint8_t blocks_each = 1;                   // of a multiprocessor
  int cluster = 1, chunks = 1;                    // blocks that share a row; those of a split
  std::uint16_t part_bytes = 0, state_bytes = 0;  // of all reducers of a stage, in a cluster
  std::uint32_t saved = 0, shared = 0;            // bytes of a block: before these items, and all
};

/// Is there nothing to compute, or nothing to reduce? Such kernels have no plan.
bool is_empty(const Kernel& kernel);
bool reduces_nothing(const Kernel& kernel);

/// Do the stores fill one run of memory together: element i of store k is element i * stores + k of the run?
bool is_interleaved(const Kernel& kernel);

/// The launches that a kernel needs, at most two. Its stores go with the last: they may overwrite a leaf.
SmallVector<Pass, 2> passes_of(const Kernel& kernel);

void make_plan(const Kernel& kernel, Pass pass, bool stores, Plan& plan);

/// The number of a gather's index among the operands of layout_of and access_of.
inline std::size_t index_operand(const Kernel& kernel, std::size_t gather) {
  return kernel.leaves.size() + kernel.stores.size() + gather;
}

/// How many numbers of a leaf that is drawn lie between an item of a thread and its next one, as a rule.
std::int64_t step_of_thread(const Kernel& kernel, const Plan& plan, std::size_t leaf);

/// How the inner stride of a layout is written: 0 (broadcast), as the constant 1, 2, 4, 8 or 16, or kByArgument.
inline constexpr std::uint8_t kByArgument = 255;
std::uint8_t inner_stride_class(const Plan& plan, std::size_t layout);

}  // namespace cuprum::cuda
