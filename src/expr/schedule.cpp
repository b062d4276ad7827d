#include "expr/schedule.h"

#include <algorithm>

namespace cuprum {

namespace {

// Recomputing a dead node in a second kernel is cheaper than writing and reading it while its cone costs less than
// about two transcendental functions per element (0.3 ns each, against 0.4 ns for eight bytes of memory traffic).
constexpr std::uint32_t kTranscendentalCost = 8;
constexpr std::uint32_t kStoreAbove = 16;

// More outputs in one kernel would only spill: registers on a GPU, the L1 cache on a CPU.
constexpr std::size_t kMaxStores = 16;
constexpr std::size_t kMaxReductions = 8;

std::uint32_t own_cost(const Node& node) {
  if (!node.is_elementwise()) return 1;
  return info(node.op).flags & kTranscendental ? kTranscendentalCost : 1;
}

bool same_level_edge(const Operand& operand) { return operand.identity; }

void assign_levels(std::vector<Ref<Node>>& nodes) {
  for (Ref<Node>& ref : nodes) {
    Node& node = *ref;
    node.level = 0;
    node.cost = own_cost(node);
    for (int i = 0; i < node.nin; ++i) {
      const Operand& operand = node.in[i];
      if (!operand.node) continue;
      const std::uint32_t level = operand.node->level + (same_level_edge(operand) ? 0 : 1);
      node.level = std::max(node.level, level);
      if (operand.identity) node.cost = std::min<std::uint32_t>(node.cost + operand.node->cost, 1u << 20);
    }
  }
}

bool must_store(const Node& node, std::uint64_t epoch) {
  if (node.storage || !node.is_elementwise()) return true;
  for (const Operand* r = node.readers; r; r = r->next) {
    if (r->owner->epoch != epoch || !r->identity) return true;
    if (r->owner->level > node.level && node.cost > kStoreAbove) return true;
  }
  return false;
}

bool can_join(const Group& group, const Node& node) {
  if (group.call || group.nodes + node.count > kMaxKernelNodes) return false;
  if (group.level != node.level || &group.first().backend() != &node.backend()) return false;
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
bool in_cone(Node& reduction, const Node& wanted, std::vector<Node*>& stack) {
  const std::uint64_t epoch = next_epoch();
  stack.assign(1, &reduction);
  while (!stack.empty()) {
    Node& node = *stack.back();
    stack.pop_back();
    if (&node == &wanted) return true;
    for (int i = 0; i < node.nin; ++i) {
      Node* source = node.in[i].node.get();
      if (!source || !node.in[i].identity || source->epoch == epoch || source->level < wanted.level) continue;
      source->epoch = epoch;
      stack.push_back(source);
    }
  }
  return false;
}

// A stored node that a reduction of the same level computes anyway is written by that reduction's kernel.
bool join_reduction(std::vector<Group>& groups, Node& node, std::vector<Node*>& stack) {
  for (Group& group : groups) {
    if (group.reductions.empty() || group.level != node.level || group.stores.size() >= kMaxStores) continue;
    if (!(group.iteration_shape() == node.shape)) continue;
    for (Node* reduction : group.reductions) {
      if (in_cone(*reduction, node, stack)) {
        group.stores.push_back(&node);
        return true;
      }
    }
  }
  return false;
}

void start_group(std::vector<Group>& groups, Node& node) {
  Group& group = groups.emplace_back();
  group.level = node.level;
  group.nodes = node.count;
  if (node.is_call()) {
    group.call = &node;
  } else {
    (node.is_reduction() ? group.reductions : group.stores).push_back(&node);
  }
}

// Looks at the latest groups alone, so that a list of 100,000 pending results is planned in linear time.
void join_or_start(std::vector<Group>& groups, Node& node) {
  constexpr std::size_t kLatest = 32;
  for (std::size_t g = groups.size(); g > 0 && g + kLatest > groups.size(); --g) {
    Group& group = groups[g - 1];
    if (can_join(group, node)) {
      group.nodes += node.count;
      (node.is_reduction() ? group.reductions : group.stores).push_back(&node);
      return;
    }
  }
  start_group(groups, node);
}

// The group of reductions whose results, and nothing else pending, `group` is computed from; -1 if there is none.
int epilogue_of(const std::vector<Group>& groups, const Group& group, std::vector<Node*>& stack) {
  if (!group.reductions.empty() || group.call || group.level == 0) return -1;
  int found = -1;
  stack.assign(group.stores.begin(), group.stores.end());
  const std::uint64_t epoch = next_epoch();
  while (!stack.empty()) {
    Node& node = *stack.back();
    stack.pop_back();
    for (int i = 0; i < node.nin; ++i) {
      Node* source = node.in[i].node.get();
      if (!source || source->epoch == epoch) continue;
      source->epoch = epoch;
      if (node.in[i].identity) {
        stack.push_back(source);
        continue;
      }
      int home = -1;
      for (std::size_t g = 0; g < groups.size() && home < 0; ++g) {
        for (const Node* r : groups[g].reductions) home = r == source ? static_cast<int>(g) : home;
      }
      if (home < 0 || (found >= 0 && found != home) || !(source->shape == group.iteration_shape())) return -1;
      found = home;
    }
  }
  return found;
}

void attach_epilogues(std::vector<Group>& groups, std::vector<Node*>& stack) {
  for (std::size_t g = 0; g < groups.size();) {
    const int home = epilogue_of(groups, groups[g], stack);
    if (home < 0 || groups[home].level + 1 != groups[g].level) {
      ++g;
      continue;
    }
    Group epilogue = std::move(groups[g]);
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(g));
    groups[home > static_cast<int>(g) ? home - 1 : home].epilogue.push_back(std::move(epilogue));
  }
}

// Is the graph of one root one kernel with one output: everything below it read element by element, by nobody else,
// and named by no array?
bool is_cone(const std::vector<Ref<Node>>& nodes, std::uint64_t epoch) {
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
    const Node& node = *nodes[i];
    if (node.storage || !node.is_elementwise()) return false;
    for (const Operand* r = node.readers; r; r = r->next) {
      if (r->owner->epoch != epoch || !r->identity) return false;
    }
  }
  return true;
}

void plan_cone(Schedule& plan) {
  for (const Ref<Node>& node : plan.nodes) {
    node->group = -1;
    node->stored = false;
  }
  Node& root = *plan.nodes.back();
  root.group = 0;
  root.stored = true;
  start_group(plan.groups, root);
}

void number_nodes(const Group& group, std::int32_t number) {
  for (Node* node : group.stores) node->group = number;
  for (Node* node : group.reductions) node->group = number;
  if (group.call) group.call->group = number;
}

}  // namespace

