// From a pending graph to kernels: which nodes touch memory, and which are computed together.
//
// 1. Nodes that must be in memory ("stored"): the roots, whatever an array still names, whatever a node outside this
//    evaluation reads, reductions, and nodes read through a view. A dead node that several kernels need is stored
//    when recomputing it would cost more than a trip to memory.
// 2. A node's level: one more than that of the stored nodes it needs as a whole (through a view or a reduction),
//    the same as that of nodes it reads element by element.
// 3. Stored nodes of one level and one iteration space form a group: one kernel, one pass, several outputs.
//    Reductions group by their axes and by the layout of their operand. A group that needs results of reductions as values of
//    its rows is a further stage of their kernel (expr/row_program.h). A call of a primitive is a group of its own: its
//    operands are in memory, and so is its result; but a gather or a draw that one kernel alone reads, no element twice,
//    may be a leaf of that kernel, and so may a roll (expr/leaves.h).
// A group has kMaxKernelNodes nodes at most, so that its registers can be numbered.
//
// The cone of a group, everything its outputs are computed from without touching memory, may share dead nodes with
// another group: they are computed in both.
#pragma once

#include <vector>

#include "expr/traversal.h"

namespace cuprum {

/// Nodes of one kernel. A kernel reads at most two leaves or scalars per node and one more, and the numbers of leaves, of
/// scalars and of instructions have 14, 14 and 15 bits (expr/lower.cpp). One output alone has at most 3 * kMaxNodes nodes and its
/// own: each operand had been evaluated if it had more than kMaxNodes.
inline constexpr std::uint64_t kMaxKernelNodes = 8000;

struct Group {
  Group() = default;
  /// One that writes a node alone.
  explicit Group(Node& node);

  std::uint32_t level = 0;
  std::uint64_t nodes = 0;           // no more are in its cone
  std::int32_t number = 0;           // in the order of execution
  SmallVector<Node*, 4> stores;      // elementwise outputs
  SmallVector<Node*, 4> reductions;  // reduced outputs
  std::vector<Group> later;          // further stages of the kernel, in order; these have none
  Node* call = nullptr;              // a call of a primitive, which is a group of its own

  std::size_t outputs() const {
    std::size_t n = 0;
    each_output([&](const Node*) { ++n; });
    return n;
  }
  /// Calls f(node) for the outputs of all stages, in order: those of a stage's stores, then those of its reductions.
  template <class F>
  void each_output(F&& f) const {
    for (Node* node : stores) f(node);
    for (Node* node : reductions) f(node);
    if (call) f(call);
    for (const Group& stage : later) stage.each_output(f);
  }

  const Node& first() const { return call ? *call : reductions.empty() ? *stores[0] : *reductions[0]; }
  const Dims& iteration_shape() const { return first().iteration_shape(); }
  /// Where it runs: where the last output of its first stage was recorded.
  Stream& stream() const {
    return *(call ? call : reductions.empty() ? stores.back() : reductions.back())->stream;
  }
  /// The strides that give the group's loop order: those of the first output, or of the reduced operand.
  const Dims& order_strides() const {
    return reductions.empty() ? stores[0]->strides : reductions[0]->in[0].strides;
  }
};

/// What an evaluation knows of a node while it plans, lowers and runs.
struct Planned {
  std::uint32_t level = 0;
  std::uint32_t cost = 0;   // of its cone, per element
  std::int32_t group = -1;  // the number of the group that writes it
  std::uint32_t mark = 0;   // the latest search that has seen it (Schedule::new_mark)
  std::uint16_t reg = 0;    // of lowering, for `mark`
  bool stored = false;      // goes to memory
  bool root = false;        // asked for
  bool leaf = false;       // is no call, but a leaf of the kernel that reads it; or converts the index of one
  Buffer* home = nullptr;  // where the result goes
};

struct Schedule {
  Traversal nodes;             // every node of the graph, operands first
  std::vector<Planned> about;  // each of them
  std::vector<Group> groups;   // in an order that respects dependencies
  std::uint32_t marks = 0;

  Planned& operator[](const Node& node) { return about[node.slot]; }
  const Planned& operator[](const Node& node) const { return about[node.slot]; }
  bool has(const Node& node) const { return nodes.has(node); }
  /// Is the operand's node computed by the kernel that computes the owner, element by element?
  bool is_fused(const Operand& operand) const {
    return operand.identity || (operand.node && about[operand.node->slot].leaf);
  }
  /// Starts a search within the plan: what it has seen has this mark.
  std::uint32_t new_mark() { return ++marks; }

  void clear();
  /// Forgets what is planned, but for the nodes.
  void start_again();
  /// An empty plan becomes that of one node, which goes to memory.
  void set_single(Node& node);
};

/// Plans the evaluation of `roots`; whatever `plan` held is replaced (its memory is used again). Where a node is in flight
/// there is no plan: the evaluation that has it is returned, to be waited for (expr/flight.h).
Flight* schedule(std::span<const Ref<Node>> roots, Schedule& plan);

}  // namespace cuprum
