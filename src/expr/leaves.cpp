#include "expr/leaves.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/inline_vector.h"
#include "expr/roll.h"

namespace cuprum {

namespace {

/// The dimension of the node's result that dimension `d` of its reader runs along; nothing: none.
std::optional<std::size_t> dimension_of(const Node& node, std::int64_t stride, std::int64_t extent) {
  for (std::size_t e = 0; e < node.shape.size(); ++e) {
    if (node.shape[e] == extent && node.strides[e] == stride) return e;
  }
  return std::nullopt;
}

/// Does the operand read every element of its node, which is laid out densely, once?
bool reads_each_once(const Operand& operand, const Dims& owner) {
  const Node& node = *operand.node;
  if (operand.offset != 0 || operand.type != node.type || element_count(owner) != element_count(node.shape))
    return false;
  std::uint64_t met = 0;
  for (std::size_t d = 0; d < owner.size(); ++d) {
    if (owner[d] == 1) continue;
    const std::optional<std::size_t> e = dimension_of(node, operand.strides[d], owner[d]);
    if (!e || met >> *e & 1) return false;
    met |= std::uint64_t{1} << *e;
  }
  return true;
}

bool reads_alike(const Operand& a, const Operand& b) {
  return a.owner->iteration_shape() == b.owner->iteration_shape() && a.strides == b.strides &&
         a.offset == b.offset && a.type == b.type;
}

/// The dimension along which neighbours lie.
std::size_t fastest_dimension(const Dims& shape, const Dims& strides) {
  std::size_t fastest = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (shape[fastest] == 1 || std::abs(strides[d]) < std::abs(strides[fastest])) fastest = d;
  }
  return fastest;
}

// -- Gathers

/// The distance in the table of elements of a row that are neighbours in the result; 0: each has its own index.
std::int64_t step_of_rows(const Node& gather) {
  const std::size_t indexed = gather.call->shape_of_operands()[1].size();
  const std::size_t fastest = fastest_dimension(gather.shape, gather.strides);
  const bool in_row = fastest >= indexed && fastest < gather.shape.size() && gather.shape[fastest] != 1;
  return in_row ? std::abs(gather.in[0].strides[1 + fastest - indexed]) : 0;
}

/// Are the elements of a row further apart in the table than those that indices name? As in table[:, idx], whose result has the
/// columns as rows. A call takes them in another order, which a kernel does not: it goes along its result (of 4000 x 1000
/// float32, * 2 takes 1.6 of the time).
bool lies_across(const Node& gather) { return step_of_rows(gather) > std::abs(gather.in[0].strides[0]); }

/// A call copies long rows as fast as memory goes. Only a reduction along them has more of reading them where they are (4000 of
/// 1000 float32: their sums take 0.5 of the time, their products with others 1.4).
constexpr std::int64_t kLongRow = 1024;  // bytes

bool has_long_rows(const Node& gather) {
  const auto size = static_cast<std::int64_t>(itemsize(gather.type));
  return step_of_rows(gather) == size &&
         gather.shape[fastest_dimension(gather.shape, gather.strides)] * size >= kLongRow;
}

bool reduces_along_rows(const Group& group) {
  if (group.reductions.empty()) return false;
  const ReduceInfo& reduce = *group.reductions[0]->reduce;
  return reduce.axes >> fastest_dimension(reduce.iteration, group.order_strides()) & 1;
}

/// Reductions of many columns go through them strip by strip, and so through a table of rows as often, where indices name elements of
/// its rows: np.take(table, idx, axis=1).sum(0) of 100 x 30000 float32 takes 1.5 of the time. A strip has kManyColumns.
constexpr std::int64_t kManyColumns = 4096;

bool is_read_in_strips(const Group& group, const Node& gather) {
  return !group.reductions.empty() && !reduces_along_rows(group) && gather.shape.size() > 1 &&
         gather.shape[fastest_dimension(gather.shape, gather.strides)] > kManyColumns;
}

bool gains_by_gathering(const Group& group, const Node& gather) {
  return !is_read_in_strips(group, gather) && (!has_long_rows(gather) || reduces_along_rows(group));
}

bool gathers_each_once(const Node& gather) {
  if (gather.nin != 2 || lies_across(gather)) return false;
  for (const Operand* r = gather.readers; r; r = r->next) {
    if (!reads_alike(*r, *gather.readers)) return false;
  }
  return reads_each_once(*gather.readers, gather.readers->owner->iteration_shape());
}

// -- Draws

/// Do numbers that are neighbours in dimension `d` of the reader come one after the other?
bool runs_along(const Operand& operand, std::size_t d) {
  const Dims& shape = operand.owner->iteration_shape();
  return element_count(shape) == 1 ||
         std::abs(operand.strides[d]) == static_cast<std::int64_t>(itemsize(operand.type));
}

constexpr std::size_t kMostParts = 8;

/// Parts of the numbers count, as the halves in r[:n] + r[n:], if none is read by two and none is left out between neighbours.
bool draws_each_once(const Node& draw) {
  if (draw.nin != 0) return false;
  SmallVector<const Operand*, kMostParts> parts;
  std::int64_t numbers = 0;
  for (const Operand* r = draw.readers; r; r = r->next) {
    if (std::any_of(parts.begin(), parts.end(), [&](const Operand* part) { return reads_alike(*r, *part); }))
      continue;
    const Dims& shape = r->owner->iteration_shape();
    if (r->type != draw.type || !runs_along(*r, fastest_dimension(shape, r->strides))) return false;
    if (parts.size() == kMostParts) return false;
    parts.push_back(r);
    numbers += element_count(shape);
  }
  return numbers <= element_count(draw.shape);
}

/// The kernel goes along the numbers in the order in which they are drawn.
bool gains_by_drawing(const Schedule& plan, const Group& group, const Node& draw) {
  const std::size_t fastest = fastest_dimension(group.iteration_shape(), group.order_strides());
  for (const Operand* r = draw.readers; r; r = r->next) {
    const bool elements = r->owner->iteration_shape() == group.iteration_shape();
    if (plan.has(*r->owner) && elements && !runs_along(*r, fastest)) return false;
  }
  return true;
}

// -- Rolls

/// Where its readers read it as it would lie in memory, over its own space.
bool is_read_plainly(const Node& roll) {
  for (const Operand* r = roll.readers; r; r = r->next) {
    if (!(r->owner->iteration_shape() == roll.shape) || !(r->strides == roll.strides) || r->offset != 0 ||
        r->type != roll.type)
      return false;
  }
  return true;
}

/// The leaves of one kernel.
struct KernelLeaves {
  std::vector<const Node*> rolls;
  bool others = false;
};

// A kernel more costs as much as copying so many bytes: measured by the sum of a cube's six neighbours, which is 27 blocks, or six
// rolls of two and a kernel (tables in benchmarks/results/rolls-2026-11-19.md and h200-2026-11-20.md).
std::size_t bytes_of_kernel(const Backend& device) {
  return device.host_accessible() ? 64 * 1024 : 8 * 1024 * 1024;
}

/// Is it better to cut the kernel into blocks than to make its rolls before? A reduction is not cut, for its order is that of the
/// whole.
bool gains_by_blocks(const Group& group, const KernelLeaves& leaves) {
  if (!group.reductions.empty() || !group.later.empty() || leaves.others) return false;
  Blocks blocks(group.iteration_shape());
  std::size_t apart = 1, copied = 0;
  for (const Node* roll : leaves.rolls) {
    blocks.cut(roll->call->shifts);
    apart += own_blocks(*roll);
    copied += roll->nbytes();
  }
  const std::size_t count = blocks.count();
  return count <= apart || (count - apart) * bytes_of_kernel(group.first().backend()) <= copied;
}

// -- All

bool is_draw(const Node& node) { return std::holds_alternative<Draw>(node.call->primitive); }

/// Does a stage compute from the node, element by element?
bool reads(Schedule& plan, const Group& stage, const Node& wanted) {
  const std::uint32_t mark = plan.new_mark();
  SmallVector<const Node*, 32> stack;
  for (const Node* node : stage.stores) stack.push_back(node);
  for (const Node* node : stage.reductions) stack.push_back(node);
  while (!stack.empty()) {
    const Node& node = *stack.back();
    stack.pop_back();
    if (&node == &wanted) return true;
    if (std::exchange(plan[node].mark, mark) == mark) continue;
    for (int i = 0; i < node.nin; ++i) {
      if (node.in[i].node && plan.is_fused(node.in[i])) stack.push_back(node.in[i].node.get());
    }
  }
  return false;
}

/// Each stage would make it again.
bool several_stages_read(Schedule& plan, const Group& group, const Node& node) {
  if (group.later.empty()) return false;
  int stages = reads(plan, group, node);
  for (const Group& stage : group.later) stages += reads(plan, stage, node);
  return stages > 1;
}

/// Does the group gain by making what the call gives itself?
bool gains(Schedule& plan, const Group& group, const Node& node) {
  if (several_stages_read(plan, group, node)) return false;
  return is_draw(node) ? gains_by_drawing(plan, group, node) : gains_by_gathering(group, node);
}

/// Does the device make what the call gives itself? `index`: the dtype of what it indexes by.
bool is_made_here(const Node& node, dtype index) {
  InlineVector<View, kMaxInputs> operands(node.nin);
  for (int i = 0; i < node.nin; ++i) {
    const Operand& operand = node.in[i];
    operands.emplace_back(Place(), i == 1 ? index : operand.type, node.call->shape_of_operands()[i],
                          operand.strides, Ref<Buffer>());
  }
  return node.backend().fuses(node.call->primitive, operands, node.type);
}

/// Indices of another dtype are converted by a node, which nobody else reads. Where what it converts lies in memory, a device that
/// takes that dtype reads it there. Null: there is no such node.
Node* converted_index(const Schedule& plan, const Node& gather) {
  const Operand& index = gather.in[1];
  Node* node = index.node.get();
  if (!node || node->op != Op::cast || !node->is_elementwise() || !is_integer(node->key)) return nullptr;
  if (node->storage || plan[*node].root || node->readers != &index || index.next) return nullptr;
  const bool plain = index.offset == 0 && index.strides == node->strides &&
                     gather.call->shape_of_operands()[1] == node->shape;
  return plain && node->in[0].buffer && is_made_here(gather, node->key) ? node : nullptr;
}

/// A gather or a draw, or what converts its index, is a leaf no more.
void make_call(Schedule& plan, const Node& node) {
  plan[node].leaf = false;
  if (node.is_call() && node.nin == 2 && node.in[1].node && node.in[1].node->is_elementwise())
    plan[*node.in[1].node].leaf = false;
}

bool may_be_leaf(const Schedule& plan, const Node& node) {
  if (node.storage || plan[node].root || !node.readers || node.stream->capture) return false;
  const bool made = node.is_roll() || is_made_here(node, dtype::int64);
  if (!made || element_count(node.shape) == 0) return false;
  for (const Operand* r = node.readers; r; r = r->next) {
    if (!plan.has(*r->owner) || r->owner->is_call()) return false;
  }
  if (node.is_roll()) return is_read_plainly(node);
  return is_draw(node) ? draws_each_once(node) : gathers_each_once(node);
}

constexpr std::int32_t kNobody = -1, kSeveral = -2;  // a node that is no output has the group -1

/// The one kernel that computes each node, or kSeveral: what one kernel gives, in memory or to its own later stages, an earlier one
/// may compute once more.
std::vector<std::int32_t> users_of(const Schedule& plan) {
  std::vector<std::int32_t> users(plan.nodes.size(), kNobody);
  for (std::size_t i = plan.nodes.size(); i-- > 0;) {
    const Node& node = plan.nodes[i];
    const Planned& here = plan[node];
    std::int32_t& user = users[i] = here.group;
    for (const Operand* r = node.readers; r; r = r->next) {
      if (!plan.has(*r->owner) || !plan.is_fused(*r)) continue;
      const std::int32_t reader = users[r->owner->slot];
      if (reader == kNobody || reader == user || (here.group >= 0 && reader > here.group)) continue;
      user = user == kNobody ? reader : kSeveral;
    }
  }
  return users;
}

}  // namespace

