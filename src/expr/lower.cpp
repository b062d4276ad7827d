#include "expr/lower.h"

#include <algorithm>
#include <cstring>

#include "expr/leaves.h"
#include "expr/row_program.h"
#include "runtime/geometry.h"

namespace cuprum {

namespace {

/// The instruction of a node, its sources not set. Bytes between the members are zero: instructions are compared as bytes.
Instr instruction_of(const Node& node) {
  Instr instr;
  std::memset(&instr, 0, sizeof instr);
  instr.op = node.op;
  instr.key = node.key;
  instr.out = node.type;
  instr.nsrc = node.nin;
  return instr;
}

// Builds the code of one kernel. Registers are provisional while leaves and scalars are still being found: leaf i
// is i, scalar i is kScalarBase + i, instruction i is kInstrBase + i, reduction i is kReductionBase + i; `renumber` makes
// them dense. Nodes over the kernel's rows become instructions over its space, all of whose operands are row values.
class Builder {
 public:
  Builder(Kernel& kernel, std::vector<Rolled>& rolls, Schedule& plan, const Group& group)
      : kernel_(kernel),
        rolls_(rolls),
        plan_(plan),
        space_{group.iteration_shape(), group.reductions.empty() ? 0 : group.reductions[0]->reduce->axes},
        group_(group.number),
        mark_(plan.new_mark()) {}

  const RowSpace& space() const { return space_; }

  std::uint16_t value_of(Node& root) {
    SmallVector<Frame, 32> stack;
    stack.push_back({&root, 0});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      Node& node = *frame.node;
      if (frame.next < node.nin) {
        const Operand& operand = node.in[frame.next++];
        if (inside(operand) && !computed(*operand.node)) stack.push_back({operand.node.get(), 0});
        continue;
      }
      if (!computed(node)) emit(node);
      stack.pop_back();
    }
    return plan_[root].reg;
  }

  /// The register of an operand whose node, if it is fused, has been computed.
  std::uint16_t operand_register(const Operand& operand) {
    if (operand.is_scalar()) return scalar(operand.scalar);
    if (inside(operand)) {
      return computed(*operand.node) ? plan_[*operand.node].reg : value_of(*operand.node);
    }
    return leaf(operand, space_.shape);
  }

  /// The kernel's latest reduction is this node: from here on it is a register.
  void set_reduced(const Node& node) { set_result(node, kReductionBase + kernel_.reductions.size() - 1); }

  void renumber() {
    const auto leaves = static_cast<std::uint16_t>(kernel_.leaves.size());
    const auto scalars = static_cast<std::uint16_t>(kernel_.scalars.size());
    const auto code = static_cast<std::uint16_t>(kernel_.code.size());
    auto dense = [&](std::uint16_t r) -> std::uint16_t {
      if (r >= kReductionBase) return r - kReductionBase + leaves + scalars + code;
      if (r >= kInstrBase) return r - kInstrBase + leaves + scalars;
      if (r >= kScalarBase) return r - kScalarBase + leaves;
      return r;
    };
    for (Instr& instr : kernel_.code) {
      for (int i = 0; i < instr.nsrc; ++i) instr.src[i] = dense(instr.src[i]);
    }
    for (Store& store : kernel_.stores) store.src = dense(store.src);
    for (Reduction& reduction : kernel_.reductions) reduction.src = dense(reduction.src);
  }

 private:
  static constexpr std::uint16_t kScalarBase = 0x4000;
  static constexpr std::uint16_t kInstrBase = 0x8000;
  static constexpr std::uint16_t kReductionBase = 0xff00;

  struct Frame {
    Node* node;
    int next;
  };

  // Read element by element from a node that no earlier kernel has put into memory?
  bool fused(const Operand& operand) const {
    if (!operand.node || !operand.identity) return false;
    const Planned& source = plan_[*operand.node];
    return !(source.stored && source.group < group_);
  }

