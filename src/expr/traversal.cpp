#include "expr/traversal.h"

namespace cuprum {

Flight* topological_order(std::span<const Ref<Node>> roots, Traversal& out) {
  Flight* flight = nullptr;
  struct Frame {
    Node* node;
    int next;
  };
  SmallVector<Frame, 32> stack;  // a path from a root: no node can be met again while it is here
  auto enter = [&](Node* node) {
    if (!node || out.has(*node)) return;
    if (node->flight)
      flight = node->flight;
    else
      stack.push_back({node, 0});
  };
  for (const Ref<Node>& root : roots) {
    enter(root.get());
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next != frame.node->nin) {
        enter(frame.node->in[frame.next++].node.get());
        continue;
      }
      out.add(*frame.node);
      stack.pop_back();
    }
  }
  return flight;
}

}  // namespace cuprum
