#include "expr/evaluate.h"

#include <algorithm>
#include <utility>

#include "core/inline_vector.h"
#include "expr/run_plan.h"
#include "expr/run_single.h"

namespace cuprum {

namespace {

void count_evaluation(Reason reason) {
  ++evaluation_stats.evaluations;
  ++evaluation_stats.by_reason[static_cast<int>(reason)];
  last_reason = reason;
}

void plan_and_run(std::span<const Ref<Node>> roots, Reason reason) {
  // The caller's references may be the storages' own, which settling clears.
  InlineVector<Ref<Node>, 4> keep(roots.size());
  for (const Ref<Node>& root : roots) keep.emplace_back(root);
  Ref<Node>* end = keep.end();
  ScratchLease lease;
  Scratch& scratch = *lease;
  while (Flight* other = schedule({keep.begin(), end}, scratch.plan)) {
    wait_for(*other);
    end = std::remove_if(keep.begin(), end, [](const Ref<Node>& node) { return node->is_done(); });
    if (end == keep.begin()) return;
  }
  run_plan(reason, {}, scratch);
}

// A call fuses with nothing: it needs no plan together with what it reads, which is small work more often than not.
bool try_call(const Ref<Node>& root, Reason reason) {
  if (root->flight) return false;
  SmallVector<Node*, 4> below;
  for (int i = 0; i < root->nin; ++i) {
    Node* source = root->in[i].node.get();
    if (source && std::find(below.begin(), below.end(), source) == below.end()) below.push_back(source);
  }
  if (std::any_of(below.begin(), below.end(), [](const Node* node) { return is_made_by_reader(*node); }))
    return false;
  if (below.size() == 1 && try_both(*below[0], *root)) return true;
  if (below.size() != 1 || !try_single(*below[0])) {
    const std::vector<Ref<Node>> sources(below.begin(), below.end());
    plan_and_run(sources, reason);
  }
  raise_if_interrupted();
  return root->is_done() || try_single(*root);
}

// Who reads `buffer`. A node that no array names is evaluated through those that need it: climb to the named ones. Returns an
// evaluation that has a reader in flight, if there is one.
Flight* named_readers(const Buffer& buffer, const Node* except, std::vector<Ref<Node>>& named) {
  named.clear();
  Traversal climbed;
  Flight* flight = nullptr;
  auto visit = [&](const Operand* readers) {
    for (const Operand* r = readers; r; r = r->next) {
      Node& node = *r->owner;
      if (&node == except || climbed.has(node)) continue;
      if (node.flight)
        flight = node.flight;
      else
        climbed.add(node);
    }
  };
  visit(buffer.readers);
  for (std::size_t i = 0; i < climbed.size(); ++i) {
    if (climbed[i].storage)
      named.emplace_back(&climbed[i]);
    else
      visit(climbed[i].readers);
  }
  return flight;
}

}  // namespace

EngineStats engine_stats() {
  EngineLock lock;
  EngineStats copy = evaluation_stats;
  copy.nodes_recorded = nodes_recorded();
  copy.pinned_bytes = pinned_bytes();
  return copy;
}

void evaluate_nodes(std::span<const Ref<Node>> roots, Reason reason) {
  if (roots.empty()) return;
  count_evaluation(reason);
  if (roots.size() == 1 && !engine_options().trace_eval) {
    if (try_single(*roots[0])) return;
    if (roots[0]->is_call() && try_call(Ref<Node>(roots[0]), reason)) return;
  }
  plan_and_run(roots, reason);
}

void evaluate_into(std::span<const Ref<Node>> roots, std::span<const Destination> targets, Reason reason) {
  count_evaluation(reason);
  Node& first = *roots[0];
  if (roots.size() == 1 && first.is_elementwise() && !engine_options().trace_eval &&
      reads_memory_alone(first)) {
    run_single_into(first, targets[0]);
    return;
  }
  ScratchLease lease;
  Scratch& scratch = *lease;
  while (Flight* other = schedule(roots, scratch.plan)) wait_for(*other);
  run_plan(reason, {roots, targets}, scratch);
}

bool evaluate_temporary(const Ref<Node>& root, const Destination& target, Reason reason) {
  if (root->is_done()) return false;
  ScratchLease lease;
  Scratch& scratch = *lease;
  if (schedule({&root, 1}, scratch.plan)) return false;
  if (scratch.plan.groups.size() != 1 || !root->is_elementwise()) return false;
  count_evaluation(reason);
  run_plan(reason, {{&root, 1}, {&target, 1}}, scratch);
  return true;
}

void evaluate_storage(Storage& storage, Reason reason) {
  // Another thread may have given the storage another name meanwhile.
  while (storage.pending) evaluate_nodes({&storage.pending, 1}, reason);
}

void evaluate_readers(Buffer& buffer, Reason reason, const Node* except) {
  std::vector<Ref<Node>> named;
  while (Flight* other = named_readers(buffer, except, named)) wait_for(*other);
  evaluate_nodes(named, reason);
}

}  // namespace cuprum