  // Computed by this kernel: fused, or a row value of an earlier stage?
  bool inside(const Operand& operand) const {
    if (!operand.node) return false;
    return operand.identity ? fused(operand) : plan_[*operand.node].group == group_;
  }

  bool computed(const Node& node) const { return plan_[node].mark == mark_; }

  void set_result(const Node& node, std::size_t reg) {
    Planned& here = plan_[node];
    here.mark = mark_;
    here.reg = static_cast<std::uint16_t>(reg);
  }

  /// The place of an instruction that is the same, or of this one, added.
  std::size_t place_of(const Instr& instr) {
    std::size_t hash = static_cast<std::size_t>(instr.op) * 31 + static_cast<std::size_t>(instr.key);
    for (int i = 0; i < instr.nsrc; ++i) hash = hash * 31 + instr.src[i];
    std::uint16_t& first = first_[(hash ^ hash >> 6) % kBuckets];
    for (std::uint16_t i = first; i != 0; i = next_[i - 1]) {
      if (std::memcmp(&kernel_.code[i - 1], &instr, sizeof instr) == 0) return i - 1;
    }
    next_.push_back(first);
    kernel_.code.push_back(instr);
    first = static_cast<std::uint16_t>(kernel_.code.size());
    return kernel_.code.size() - 1;
  }

  void emit(Node& node) {
    Instr instr = instruction_of(node);
    for (int i = 0; i < node.nin; ++i) {
      const Operand& operand = node.in[i];
      instr.src[i] = operand.is_scalar() ? scalar(operand.scalar)
                     : inside(operand)   ? plan_[*operand.node].reg
                                         : leaf(operand, node.shape);
    }
    if (instr.op == Op::copy) return set_result(node, instr.src[0]);  // another name until it is stored
    set_result(node, kInstrBase + place_of(instr));
  }

  std::uint16_t scalar(const Scalar& value) {
    for (std::size_t i = 0; i < kernel_.scalars.size(); ++i) {
      if (kernel_.scalars[i] == value) return static_cast<std::uint16_t>(kScalarBase + i);
    }
    kernel_.scalars.push_back(value);
    return static_cast<std::uint16_t>(kScalarBase + kernel_.scalars.size() - 1);
  }

  std::uint16_t leaf(const Operand& operand, const Dims& owner) {
    if (operand.node && plan_[*operand.node].leaf) {
      if (operand.node->is_roll()) return rolled_leaf(*operand.node);
      const auto* draw = std::get_if<Draw>(&operand.node->call->primitive);
      return draw ? drawn_leaf(operand, *draw, owner) : gathered_leaf(operand, owner);
    }
    if (owner == space_.shape) return leaf_over_space(operand, operand.strides);
    return leaf_over_space(operand, space_.lift(operand.strides, owner));
  }

  std::uint16_t leaf_over_space(const Operand& operand, const Dims& strides) {
    const Place data = place_of(operand);
    for (std::size_t i = 0; i < kernel_.leaves.size(); ++i) {
      const Leaf& other = kernel_.leaves[i];
      if (is_same(other.data, data) && other.type == operand.type && other.strides == strides &&
          !gathered(kernel_, i) && !is_rolled(i)) {
        return static_cast<std::uint16_t>(i);
      }
    }
    kernel_.leaves.push_back({data, operand.type, strides});
    return static_cast<std::uint16_t>(kernel_.leaves.size() - 1);
  }

  Place place_of(const Operand& operand) const {
    return {operand.buffer ? operand.buffer : plan_[*operand.node].home, operand.offset};
  }

  bool is_rolled(std::size_t leaf) const {
    return std::any_of(rolls_.begin(), rolls_.end(), [&](const Rolled& roll) { return roll.leaf == leaf; });
  }

