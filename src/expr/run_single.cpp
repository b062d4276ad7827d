#include "expr/run_single.h"

#include "expr/run.h"
#include "expr/run_plan.h"

namespace cuprum {

namespace {

// Runs one elementwise node of some elements, then `settle`.
template <class F>
void run_single(Node& node, const Destination& to, F&& settle) {
  const Ref<Node> keep(&node);
  const Lease<Kernel> lease;
  Kernel& kernel = *lease;
  Flight flight({&keep, 1});
  lower_single(node, to, kernel);
  run_kernel(*node.stream, kernel, flight, [&] {
    settle();
    flight.land();
  });
}

// A buffer that the node alone reads, and may overwrite with as many bytes.
Ref<Buffer> dying_operand(const Node& node, std::size_t nbytes) {
  if (node.stream->capture) return {};  // the next launch reads it again
  for (int i = 0; i < node.nin; ++i) {
    const Operand& operand = node.in[i];
    const Buffer* b = operand.buffer;
    if (!b || b->use_count() != 1 || b->nbytes != nbytes || b->release || operand.offset != 0) continue;
    const bool alone = !operand.previous && !operand.next;
    if (alone && itemsize(operand.type) == itemsize(node.type) && operand.strides == node.strides)
      return Ref<Buffer>(operand.buffer);
  }
  return {};
}

void run_into_memory(Node& node) {
  const std::size_t nbytes = node.nbytes();
  Ref<Buffer> buffer = dying_operand(node, nbytes);
  if (!buffer) buffer = node.backend().allocate(*node.stream, nbytes);
  if (nbytes == 0) return settle(node, std::move(buffer));
  const Destination to{{buffer.get(), 0}, node.strides};
  run_single(node, to, [&] { settle(node, std::move(buffer)); });
}

void run_single_call(Node& node) {
  const Ref<Node> keep(&node);
  Flight flight({&keep, 1});
  run_call(node, flight, true);
}

}  // namespace

bool try_single(Node& node) {
  if (node.flight || !reads_memory_alone(node)) return false;
  if (node.is_reduction())
    run_reduction(node);
  else if (node.is_call())
    named(node, [&] { run_single_call(node); });
  else
    named(node, [&] { run_into_memory(node); });
  return true;
}

bool try_both(Node& first, Node& second) {
  if (!first.is_call() || first.flight || !reads_memory_alone(first)) return false;
  const Ref<Node> keep[] = {Ref<Node>(&first), Ref<Node>(&second)};
  Flight flight(keep);
  return run_both(first, second, flight, true);
}

void run_single_into(Node& node, const Destination& to) {
  if (node.nbytes() == 0) return;
  named(node, [&] { run_single(node, to, [] {}); });
}

}  // namespace cuprum
