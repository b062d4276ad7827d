#include "expr/run_plan.h"

#include <cinttypes>
#include <cstdio>

#include "expr/roll.h"

namespace cuprum {

namespace {

void print_evaluation(Reason reason, const Schedule& plan) {
  std::size_t bytes = 0;
  for (const Group& group : plan.groups) {
    group.each_output([&](const Node* node) { bytes += plan[*node].stored ? node->nbytes() : 0; });
  }
  std::fprintf(stderr, "cuprum eval: reason=%s nodes=%zu kernels=%zu bytes=%zu pinned=%" PRId64 "\n",
               name(reason), plan.nodes.size(), plan.groups.size(), bytes, pinned_bytes());
}

// Does `node` let go of its operands when this group is done? A stored node does when the group stores it, a dead
// one when all its readers do. `budget` bounds the search; when it runs out the answer is no.
bool finishes(const Schedule& plan, const Node& node, const Group& group, int& budget) {
  if (--budget < 0 || !plan.has(node)) return false;
  if (plan[node].stored) return plan[node].group == group.number;
  if (!node.readers) return false;
  for (const Operand* r = node.readers; r; r = r->next) {
    if (!r->identity || !finishes(plan, *r->owner, group, budget)) return false;
  }
  return true;
}

// May the output of `node` overwrite `buffer`, which it reads? Yes when the kernel reads it in the very same layout and nobody but nodes
// that this kernel finishes knows of it.
bool reusable(const Schedule& plan, const Buffer& buffer, const Node& node, const Group& group) {
  if (buffer.nbytes != node.nbytes() || buffer.release != nullptr) return false;
  if (buffer.use_count() != 1) return false;  // that of its list of readers
  int budget = 64;
  for (const Operand* r = buffer.readers; r; r = r->next) {
    if (!finishes(plan, *r->owner, group, budget)) return false;
    if (itemsize(r->type) != itemsize(node.type) || r->offset != 0) return false;
    for (std::size_t d = 0; d < node.shape.size(); ++d) {
      if (node.shape[d] != 1 && r->strides[d] != node.strides[d]) return false;
    }
  }
  return true;
}

// Finds a buffer among those that the node's cone reads, or allocates one.
Ref<Buffer> output_buffer(const Schedule& plan, Node& node, const Group& group, std::vector<Node*>& stack) {
  if (group.reductions.empty() && node.nbytes() != 0 && !group.stream().capture) {
    stack.assign(1, &node);
    for (int budget = 64; !stack.empty() && budget > 0; --budget) {
      Node* next = stack.back();
      stack.pop_back();
      for (int i = 0; i < next->nin; ++i) {
        const Operand& operand = next->in[i];
        if (operand.buffer && reusable(plan, *operand.buffer, node, group))
          return Ref<Buffer>(operand.buffer);
        if (operand.node && operand.identity && !plan[*operand.node].stored)
          stack.push_back(operand.node.get());
      }
    }
  }
  return node.backend().allocate(group.stream(), node.nbytes());
}

// Where a group's outputs go: memory of their own, a sink, or nowhere. `scratch.buffers` has those that are to be settled.
class Outputs {
 public:
  Outputs(const Group& group, const Sinks& sinks, Scratch& scratch)
      : group_(group), sinks_(sinks), scratch_(scratch) {
    scratch.outputs.clear();
    scratch.buffers.clear();
    add(group);
    for (const Group& stage : group.later) add(stage);
  }

 private:
  void add(const Group& stage) {
    for (Node* node : stage.stores) add_store(*node);
    for (Node* node : stage.reductions) {
      if (scratch_.plan[*node].stored) {
        add_buffer(*node, node->backend().allocate(group_.stream(), node->nbytes()));
      } else {
        scratch_.buffers.emplace_back();
        scratch_.outputs.push_back({{}, node->strides});
      }
    }
  }