  /// Of a roll, whose operand is read round.
  std::uint16_t rolled_leaf(const Node& roll) {
    const Operand& from = roll.in[0];
    const Place data = place_of(from);
    for (const Rolled& other : rolls_) {
      const Leaf& leaf = kernel_.leaves[other.leaf];
      if (is_same(leaf.data, data) && leaf.type == from.type && leaf.strides == from.strides &&
          other.shifts == roll.call->shifts)
        return other.leaf;
    }
    const auto leaf = static_cast<std::uint16_t>(kernel_.leaves.size());
    kernel_.leaves.push_back({data, from.type, from.strides});
    rolls_.push_back({leaf, roll.call->shifts});
    return leaf;
  }

  /// Of a gather that the kernel computes itself.
  std::uint16_t gathered_leaf(const Operand& operand, const Dims& owner) {
    const Node& gather = *operand.node;
    const Operand &table = gather.in[0], &index = index_of(plan_, gather);
    const Dims* const shapes = gather.call->shape_of_operands();
    GatherStrides strides = gather_strides(gather, index, operand, owner);
    strides = {space_.lift(strides.table, owner), space_.lift(strides.index, owner)};
    const Place from = place_of(table), at = place_of(index);
    for (const Gathered& other : kernel_.gathers) {
      const Leaf& leaf = kernel_.leaves[other.leaf];
      if (is_same(leaf.data, from) && leaf.type == table.type && leaf.strides == strides.table &&
          is_same(other.index.data, at) && other.index.type == index.type && other.strides == strides.index &&
          other.extent == shapes[0][0] && other.step == table.strides[0] && other.index.shape == shapes[1]) {
        return other.leaf;
      }
    }
    const auto leaf = static_cast<std::uint16_t>(kernel_.leaves.size());
    kernel_.leaves.push_back({from, table.type, std::move(strides.table)});
    const auto& primitive = std::get<Gather>(gather.call->primitive);
    kernel_.gathers.push_back({leaf,
                               {at, index.type, shapes[1], index.strides, {}},
                               std::move(strides.index),
                               shapes[0][0],
                               table.strides[0],
                               primitive.checked,
                               primitive.site});
    return leaf;
  }

  /// Of numbers that the kernel draws itself. A call's state is its own.
  std::uint16_t drawn_leaf(const Operand& operand, const Draw& draw, const Dims& owner) {
    const Place place(nullptr, operand.offset);
    Dims strides = space_.lift(operand.strides, owner);
    for (const Drawn& other : kernel_.draws) {
      const Leaf& leaf = kernel_.leaves[other.leaf];
      if (other.draw.from == draw.from && is_same(leaf.data, place) && leaf.strides == strides)
        return other.leaf;
    }
    const auto leaf = static_cast<std::uint16_t>(kernel_.leaves.size());
    kernel_.leaves.push_back({place, operand.type, std::move(strides)});
    kernel_.draws.push_back({leaf, draw});
    return leaf;
  }

  /// By name: buffers whose bytes are on the host have no address.
  static bool is_same(const Place& a, const Place& b) { return a.buffer() == b.buffer() && a == b; }

  Kernel& kernel_;
  std::vector<Rolled>& rolls_;
  Schedule& plan_;
  const RowSpace space_;
  const std::int32_t group_;
  const std::uint32_t mark_;  // of the nodes that have a register here
  // Equal instructions are found by a hash: chains through `next_`, places counted from 1, 0 ends one.
  static constexpr std::size_t kBuckets = 64;
  std::uint16_t first_[kBuckets] = {};
  SmallVector<std::uint16_t, 32> next_;
};

void add_reduction(const Node& node, const Destination& to, std::uint16_t src, Kernel& kernel) {
  Reduction r;
  r.op = node.reduce->spec.op;
  r.fold = node.reduce->spec.fold;
  r.type = node.reduce->spec.type;
  r.out = node.reduce->spec.out;
  r.ddof = node.reduce->spec.ddof;
  r.data = to.data;
  r.src = src;
  // Strides and index weights over all dimensions of the iteration space.
  const Dims& shape = node.reduce->iteration;
  r.strides.resize(shape.size(), 0);
  r.arg_weights.resize(shape.size(), 0);
  std::size_t kept = node.shape.size();
  std::int64_t weight = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (node.reduce->axes >> d & 1) {
      r.arg_weights[d] = weight;
      weight *= shape[d];
    } else {
      r.strides[d] = to.strides[--kept];
    }
  }
  kernel.reductions.push_back(std::move(r));
}

