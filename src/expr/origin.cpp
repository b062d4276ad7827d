#include "expr/origin.h"

#include <algorithm>
#include <cstdio>
#include <sstream>

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
  group.each_output([&](const Node* node) { add_cone(node, nodes); });
}

std::string number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

std::string text_of(const Scalar& s) {
  switch (s.type) {
    case dtype::bool_: return s.as<bool>() ? "True" : "False";
    case dtype::int8: return std::to_string(s.as<std::int8_t>());
    case dtype::int16: return std::to_string(s.as<std::int16_t>());
    case dtype::int32: return std::to_string(s.as<std::int32_t>());
    case dtype::int64: return std::to_string(s.as<std::int64_t>());
    case dtype::uint8: return std::to_string(s.as<std::uint8_t>());
    case dtype::uint16: return std::to_string(s.as<std::uint16_t>());
    case dtype::uint32: return std::to_string(s.as<std::uint32_t>());
    case dtype::uint64: return std::to_string(s.as<std::uint64_t>());
    case dtype::float32: return number(s.as<float>());
    case dtype::float64: return number(s.as<double>());
    default: return std::string(cuprum::name(s.type)) + " constant";
  }
}

std::string axes_of(const Node& node) {
  Dims list;
  for (std::size_t d = 0; d < node.reduce->iteration.size(); ++d) {
    if (node.reduce->axes >> d & 1) list.push_back(static_cast<std::int64_t>(d));
  }
  return to_string(list);
}

}  // namespace

std::string operation_name(const Node& node) {
  if (node.is_further_result()) {
    return "result " + std::to_string(node.call->result) + " of " + operation_name(*node.in[0].node);
  }
  if (node.is_roll()) return "roll";
  if (node.is_call()) return name(node.call->primitive);
  if (!node.is_reduction()) return node.op == Op::cast ? std::string("cast") : info(node.op).name;
  const ReduceSpec& spec = node.reduce->spec;
  if (spec.op == ReduceOp::user) return info(spec.fold).name;
  return spec.op == ReduceOp::generic ? std::string(info(spec.fold).name) + ".reduce" : name(spec.op);
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

tracing::Note note_of(const Group& group) {
  std::vector<const Node*> nodes;
  add_group(group, nodes);
  const Printer printer(nodes);
  tracing::Note note;
  std::size_t named = 0;
  for (const Node* node : nodes) {
    const bool first = note.expression.empty();
    note.expression += (first ? "" : "\n") + printer.line(*node);
    note.places += (first ? "" : "\n") + std::string(node->place ? node->place : "");
    if (node->place) note.place = node->place;
    if (node->op == Op::cast && node->is_elementwise() && nodes.size() > 1) continue;
    if (named++ < kMostNamed / 2) note.name += (named > 1 ? " " : "") + operation_name(*node);
  }
  if (named > kMostNamed / 2) note.name += " +" + std::to_string(named - kMostNamed / 2);
  return note;
}

Printer::Printer(const Schedule& plan) : plan_(&plan) {
  for (const Ref<Node>& node : plan.nodes) note_node(*node);
  for (std::size_t g = 0; g < plan.groups.size(); ++g) {
    plan.groups[g].each_output([&](const Node* node) {
      if (plan[*node].stored) kernels_[node] = static_cast<int>(g);
    });
  }
}

Printer::Printer(const std::vector<const Node*>& nodes) {
  for (const Node* node : nodes) note_node(*node);
}

void Printer::note_node(const Node& node) {
  numbers_.emplace(&node, static_cast<int>(numbers_.size()));
  for (int i = 0; i < node.nin; ++i) {
    if (node.in[i].buffer) buffers_.emplace(node.in[i].buffer, static_cast<int>(buffers_.size()));
  }
}

std::string Printer::operand(const Operand& o) const {
  if (o.is_scalar()) return text_of(o.scalar);
  if (o.node) return "%" + std::to_string(numbers_.at(o.node.get())) + (is_fused(o) ? "" : "[view]");
  const int n = buffers_.at(o.buffer);
  return static_cast<char>('a' + n % 26) + (n < 26 ? std::string() : std::to_string(n / 26));
}

bool Printer::is_fused(const Operand& o) const {
  return plan_ && plan_->has(*o.node) ? plan_->is_fused(o) : o.identity;
}

std::string Printer::line(const Node& node) const {
  std::ostringstream out;
  out << "%" << numbers_.at(&node) << " = " << operation_name(node) << "(";
  for (int i = 0; i < node.nin; ++i) out << (i ? ", " : "") << operand(node.in[i]);
  if (node.is_reduction()) out << ", axes=" << axes_of(node);
  out << ") " << cuprum::name(node.type) << " " << to_string(node.shape);
  if (node.storage)
    out << "  [alive]";
  else if (plan_ && (*plan_)[node].stored && node.is_elementwise())
    out << "  [stored]";
  return out.str();
}

int Printer::kernel_of(const Node& node) const {
  const auto found = kernels_.find(&node);
  return found == kernels_.end() ? -1 : found->second;
}

std::string Printer::outputs(const Group& group) const {
  std::string text;
  group.each_output([&](const Node* node) {
    if ((*plan_)[*node].stored) text += " %" + std::to_string(number_of(*node));
  });
  return text;
}

}  // namespace cuprum
