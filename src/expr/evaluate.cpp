#include "expr/evaluate.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <utility>

#include "core/inline_vector.h"
#include "expr/flight.h"
#include "expr/origin.h"
#include "runtime/debug.h"
#include "runtime/hand_over.h"

namespace cuprum {

namespace {

EngineStats stats;

bool is_small(const Kernel& kernel) {
  std::size_t elements = 1;
  for (std::int64_t d : kernel.shape) elements *= static_cast<std::size_t>(d);
  return elements *
             (kernel.leaves.size() + kernel.gathers.size() + kernel.draws.size() + kernel.stores.size() + 1) <
         engine_options().small_bytes;
}

// Runs the kernel, without the lock if it takes its time, then `settle` under it.
template <class F>
void run_kernel(Stream& stream, const Kernel& kernel, Flight& flight, F&& settle) {
  ++stats.kernels;
  HandOver hand_over(stream, kernel);
  if (is_small(kernel) && !debugging()) [[likely]] {
    hand_over.run();
    hand_over.done();
    return settle();
  }
  flight.without_lock([&] {
    hand_over.run();
    if (debugging()) stream.synchronize();
    EngineLock lock;
    hand_over.done();
    settle();
  });
}

Reason last_reason = Reason::requested;  // of an evaluation, under the graph's lock

// What a group is, for who records: its work, and the host's work for it.
struct Recorded {
  explicit Recorded(const Group& group) : label(note_of(group)), host(tracing::Kind::host, host_name()) {}
  static const char* host_name() {
    static const char* const names[kReasonCount] = {
        "evaluate: requested", "evaluate: host access",       "evaluate: not fusable", "evaluate: write",
        "evaluate: pointer",   "evaluate: size of the graph", "evaluate: memory held", "evaluate: eager"};
    return names[static_cast<int>(last_reason)];
  }

  tracing::Label label;
  tracing::HostSpan host;
};

// Runs what computes `group`; while debugging an error tells which operations those are.
template <class F>
void named(const Group& group, F&& run) {
  std::unique_ptr<Recorded> recorded;  // a pointer: the frame stays small
  if (recording()) [[unlikely]]
    recorded = std::make_unique<Recorded>(group);
  try {
    run();
  } catch (Error& error) {
    if (debugging()) error.add_note(origin_of(group));
    throw;
  }
}

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

// May the output of `node` overwrite `buffer`? Yes when the kernel reads it in the very same layout and every
// reference to it goes away with the nodes that this kernel finishes.
bool reusable(const Schedule& plan, const Buffer& buffer, const Node& node, const Group& group) {
  if (buffer.nbytes != node.nbytes() || buffer.release != nullptr) return false;
  std::uint32_t going = 0;
  int budget = 64;
  for (const Operand* r = buffer.readers; r; r = r->next) {
    if (!finishes(plan, *r->owner, group, budget)) return false;
    if (itemsize(r->type) != itemsize(node.type) || r->offset != 0) return false;
    for (std::size_t d = 0; d < node.shape.size(); ++d) {
      if (node.shape[d] != 1 && r->strides[d] != node.strides[d]) return false;
    }
    ++going;
  }
  return going != 0 && going == buffer.use_count();
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
        if (operand.buffer && reusable(plan, *operand.buffer, node, group)) return operand.buffer;
        if (operand.node && operand.identity && !plan[*operand.node].stored)
          stack.push_back(operand.node.get());
      }
    }
  }
  return node.backend().allocate(group.stream(), node.nbytes());
}

// The node's bytes are in `buffer` now: whoever named or read the node gets the buffer.
void settle(Node& node, const Ref<Buffer>& buffer) {
  redirect_readers(node, buffer);
  if (node.storage) {
    node.storage->buffer = buffer;
    forget_pending(*node.storage);  // the schedule keeps the node alive
  }
  node.drop_operands();
}