bool find_leaves(Schedule& plan) {
  bool found = false;
  for (const Ref<Node>& node : plan.nodes) {
    if (!node->is_call() || !may_be_leaf(plan, *node)) continue;
    plan[*node].leaf = true;
    found = true;
    if (node->nin != 2) continue;
    if (const Node* index = converted_index(plan, *node)) plan[*index].leaf = true;
  }
  return found;
}

bool keep_leaves(Schedule& plan) {
  const std::vector<std::int32_t> users = users_of(plan);
  std::vector<KernelLeaves> kernels(plan.groups.size());
  bool all = true;
  for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
    const Node& node = plan.nodes[i];
    Planned& here = plan[node];
    if (!here.leaf || !node.is_call()) continue;
    const auto user = static_cast<std::size_t>(users[i]);
    const bool alone = users[i] >= 0;
    if (alone && node.is_roll()) {
      kernels[user].rolls.push_back(&node);
    } else if (alone && gains(plan, plan.groups[user], node)) {
      kernels[user].others = true;
    } else {
      make_call(plan, node);
      all = false;
    }
  }
  for (std::size_t g = 0; g < kernels.size(); ++g) {
    if (kernels[g].rolls.empty() || gains_by_blocks(plan.groups[g], kernels[g])) continue;
    for (const Node* roll : kernels[g].rolls) plan[*roll].leaf = all = false;
  }
  return all;
}

const Operand& index_of(const Schedule& plan, const Node& gather) {
  const Operand& index = gather.in[1];
  return index.node && plan[*index.node].leaf ? index.node->in[0] : index;
}

GatherStrides gather_strides(const Node& gather, const Operand& index, const Operand& operand,
                             const Dims& owner) {
  const Operand& table = gather.in[0];
  const std::size_t indexed = gather.call->shape_of_operands()[1].size();
  GatherStrides strides{Dims(owner.size(), 0), Dims(owner.size(), 0)};
  for (std::size_t d = 0; d < owner.size(); ++d) {
    if (owner[d] == 1) continue;
    const std::size_t e = *dimension_of(gather, operand.strides[d], owner[d]);
    if (e < indexed) {
      strides.index[d] = index.strides[e];
    } else {
      strides.table[d] = table.strides[1 + e - indexed];
    }
  }
  return strides;
}

}  // namespace cuprum