  void add_store(Node& node) {
    if (const Destination* target = sinks_.of(&node)) {
      scratch_.buffers.emplace_back();
      scratch_.outputs.push_back(*target);
      return;
    }
    Ref<Buffer> buffer = output_buffer(scratch_.plan, node, group_, scratch_.stack);
    // Two outputs must not share one dying input.
    for (const Ref<Buffer>& taken : scratch_.buffers) {
      if (taken == buffer) buffer = node.backend().allocate(group_.stream(), node.nbytes());
    }
    add_buffer(node, std::move(buffer));
  }

  void add_buffer(Node& node, Ref<Buffer> buffer) {
    scratch_.plan[node].home = buffer.get();
    scratch_.outputs.push_back({{buffer.get(), 0}, node.strides});
    scratch_.buffers.push_back(std::move(buffer));
  }

  const Group& group_;
  const Sinks& sinks_;
  Scratch& scratch_;
};

// The nodes that never touch memory, of those that `node` reads.
void push_unstored_operands(const Schedule& plan, const Node& node, std::vector<Node*>& stack) {
  for (int i = 0; i < node.nin; ++i) {
    Node* below = node.in[i].node.get();
    if (below && plan.has(*below) && !plan[*below].stored) stack.push_back(below);
  }
}

// Settles the nodes that have got a buffer. If kernels follow, nodes that never touch memory let go of what they read as soon as
// nobody reads them, so that they can use it: k-means in a loop of 20 steps takes 20 MB then, else 60.
void settle_all(const Group& group, Scratch& scratch, bool last) {
  std::vector<Node*>& stack = scratch.stack;
  stack.clear();
  std::size_t k = 0;
  group.each_output([&](Node* node) {
    if (!last) push_unstored_operands(scratch.plan, *node, stack);
    if (scratch.buffers[k]) settle(*node, scratch.buffers[k]);
    ++k;
  });
  while (!stack.empty()) {
    Node* node = stack.back();
    stack.pop_back();
    if (node->readers || node->storage || node->is_done()) continue;
    push_unstored_operands(scratch.plan, *node, stack);
    node->drop_operands();
  }
}

void run_group(const Group& group, const Sinks& sinks, Scratch& scratch, Flight& flight, bool last) {
  Kernel& kernel = scratch.kernel;
  named(group, [&] {
    const Outputs outputs(group, sinks, scratch);
    lower(scratch.plan, group, scratch.outputs, kernel, scratch.rolls);
    const bool nothing_to_do = group.reductions.empty() && element_count(kernel.shape) == 0;
    if (nothing_to_do) return settle_all(group, scratch, last);
    const auto settle = [&] {
      settle_all(group, scratch, last);
      if (last) flight.land();
    };
    if (scratch.rolls.empty()) return run_kernel(group.stream(), kernel, flight, settle);
    run_blocks(group.stream(), kernel, scratch.rolls, scratch.outputs[0].strides, flight, settle);
  });
}

void run_step(const Group& group, const Sinks& sinks, Scratch& scratch, Flight& flight, bool last) {
  if (!group.call) return run_group(group, sinks, scratch, flight, last);
  named(group, [&] { run_call(*group.call, flight, last); });
}

}  // namespace

void run_plan(Reason reason, const Sinks& sinks, Scratch& scratch) {
  const std::vector<Group>& groups = scratch.plan.groups;
  if (engine_options().trace_eval) print_evaluation(reason, scratch.plan);
  Flight flight(scratch.plan.nodes);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g != 0) raise_if_interrupted();
    const bool calls = groups[g].call && g + 1 < groups.size() && groups[g + 1].call;
    if (calls && run_both(*groups[g].call, *groups[g + 1].call, flight, g + 2 == groups.size())) {
      ++g;
      continue;
    }
    run_step(groups[g], sinks, scratch, flight, g + 1 == groups.size());
  }
}

void run_reduction(Node& node) {
  const ScratchLease lease;
  Schedule& plan = (*lease).plan;
  plan.set_single(node);
  Flight flight(plan.nodes);
  run_group(Group(node), {}, *lease, flight, true);
}

}  // namespace cuprum
