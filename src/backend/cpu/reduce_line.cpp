#include "backend/cpu/reduce_line.h"

#include <cstring>

#include "backend/cpu/copies.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/reduce_loops.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kMost = 128;  // elements
static_assert(kMost <= kLaneRows * kWide);

/// The leaf's elements as dtype `type`, contiguous: where they lie, or in `room`, which has room for them twice.
const void* operand(const Kernel& kernel, dtype type, std::byte* room) {
  const Leaf& leaf = kernel.leaves[0];
  const std::int64_t n = kernel.shape[0], step = leaf.strides[0];
  const auto size = static_cast<std::int64_t>(itemsize(leaf.type));
  const void* data = leaf.data.address();
  if (n != 1 && step != size) {
    copies().tile(static_cast<int>(size), {1, n, room, 0, size, data, 0, step});
    data = room;
  }
  if (leaf.type == type) return data;
  std::byte* const cast = room + kMost * 16;
  loops().cast[static_cast<int>(leaf.type)][static_cast<int>(type)](n, cast, data, nullptr, nullptr);
  return cast;
}

/// Is the reduction of the leaf itself, or of its cast to the reduction's dtype?
bool reads_leaf(const Kernel& kernel, const Reduction& reduction) {
  const Leaf& leaf = kernel.leaves[0];
  if (kernel.code.empty()) return reduction.src == 0 && leaf.type == reduction.type;
  const Instr& cast = kernel.code[0];
  return kernel.code.size() == 1 && cast.op == Op::cast && cast.src[0] == 0 && reduction.src == 1 &&
         cast.out == reduction.type && folded_type(reduction) == reduction.type;
}

}  // namespace

bool reduce_line(const Kernel& kernel) {
  if (kernel.shape.size() != 1 || kernel.shape[0] > kMost || kernel.shape[0] == 0) return false;
  if (kernel.reduced != 1 || kernel.reductions.size() != 1 || !kernel.stores.empty()) return false;
  if (kernel.leaves.size() != 1 || !kernel.scalars.empty() || !has_plain_leaves(kernel)) return false;
  const Reduction& reduction = kernel.reductions[0];
  if (reduction.op >= ReduceOp::generic || !reads_leaf(kernel, reduction)) return false;
  if (is_arg(reduction.op) && reduction.arg_weights[0] <= 0) return false;
  const dtype type = folded_type(reduction);
  static const ReduceTable& table = reduce_loops();
  const ReduceLoops& of = table.loops[static_cast<int>(reduction.op)][static_cast<int>(type)];
  if (!of.narrow) return false;
  alignas(64) std::byte room[2 * kMost * 16];
  alignas(64) std::byte planes[kMaxPlanes * 64];
  const States states{planes, 64, 0};
  NarrowBlocks block{1, kernel.shape[0], 1, kWide, operand(kernel, type, room), states, {}, 0};
  if (is_arg(reduction.op)) block.positions.step = reduction.arg_weights[0];
  of.narrow(block);
  alignas(16) std::byte value[16];
  of.finish(1, states, kernel.shape[0], reduction.ddof, value);
  if (of.result == reduction.out)
    std::memcpy(reduction.data.address(), value, itemsize(of.result));
  else
    loops().cast[static_cast<int>(of.result)][static_cast<int>(reduction.out)](1, reduction.data.address(),
                                                                               value, nullptr, nullptr);
  return true;
}

}  // namespace cuprum::cpu