// Memory that evaluations use again: without it, allocating vectors would be a fifth of a small evaluation.
struct Scratch {
  Schedule plan;
  Kernel kernel;
  std::vector<Ref<Buffer>> buffers;
  std::vector<Destination> outputs;
  std::vector<Node*> stack;
};

// An evaluation that begins while another is in flight gets scratch of its own.
class ScratchLease {
 public:
  ScratchLease() : scratch_(free_ ? std::exchange(free_, nullptr) : new Scratch) {}
  ~ScratchLease() {
    scratch_->buffers.clear();
    scratch_->plan.clear();
    delete std::exchange(free_, scratch_);
  }
  ScratchLease(const ScratchLease&) = delete;
  ScratchLease& operator=(const ScratchLease&) = delete;
  Scratch& operator*() const { return *scratch_; }

 private:
  static inline Scratch* free_ = nullptr;  // under the graph's lock
  Scratch* scratch_;
};

// Nodes whose results go straight to where they are wanted, and those places.
struct Sinks {
  std::span<const Ref<Node>> nodes;
  std::span<const Destination> targets;

  const Destination* of(const Node* node) const {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].get() == node) return &targets[i];
    }
    return nullptr;
  }
};

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
    lower(scratch.plan, group, scratch.outputs, kernel);
    const bool nothing_to_do = group.reductions.empty() && element_count(kernel.shape) == 0;
    if (nothing_to_do) return settle_all(group, scratch, last);
    run_kernel(group.stream(), kernel, flight, [&] {
      settle_all(group, scratch, last);
      if (last) flight.land();
    });
  });
}

// The results of a call, each with memory of its own.
struct CallResults {
  InlineVector<View, 1> views;

  explicit CallResults(const Node& node) : views(1 + node.call->further.size()) {
    add(node, node.type, node.shape, node.strides);
    for (const ResultSpec& spec : node.call->further) add(node, spec.type, spec.shape, spec.strides);
  }

  // First the further results that somebody still names: the call's own readers are turned to its buffer.
  void settle_call(Node& node) {
    while (const Ref<Node> further = further_result(node)) {
      settle(*further, views.data()[further->call->result].keep);
    }
    settle(node, views.data()[0].keep);
  }

 private:
  void add(const Node& node, dtype type, const Dims& shape, const Dims& strides) {
    Ref<Buffer> buffer = node.backend().allocate(*node.stream, bytes_of(shape, type));
    views.emplace_back(Place(buffer.get(), 0), type, shape, strides, std::move(buffer));
  }
  static Ref<Node> further_result(const Node& node) {
    if (node.call->further.empty()) return {};
    for (const Operand* r = node.readers; r; r = r->next) {
      if (r->owner->is_further_result()) return Ref<Node>(r->owner);
    }
    return {};
  }
};

// Calls the node's primitive; its operands are in memory.
void run_call(Node& node, Flight& flight, bool last) {
  ++stats.calls;
  Stream& stream = *node.stream;
  CallResults results(node);
  InlineVector<View, kMaxInputs> in(node.nin);
  for (int i = 0; i < node.nin; ++i) {  // the node keeps the memory of its operands alive
    const Operand& o = node.in[i];
    in.emplace_back(Place(o.buffer.get(), o.offset), o.type, node.call->shape_of_operands()[i], o.strides);
  }
  const Call call{node.call->primitive, in, results.views};
  HandOver hand_over(stream, call);
  const auto hand = [&] {
    if (const Fault fault = hand_over.run(); fault.axis >= 0) throw_fault(call, fault);
  };
  if (is_quick(stream.device, call)) {
    hand();
    hand_over.done();
    return results.settle_call(node);
  }
  flight.without_lock([&] {
    hand();
    if (debugging()) stream.synchronize();
    EngineLock lock;
    hand_over.done();
    results.settle_call(node);
    if (last) flight.land();
  });
}