std::uint64_t next_epoch() {
  static std::uint64_t epoch = 0;
  return ++epoch;
}

Flight* topological_order(std::span<const Ref<Node>> roots, std::uint64_t epoch,
                          std::vector<Ref<Node>>& out) {
  Flight* flight = nullptr;
  struct Frame {
    Node* node;
    int next;
  };
  SmallVector<Frame, 32> stack;
  for (const Ref<Node>& root : roots) {
    if (root->epoch == epoch) continue;
    root->epoch = epoch;
    stack.push_back({root.get(), 0});
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.next == frame.node->nin) {
        if (frame.node->flight) flight = frame.node->flight;
        out.emplace_back(frame.node);
        stack.pop_back();
        continue;
      }
      Node* source = frame.node->in[frame.next++].node.get();
      if (source && source->epoch != epoch) {
        source->epoch = epoch;
        stack.push_back({source, 0});
      }
    }
  }
  return flight;
}

Flight* schedule(std::span<const Ref<Node>> roots, Schedule& plan) {
  plan.nodes.clear();
  plan.groups.clear();
  const std::uint64_t epoch = next_epoch();
  if (Flight* other = topological_order(roots, epoch, plan.nodes)) return other;
  if (roots.size() == 1 && is_cone(plan.nodes, epoch)) {
    plan_cone(plan);
    return nullptr;
  }
  assign_levels(plan.nodes);

  SmallVector<Node*, 16> stored;
  for (Ref<Node>& node : plan.nodes) {
    node->group = -1;
    node->stored = must_store(*node, epoch);
  }
  for (const Ref<Node>& root : roots) root->stored = true;
  for (Ref<Node>& node : plan.nodes) {
    if (node->stored) stored.push_back(node.get());
  }
  for (Node* node : stored) {
    if (node->is_reduction()) join_or_start(plan.groups, *node);
    if (node->is_call()) start_group(plan.groups, *node);
  }
  std::vector<Node*> stack;
  for (Node* node : stored) {
    if (node->is_elementwise() && !join_reduction(plan.groups, *node, stack))
      join_or_start(plan.groups, *node);
  }
  if (plan.groups.size() > 1) {
    std::stable_sort(plan.groups.begin(), plan.groups.end(),
                     [](const Group& a, const Group& b) { return a.level < b.level; });
  }
  if (plan.groups.size() > 1) attach_epilogues(plan.groups, stack);
  std::int32_t number = 0;
  for (Group& group : plan.groups) {
    number_nodes(group, group.number = number++);
    for (Group& epilogue : group.epilogue) number_nodes(epilogue, epilogue.number = number++);
  }
  return nullptr;
}

}  // namespace cuprum
