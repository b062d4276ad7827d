#include "expr/run.h"

#include "core/inline_vector.h"
#include "expr/lower.h"
#include "expr/roll.h"
#include "expr/run_single.h"

namespace cuprum {

namespace {

const char* host_name() {
  static const char* const names[kReasonCount] = {
      "evaluate: requested", "evaluate: host access",       "evaluate: not fusable", "evaluate: write",
      "evaluate: pointer",   "evaluate: size of the graph", "evaluate: memory held", "evaluate: eager"};
  return names[static_cast<int>(last_reason)];
}

}  // namespace

Recorded::Recorded(const Group& group) : label(note_of(group)), host(tracing::Kind::host, host_name()) {}

void settle(Node& node, Ref<Buffer> buffer) {
  if (node.readers) {
    redirect_readers(node, buffer);
    if (!node.storage) note_orphan(*buffer);
  }
  if (Storage* const storage = node.storage) {
    storage->buffer = std::move(buffer);
    forget_pending(*storage);  // the evaluation keeps the node alive
  }
  node.drop_operands();
}

namespace {

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

using CallOperands = InlineVector<View, kMaxInputs>;

/// The operand as the call takes it; the node keeps its memory alive.
View operand_of(const Node& node, int i, Buffer* buffer) {
  const Operand& o = node.in[i];
  return {Place(buffer, o.offset), o.type, node.call->shape_of_operands()[i], o.strides, {}};
}

/// Are both products, of memory in common that is worth a pass, and is the second ready but for the result of the first?
bool may_share_a_pass(const Node& first, const Node& second) {
  for (const Node* node : {&first, &second}) {
    if (!std::holds_alternative<Matmul>(node->call->primitive)) return false;
  }
  bool common = false;
  if (!reads_memory_alone(first)) return false;  // it makes an operand
  for (int i = 0; i < second.nin; ++i) {
    const Operand& operand = second.in[i];
    if (!operand.buffer && operand.node.get() != &first) return false;
    if (!operand.buffer || operand.buffer->nbytes < engine_options().small_bytes) continue;
    for (int j = 0; j < first.nin; ++j) common |= first.in[j].buffer == operand.buffer;
  }
  return common;
}

}  // namespace

bool run_both(Node& first, Node& second, Flight& flight, bool last) {
  Stream& stream = *first.stream;
  if (first.is_roll() || second.is_roll() || second.stream != &stream || stream.device.asynchronous)
    return false;
  if (watched() || stream.capture || !may_share_a_pass(first, second)) return false;
  CallResults results(first), further(second);
  CallOperands in(first.nin), also(second.nin);
  for (int i = 0; i < first.nin; ++i) in.emplace_back(operand_of(first, i, first.in[i].buffer));
  for (int i = 0; i < second.nin; ++i) {
    Buffer* const buffer = second.in[i].buffer;
    also.emplace_back(operand_of(second, i, buffer ? buffer : results.views.data()[0].keep.get()));
  }
  const Call one{first.call->primitive, in, results.views},
      other{second.call->primitive, also, further.views};
  bool done = false;
  flight.without_lock([&] {
    done = stream.device.call_both(stream, one, other);
    if (!done) return;
    EngineLock lock;
    evaluation_stats.calls += 2;
    results.settle_call(first);
    further.settle_call(second);
    if (last) flight.land();
  });
  return done;
}

bool is_made_by_reader(const Node& node) {
  constexpr std::size_t kLarge = 1 << 20;
  const Operand* const reader = node.readers;
  if (!reader || reader->next || node.storage || !node.is_elementwise() || node.nbytes() < kLarge)
    return false;
  const Node& call = *reader->owner;
  const Stream& stream = *call.stream;
  if (!call.is_call() || call.is_roll() || call.is_further_result() || node.stream != &stream) return false;
  if (stream.device.asynchronous || stream.capture || watched() || !reads_memory_alone(node)) return false;
  const auto place = static_cast<int>(reader - call.in);
  if (!std::holds_alternative<Matmul>(call.call->primitive) || reader->offset != 0) return false;
  if (!(call.call->shape_of_operands()[place] == node.shape) || !(reader->strides == node.strides))
    return false;
  CallOperands in(call.nin);
  for (int i = 0; i < call.nin; ++i) in.emplace_back(operand_of(call, i, nullptr));
  const View out{Place(), call.type, call.shape, call.strides, {}};
  return stream.device.makes_operand({call.call->primitive, in, {&out, 1}}, place);
}

void run_call(Node& node, Flight& flight, bool last) {
  if (node.is_roll()) return run_roll(node, flight, last);
  ++evaluation_stats.calls;
  Stream& stream = *node.stream;
  CallResults results(node);
  CallOperands in(node.nin);
  for (int i = 0; i < node.nin; ++i) in.emplace_back(operand_of(node, i, node.in[i].buffer));
  const Call call{node.call->primitive, in, results.views};
  HandOver hand_over(stream, call);
  const Lease<Kernel> maker;
  int made = -1;  // the operand that has no memory
  for (int i = 0; i < node.nin; ++i) {
    if (!node.in[i].node) continue;
    made = i;
    lower_single(*node.in[i].node, {{}, node.in[i].strides}, *maker);
  }
  const auto hand = [&] {
    if (made >= 0) return stream.device.call_making(stream, call, made, *maker);
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

}  // namespace cuprum
