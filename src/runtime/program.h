// What a backend runs: a fused kernel, written as a flat program over one iteration space.
//
// The engine (src/expr) has done all thinking that does not depend on the device: operands are broadcast,
// dimensions are ordered (last = fastest for the outputs, or for the operand of a reduction), dropped when
// of size 1 and merged as far as all operands allow. A backend only has to loop.
//
// A kernel with reductions may go on after them, in *stages* over the same space: what a reduction gives is a *row value*,
// which later instructions read as if it were broadcast back over the reduced dimensions. softmax is three stages:
//     max(x)  |  e = exp(x - max); sum(e)  |  store e / sum
#pragma once

#include <cstdint>
#include <vector>

#include "core/dims.h"
#include "core/op.h"
#include "core/reduce_op.h"
#include "core/scalar.h"
#include "runtime/buffer.h"
#include "runtime/index_site.h"
#include "runtime/primitives_random.h"

namespace cuprum {

/// A strided window into a buffer.
/// Of an array whose shape has been found to fit.
inline std::size_t bytes_of(const Dims& shape, dtype type) {
  std::size_t n = itemsize(type);
  for (std::int64_t d : shape) n *= static_cast<std::size_t>(d);
  return n;
}

struct View {
  Place data;
  dtype type = dtype::bool_;
  Dims shape;
  Dims strides;      // bytes; 0 where broadcast
  Ref<Buffer> keep;  // a view that the engine made outlives a change of the array that it is of
};

/// One instruction: `registers[dst] = op(registers[src[0]], ...)`. Registers are numbered: first the leaves,
/// then the scalars, then one per instruction (single assignment; a backend reuses them by liveness), then one per
/// reduction, its result.
struct Instr {
  Op op;
  dtype key;  // the loop, see core/op.h; for Op::cast the source dtype
  dtype out;  // dtype of the result; for Op::cast the target dtype
  std::uint8_t nsrc;
  std::uint16_t src[kMaxInputs];
};

/// An input of the kernel. The shape is the kernel's; strides are 0 in broadcast dimensions.
struct Leaf {
  Place data;
  dtype type;
  Dims strides;
};

/// A leaf that is read through an index array: at coordinates k its element is the one at
///     data + sum(k[d] * leaf.strides[d]) + step * i,   i = the index at k, counted from the end where it is negative.
/// None of the kernel's stores shares memory with them or their indices.
struct Gathered {
  std::uint16_t leaf;
  // Of an integer dtype that the device takes (Backend::fuses), in the shape that the program gave it, whose C order says which bad
  // one is first.
  View index;
  Dims strides;         // of the index over the kernel, as a leaf's
  std::int64_t extent;  // of the dimension of the table that is indexed
  std::int64_t step;    // its stride in bytes
  bool checked;         // the indices are in bounds; else who runs the kernel looks, as for a Gather
  IndexSite site;       // who asks
};

/// A leaf whose numbers are drawn, by a law that knows their places (runtime/own_streams.h). It has no memory: it lies as it would
/// in an array of all numbers of the call, in C order, at address 0. At coordinates k its element is number
///     (data + sum(k[d] * leaf.strides[d])) / itemsize.
struct Drawn {
  std::uint16_t leaf;
  Draw draw;  // `from` is set; the parameters are numbers
};

/// A register stored elementwise. Never overlaps a leaf, except that it may be the identical view, which then no later stage
/// reads, or otherwise where it says so, on a device that writes over reads (runtime/over_reads.h). `row`: a row value, of which
/// one is stored per row; the strides of the reduced dimensions are 0.
struct Store {
  Place data;
  dtype type;
  Dims strides;
  std::uint16_t src;
  bool row = false;
  bool may_overlap = false;
};

/// A register reduced over the kernel's reduced dimensions. Strides are given for all dimensions of the
/// kernel and ignored for the reduced ones. Without memory (`data` is null) the result is but a register.
struct Reduction {
  ReduceOp op;
  Op fold = Op::count_;  // for generic
  dtype type;            // of the operand
  dtype out;             // of the result
  double ddof = 0;       // for var
  Place data;
  Dims strides;
  std::uint16_t src;
  // argmin/argmax: the flat index within the reduced dimensions *in logical (C) order*. The element
  // at kernel coordinates k (reduced dimensions only) has logical index sum(k[d] * arg_weights[d]).
  Dims arg_weights;
};

/// Where a stage ends in a kernel's lists: it has what lies between the end of the stage before and its own. A stage evaluates its
/// instructions, stores, and folds its reductions; its instructions read no reduction of its own.
struct Stage {
  std::uint16_t code;
  std::uint16_t stores;
  std::uint16_t reductions;
};

/// What a reduction of no elements gives, in its result's dtype.
Scalar identity_value(const Reduction& reduction);

/// The dtype in which a backend folds the operand: halves in single precision, logical reductions as bool.
dtype folded_type(const Reduction& reduction);

/// One kernel. The bits of a reduction may depend on the layout of its operand alone, never on what was
/// fused into it: its blocks are laid over *logical* dimensions, those that remain when the operand, as an array of
/// its own, is collapsed. Leaves of a fused prologue may need finer dimensions: `merged` bit d says that kernel
/// dimensions d and d + 1 are parts of one logical dimension (both kept or both reduced), in row-major order.
/// Kernels without reductions have merged == 0.
struct Kernel {
  Dims shape;
  std::vector<Leaf> leaves;
  std::vector<Gathered> gathers;  // which leaves are read through indices
  std::vector<Drawn> draws;       // which leaves are drawn
  std::vector<Scalar> scalars;
  std::vector<Instr> code;
  std::vector<Store> stores;
  std::vector<Reduction> reductions;
  std::uint64_t reduced = 0;  // bit d: dimension d is reduced (for every reduction of this kernel)
  std::uint64_t merged = 0;   // see above
  std::vector<Stage> stages;  // none: one stage, which has everything
};

/// How a leaf is read through indices; null: it is not.
const Gathered* gathered(const Kernel& kernel, std::size_t leaf);
/// How a leaf is drawn; null: it is not.
const Drawn* drawn(const Kernel& kernel, std::size_t leaf);
/// Is a leaf read through indices, or drawn?
inline bool is_made(const Kernel& kernel, std::size_t leaf) {
  return gathered(kernel, leaf) || drawn(kernel, leaf);
}
/// Are all leaves read where they lie?
inline bool has_plain_leaves(const Kernel& kernel) { return kernel.gathers.empty() && kernel.draws.empty(); }

}  // namespace cuprum
