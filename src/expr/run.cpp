#include "expr/run.h"

#include "core/inline_vector.h"
#include "expr/roll.h"

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

}  // namespace

void run_call(Node& node, Flight& flight, bool last) {
  if (node.is_roll()) return run_roll(node, flight, last);
  ++evaluation_stats.calls;
  Stream& stream = *node.stream;
  CallResults results(node);
  InlineVector<View, kMaxInputs> in(node.nin);
  for (int i = 0; i < node.nin; ++i) {  // the node keeps the memory of its operands alive
    const Operand& o = node.in[i];
    in.emplace_back(Place(o.buffer, o.offset), o.type, node.call->shape_of_operands()[i], o.strides);
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

}  // namespace cuprum