/// Takes the destinations of its outputs from `to` on.
void lower_stage(const Group& stage, const Destination*& to, Builder& builder, Kernel& kernel) {
  for (Node* node : stage.stores) {
    const std::uint16_t src = builder.value_of(*node);
    const bool row = !(node->shape == builder.space().shape);
    kernel.stores.push_back({to->data, node->type,
                             row ? builder.space().lift(to->strides, node->shape) : to->strides, src, row,
                             to->may_overlap});
    ++to;
  }
  for (Node* node : stage.reductions) {
    add_reduction(*node, *to++, builder.operand_register(node->in[0]), kernel);
    builder.set_reduced(*node);
  }
}

void end_stage(Kernel& kernel) {
  kernel.stages.push_back({static_cast<std::uint16_t>(kernel.code.size()),
                           static_cast<std::uint16_t>(kernel.stores.size()),
                           static_cast<std::uint16_t>(kernel.reductions.size())});
}

}  // namespace

void clear(Kernel& kernel) {
  kernel.leaves.clear();
  kernel.gathers.clear();
  kernel.draws.clear();
  kernel.scalars.clear();
  kernel.code.clear();
  kernel.stores.clear();
  kernel.reductions.clear();
  kernel.reduced = 0;
  kernel.merged = 0;
  kernel.stages.clear();
}

void lower(Schedule& plan, const Group& group, std::span<const Destination> outputs, Kernel& kernel,
           std::vector<Rolled>& rolls) {
  clear(kernel);
  rolls.clear();
  kernel.shape = group.iteration_shape();
  Builder builder(kernel, rolls, plan, group);
  kernel.reduced = builder.space().axes;
  const Destination* to = outputs.data();
  lower_stage(group, to, builder, kernel);
  for (const Group& stage : group.later) {
    if (kernel.stages.empty()) end_stage(kernel);
    lower_stage(stage, to, builder, kernel);
    end_stage(kernel);
  }
  builder.renumber();
  if (rolls.empty())
    simplify_geometry(kernel, group.reductions.empty() ? outputs[0].strides : group.order_strides());
}

void lower_single(const Node& node, const Destination& store, Kernel& kernel) {
  std::size_t leaves = 0;
  for (int i = 0; i < node.nin; ++i) leaves += !node.in[i].is_scalar();
  kernel.shape = node.shape;
  kernel.leaves.resize(leaves);
  kernel.scalars.resize(node.nin - leaves);
  Instr instr = instruction_of(node);
  std::size_t leaf = 0, scalar = 0;
  for (int i = 0; i < node.nin; ++i) {
    const Operand& operand = node.in[i];
    instr.src[i] = static_cast<std::uint16_t>(operand.is_scalar() ? leaves + scalar : leaf);
    if (operand.is_scalar()) {
      kernel.scalars[scalar++] = operand.scalar;
      continue;
    }
    Leaf& to = kernel.leaves[leaf++];
    to.data = {operand.buffer, operand.offset};
    to.type = operand.type;
    to.strides = operand.strides;
  }
  kernel.code.assign(node.op == Op::copy ? 0 : 1, instr);
  kernel.stores.resize(1);
  Store& to = kernel.stores[0];
  to.data = store.data;
  to.type = node.type;
  to.strides = store.strides;
  to.src = node.op == Op::copy ? instr.src[0] : node.nin;
  to.may_overlap = store.may_overlap;
  simplify_geometry(kernel, store.strides);
}

}  // namespace cuprum