void run_step(const Group& group, const Sinks& sinks, Scratch& scratch, Flight& flight, bool last) {
  if (!group.call) return run_group(group, sinks, scratch, flight, last);
  named(group, [&] { run_call(*group.call, flight, last); });
}

bool reads_memory_alone(const Node& node) {
  for (int i = 0; i < node.nin; ++i) {
    if (node.in[i].node) return false;
  }
  return true;
}

// The same for one node, whose group need not be made unless it is asked for.
template <class F>
void named(Node& node, F&& run) {
  if (!watched()) [[likely]]
    return run();
  named(Group(node), run);
}

// Runs one elementwise node over operands in memory, then `settle`.
template <class F>
void run_single(Node& node, const Destination& to, F&& settle) {
  if (node.nbytes() == 0) return settle();
  const Ref<Node> keep(&node);
  ScratchLease lease;
  Kernel& kernel = (*lease).kernel;
  Flight flight({&keep, 1});
  lower_single(node, to, kernel);
  run_kernel(*node.stream, kernel, flight, [&] {
    settle();
    flight.land();
  });
}

// A buffer that the node alone reads, and may overwrite.
Ref<Buffer> dying_operand(const Node& node) {
  if (node.stream->capture) return {};  // the next launch reads it again
  for (int i = 0; i < node.nin; ++i) {
    Buffer* b = node.in[i].buffer.get();
    if (!b || b->nbytes != node.nbytes() || b->use_count() != 1 || b->release || node.in[i].offset != 0)
      continue;
    if (itemsize(node.in[i].type) == itemsize(node.type) && node.in[i].strides == node.strides)
      return node.in[i].buffer;
  }
  return {};
}

// One node over operands in memory, nothing else alive below: no schedule is needed.
bool try_single(Node& node) {
  if (node.flight || !reads_memory_alone(node)) return false;
  if (node.is_call()) {
    const Ref<Node> keep(&node);
    Flight flight({&keep, 1});
    named(node, [&] { run_call(node, flight, true); });
    return true;
  }
  if (node.is_reduction()) {
    ScratchLease lease;
    Schedule& plan = (*lease).plan;
    plan.set_single(node);
    Flight flight(plan.nodes);
    run_group(Group(node), {}, *lease, flight, true);
    return true;
  }
  named(node, [&] {
    Ref<Buffer> buffer = dying_operand(node);
    if (!buffer) buffer = node.backend().allocate(*node.stream, node.nbytes());
    run_single(node, {{buffer.get(), 0}, node.strides}, [&] { settle(node, buffer); });
  });
  return true;
}

// Runs what scratch.plan says.
void run_plan(Reason reason, const Sinks& sinks, Scratch& scratch) {
  const std::vector<Group>& groups = scratch.plan.groups;
  if (engine_options().trace_eval) print_evaluation(reason, scratch.plan);
  Flight flight(scratch.plan.nodes);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g != 0) raise_if_interrupted();
    run_step(groups[g], sinks, scratch, flight, g + 1 == groups.size());
  }
}

void count_evaluation(Reason reason) {
  ++stats.evaluations;
  ++stats.by_reason[static_cast<int>(reason)];
  last_reason = reason;
}

void plan_and_run(std::span<const Ref<Node>> roots, Reason reason) {
  // The caller's references may be the storages' own, which settling clears.
  std::vector<Ref<Node>> keep(roots.begin(), roots.end());
  ScratchLease lease;
  Scratch& scratch = *lease;
  while (Flight* other = schedule(keep, scratch.plan)) {
    wait_for(*other);
    std::erase_if(keep, [](const Ref<Node>& node) { return node->is_done(); });
    if (keep.empty()) return;
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
  EngineStats copy = stats;
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
    named(first, [&] { run_single(first, targets[0], [] {}); });
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
  std::size_t stored = 0;
  scratch.plan.groups[0].each_output([&](const Node* node) { stored += scratch.plan[*node].stored; });
  if (stored != 1) return false;
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
