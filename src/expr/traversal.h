// Walks over pending nodes.
//
// A walk keeps what it knows of a node in itself. A node has but a slot: where the latest walk that met it has it. Whether that is
// this walk is seen by looking there, so that nothing is cleared and walks may follow each other in any order. Nodes in flight
// (expr/flight.h) belong to the evaluation that has them, which finds its plan by their slots: no other walk enters them.
#pragma once

#include <span>
#include <vector>

#include "expr/node.h"

namespace cuprum {

/// The nodes that a walk has met, in order; keeps them alive. All under the graph's lock.
class Traversal {
 public:
  bool has(const Node& node) const { return node.slot < nodes_.size() && nodes_[node.slot].get() == &node; }
  /// The node is not in flight, and not here yet.
  void add(Node& node) {
    node.slot = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back(&node);
  }
  void clear() { nodes_.clear(); }

  std::size_t size() const { return nodes_.size(); }
  bool empty() const { return nodes_.empty(); }
  Node& operator[](std::size_t i) const { return *nodes_[i]; }
  const Ref<Node>& back() const { return nodes_.back(); }
  auto begin() const { return nodes_.begin(); }
  auto end() const { return nodes_.end(); }
  operator std::span<const Ref<Node>>() const { return nodes_; }

 private:
  std::vector<Ref<Node>> nodes_;
};

/// Adds the pending nodes below `roots`, operands before their readers, without recursion. Those in flight are about to be memory:
/// they are left out, with all below them, and an evaluation that has one is returned; nullptr: there is none.
Flight* topological_order(std::span<const Ref<Node>> roots, Traversal& out);

}  // namespace cuprum
