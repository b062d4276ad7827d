// One node whose operands are in memory: no plan is needed. Most evaluations of small arrays are of this kind, so every step here
// counts. Under the graph's lock, as expr/run.h is.
#pragma once

#include "expr/lower.h"
#include "expr/node.h"

namespace cuprum {

/// Does it read no other node?
inline bool reads_memory_alone(const Node& node) {
  for (int i = 0; i < node.nin; ++i) {
    if (node.in[i].node) return false;
  }
  return true;
}

/// Evaluates the node, if it reads memory alone and is not in flight.
bool try_single(Node& node);

/// Runs two calls, the second of which reads the first, at once, if the device has a way to do so.
bool try_both(Node& first, Node& second);

/// Computes an elementwise node that reads memory alone into a place of somebody else's.
void run_single_into(Node& node, const Destination& to);

}  // namespace cuprum
