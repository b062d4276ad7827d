#include "expr/origin.h"

#include <algorithm>
#include <vector>

namespace cuprum {

namespace {

constexpr std::size_t kMostNamed = 12;

const char* name(ReduceOp op) {
  static const char* const names[] = {"sum",         "prod",      "min",         "max",        "fmin",
                                      "fmax",        "any",       "all",         "argmin",     "argmax",
                                      "nanargmin",   "nanargmax", "bitwise_and", "bitwise_or", "bitwise_xor",
                                      "logical_xor", "var",       "mean",        "reduce"};
  return names[static_cast<int>(op)];
}

/// `node` behind everything that it is computed from; what is in memory already is no node any more. A graph has a few
/// hundred nodes at most (CUPRUM_MAX_NODES), so recursion will do.
void add_cone(const Node* node, std::vector<const Node*>& nodes) {
  if (std::find(nodes.begin(), nodes.end(), node) != nodes.end()) return;
  for (int i = 0; i < node->nin; ++i) {
    if (node->in[i].node) add_cone(node->in[i].node.get(), nodes);
  }
  nodes.push_back(node);
}

void add_group(const Group& group, std::vector<const Node*>& nodes) {
  for (const Node* node : group.stores) add_cone(node, nodes);
  for (const Node* node : group.reductions) add_cone(node, nodes);
  if (group.call) add_cone(group.call, nodes);
  for (const Group& epilogue : group.epilogue) add_group(epilogue, nodes);
}

}  // namespace

std::string operation_name(const Node& node) {
  if (node.is_call()) return name(node.call->primitive);
  if (!node.is_reduction()) return node.op == Op::cast ? std::string("cast") : info(node.op).name;
  return node.reduce->spec.op == ReduceOp::generic
             ? std::string(info(node.reduce->spec.fold).name) + ".reduce"
             : name(node.reduce->spec.op);
}

std::string origin_of(const Group& group) {
  std::string text = " (computing ";
  std::size_t named = 0;
  std::vector<const Node*> nodes;
  add_group(group, nodes);
  for (const Node* node : nodes) {
    if (named++ == kMostNamed) {
      text += ", ...";
      break;
    }
    if (named > 1) text += ", ";
    text += operation_name(*node);
    if (node->place) text += std::string(" at ") + node->place;
  }
  return text + ")";
}

}  // namespace cuprum
