#include "expr/schedule.h"

#include <algorithm>

#include "expr/leaves.h"
#include "expr/row_program.h"
#include "expr/run.h"

namespace cuprum {

namespace {

// Recomputing a dead node in a second kernel is cheaper than writing and reading it while its cone costs less than
// about two transcendental functions per element (0.3 ns each, against 0.4 ns for eight bytes of memory traffic).
constexpr std::uint32_t kTranscendentalCost = 8;
constexpr std::uint32_t kStoreAbove = 16;

// More outputs in one kernel would only spill: registers on a GPU, the L1 cache on a CPU.
constexpr std::size_t kMaxStores = 16;
constexpr std::size_t kMaxReductions = 8;

std::uint32_t own_cost(const Schedule& plan, const Node& node) {
  if (plan[node].leaf && !node.is_roll()) return kStoreAbove + 1;  // made once, not twice
  if (!node.is_elementwise()) return 1;
  return info(node.op).flags & kTranscendental ? kTranscendentalCost : 1;
}

void assign_levels(Schedule& plan) {
  for (const Ref<Node>& node : plan.nodes) {
    Planned& here = plan[*node];
    here.cost = own_cost(plan, *node);
    for (int i = 0; i < node->nin; ++i) {
      const Operand& operand = node->in[i];
      if (!operand.node) continue;
      const Planned& source = plan[*operand.node];
      here.level = std::max(here.level, source.level + (plan.is_fused(operand) ? 0 : 1));
      if (plan.is_fused(operand)) here.cost = std::min<std::uint32_t>(here.cost + source.cost, 1u << 20);
    }
  }
}

bool must_store(const Schedule& plan, const Node& node) {
  const Planned& here = plan[node];
  if (here.leaf) return false;
  if (node.storage || !node.is_elementwise()) return true;
  if (is_made_by_reader(node)) return false;
  for (const Operand* r = node.readers; r; r = r->next) {
    if (!plan.has(*r->owner) || !r->identity) return true;
    if (plan[*r->owner].level > here.level && here.cost > kStoreAbove) return true;
  }
  return false;
}

bool can_join(const Group& group, const Node& node, std::uint32_t level) {
  if (group.call || group.nodes + node.count > kMaxKernelNodes) return false;
  if (group.level != level || &group.first().backend() != &node.backend()) return false;
  if (!(group.iteration_shape() == node.iteration_shape())) return false;
  if (!node.is_reduction()) {
    return group.reductions.empty() && group.stores.size() < kMaxStores &&
           group.stores[0]->strides == node.strides;
  }
  if (group.reductions.empty() || group.reductions.size() >= kMaxReductions) return false;
  // Reductions share a pass only where neither can change the order in which the other adds.
  const Node& other = *group.reductions[0];
  return other.reduce->axes == node.reduce->axes && other.in[0].strides == node.in[0].strides &&
         itemsize(other.in[0].type) == itemsize(node.in[0].type) &&
         is_arg(other.reduce->spec.op) == is_arg(node.reduce->spec.op);
}

// Is `wanted` computed by the kernel of `reduction`, element by element?
bool in_cone(Schedule& plan, Node& reduction, const Node& wanted, std::vector<Node*>& stack) {
  const std::uint32_t mark = plan.new_mark(), level = plan[wanted].level;
  stack.assign(1, &reduction);
  while (!stack.empty()) {
    Node& node = *stack.back();
    stack.pop_back();
    if (&node == &wanted) return true;
    for (int i = 0; i < node.nin; ++i) {
      Node* source = node.in[i].node.get();
      if (!source || !plan.is_fused(node.in[i])) continue;
      Planned& below = plan[*source];
      if (below.mark == mark || below.level < level) continue;
      below.mark = mark;
      stack.push_back(source);
    }
  }
  return false;
}

// A stored node that a reduction of the same level computes anyway is written by that reduction's kernel.
bool join_reduction(Schedule& plan, Node& node, std::vector<Node*>& stack) {
  for (Group& group : plan.groups) {
    if (group.reductions.empty() || group.stores.size() >= kMaxStores) continue;
    if (group.level != plan[node].level || !(group.iteration_shape() == node.shape)) continue;
    for (Node* reduction : group.reductions) {
      if (in_cone(plan, *reduction, node, stack)) {
        group.stores.push_back(&node);
        return true;
      }
    }
  }
  return false;
}

void start_group(Schedule& plan, Node& node) { plan.groups.emplace_back(node).level = plan[node].level; }

// Looks at the latest groups alone, so that a list of 100,000 pending results is planned in linear time.
void join_or_start(Schedule& plan, Node& node) {
  constexpr std::size_t kLatest = 32;
  const std::uint32_t level = plan[node].level;
  std::vector<Group>& groups = plan.groups;
  for (std::size_t g = groups.size(); g > 0 && g + kLatest > groups.size(); --g) {
    Group& group = groups[g - 1];
    if (can_join(group, node, level)) {
      group.nodes += node.count;
      (node.is_reduction() ? group.reductions : group.stores).push_back(&node);
      return;
    }
  }
  start_group(plan, node);
}

// Is the graph of one root one kernel with one output: everything below it read element by element, by nobody else,
// and named by no array?
bool is_cone(const Schedule& plan) {
  for (std::size_t i = 0; i + 1 < plan.nodes.size(); ++i) {
    const Node& node = plan.nodes[i];
    if (node.storage || !node.is_elementwise()) return false;
    for (const Operand* r = node.readers; r; r = r->next) {
      if (!r->identity || !plan.has(*r->owner)) return false;
    }
  }
  return true;
}

void make_groups(Schedule& plan, std::vector<Node*>& stack) {
  for (const Ref<Node>& node : plan.nodes) {
    if (!plan[*node].stored) continue;
    if (node->is_reduction()) join_or_start(plan, *node);
    if (node->is_call() && !node->is_further_result()) start_group(plan, *node);
  }
  for (const Ref<Node>& node : plan.nodes) {
    if (plan[*node].stored && node->is_elementwise() && !join_reduction(plan, *node, stack))
      join_or_start(plan, *node);
  }
}

void make_plan(std::span<const Ref<Node>> roots, Schedule& plan) {
  assign_levels(plan);
  for (const Ref<Node>& node : plan.nodes) plan[*node].stored = must_store(plan, *node);
  for (const Ref<Node>& root : roots) plan[*root].stored = true;

  std::vector<Node*> stack;
  make_groups(plan, stack);
  if (plan.groups.size() > 1) {
    std::stable_sort(plan.groups.begin(), plan.groups.end(),
                     [](const Group& a, const Group& b) { return a.level < b.level; });
  }
  std::int32_t number = 0;
  for (Group& group : plan.groups) {
    group.number = number++;
    group.each_output([&](Node* node) { plan[*node].group = group.number; });
  }
  if (plan.groups.size() > 1) form_row_programs(plan);
}

}  // namespace

Group::Group(Node& node) : nodes(node.count) {
  if (node.is_call()) {
    call = &node;
  } else {
    (node.is_reduction() ? reductions : stores).push_back(&node);
  }
}

void Schedule::clear() {
  nodes.clear();
  about.clear();
  groups.clear();
  marks = 0;
}

void Schedule::start_again() {
  for (Planned& node : about) {
    const bool root = node.root, leaf = node.leaf;
    node = {};
    node.root = root;
    node.leaf = leaf;
  }
  groups.clear();
  marks = 0;
}

void Schedule::set_single(Node& node) {
  nodes.add(node);
  Planned& here = about.emplace_back();
  here.group = 0;
  here.stored = true;
}

Flight* schedule(std::span<const Ref<Node>> roots, Schedule& plan) {
  plan.clear();
  if (Flight* other = topological_order(roots, plan.nodes)) return other;
  plan.about.resize(plan.nodes.size());
  for (const Ref<Node>& root : roots) plan[*root].root = true;
  if (roots.size() == 1 && is_cone(plan)) {
    const Ref<Node>& root = plan.nodes.back();
    plan[*root].group = 0;
    plan[*root].stored = true;
    start_group(plan, *root);
    return nullptr;
  }
  const bool leaves = find_leaves(plan);
  make_plan(roots, plan);
  while (leaves && !keep_leaves(plan)) {
    plan.start_again();
    make_plan(roots, plan);
  }
  return nullptr;
}

}  // namespace cuprum
