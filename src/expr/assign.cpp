// Writing. A write to a whole storage makes the storage name a new node and stays pending: whatever was recorded
// before keeps the old buffer or node. A write to a part of a storage runs at once, directly into the view, after
// everything else that reads the buffer; through a temporary where its own reads overlap the view, unless the device writes over
// reads.
#include <cstring>
#include <optional>
#include <utility>

#include "core/cast.h"
#include "core/user_op.h"
#include "expr/evaluate.h"
#include "expr/host_copy.h"
#include "expr/now.h"
#include "expr/overlap.h"
#include "expr/place.h"
#include "expr/record.h"
#include "expr/traversal.h"
#include "runtime/host_element.h"
#include "runtime/lock.h"
#include "runtime/over_reads.h"
#include "runtime/recording_lock.h"

namespace cuprum {

namespace {

// Steps of search before two views count as overlapping; a temporary costs less than a longer search.
constexpr std::int64_t kOverlapWork = 1000;

void require_writeable(const Array& target) {
  if (!target.writeable()) throw ValueError("assignment destination is read-only");
}

// `a[1:3] += x` ends by storing the view in itself.
bool is_same_view(const Array& a, const Array& b) {
  return !b.is_number() && a.storage() == b.storage() && a.offset() == b.offset() && a.type() == b.type() &&
         a.shape() == b.shape() && a.strides() == b.strides();
}

// From now on `storage` names `node`.
void rename(Storage& storage, Ref<Node> node) {
  forget_host_copy(storage);
  forget_pending(storage);
  if (storage.buffer) note_orphan(*storage.buffer, node.get());
  storage.buffer = nullptr;
  name_pending(storage, std::move(node));
}

// Everything that must be in memory before the nodes' own kernel can run: what it reads through views and reductions.
void evaluate_inputs(std::span<const Ref<Node>> nodes) {
  Traversal below;
  std::vector<Ref<Node>> whole;
  topological_order(nodes, below);
  for (const Ref<Node>& n : below) {
    for (int i = 0; i < n->nin; ++i) {
      if (n->in[i].node && !n->in[i].identity) whole.push_back(n->in[i].node);
    }
  }
  evaluate_nodes(whole, Reason::write);
}

bool reads_pending(const Node& node) {
  for (int i = 0; i < node.nin; ++i) {
    if (node.in[i].node) return true;
  }
  return false;
}

bool is_identical_view(const Operand& operand, std::int64_t offset, const Dims& shape, const Array& target) {
  if (offset != target.offset() || itemsize(operand.type) != target.itemsize()) return false;
  if (!(shape == target.shape())) return false;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1 && operand.strides[d] != target.strides()[d]) return false;
  }
  return true;
}

// Would a kernel that writes `target` overwrite something that `node` itself has yet to read?
bool operands_overlap(const Node& node, const Array& target, const Buffer& memory) {
  const Buffer* buffer = &memory;
  for (int i = 0; i < node.nin; ++i) {
    const Operand& operand = node.in[i];
    if (!operand.buffer || !share_memory(*operand.buffer, *buffer)) continue;
    const std::int64_t offset = operand.offset + (operand.buffer->data - buffer->data);
    const bool identical = is_identical_view(operand, offset, node.iteration_shape(), target);
    if (identical && internal_overlap(target, kOverlapWork) == Overlap::no) continue;
    const Array read(target.storage(), operand.type, node.iteration_shape(), operand.strides, offset);
    if (memory_overlap(read, target, kOverlapWork) != Overlap::no) return true;
  }
  return false;
}

// The same for everything below `node` too.
bool reads_overlap(const Ref<Node>& node, const Array& target, const Buffer& memory) {
  // Memory that is known outside may have readers through another buffer.
  if (!memory.readers && !memory.pinned) return false;
  if (!reads_pending(*node)) return operands_overlap(*node, target, memory);
  Traversal below;
  topological_order({&node, 1}, below);
  for (const Ref<Node>& n : below) {
    if (operands_overlap(*n, target, memory)) return true;
  }
  return false;
}

Destination destination(const Array& target, const Ref<Buffer>& memory) {
  return {{memory.get(), target.offset()}, target.strides(), true};
}

// The buffer that a write to a part of `storage` goes to. Held by whoever writes: a thread that gives the storage another
// name meanwhile loses this write, or the other one, but nothing else.
Ref<Buffer> memory_of(Storage& storage) {
  forget_host_copy(storage);
  evaluate_storage(storage, Reason::write);
  return storage.buffer;
}

bool is_read_by_others(const Buffer& buffer, const Node& node) {
  for (const Operand* r = buffer.readers; r; r = r->next) {
    if (r->owner != &node) return true;
  }
  return false;
}

// May one kernel compute `node`, whose inputs are in memory, straight into a view that it reads?
bool writes_over_reads(const Ref<Node>& node, const Array& target) {
  if (!writes_over_reads(node->backend()) || internal_overlap(target, kOverlapWork) != Overlap::no)
    return false;
  Traversal below;
  topological_order({&node, 1}, below);
  for (const Ref<Node>& n : below) {
    if (!n->is_elementwise()) return false;
  }
  return true;
}

void write_through(const Array& target, Ref<Node> node) {
  const Ref<Buffer> memory = memory_of(*target.storage());
  if (reads_pending(*node)) evaluate_inputs({&node, 1});
  if (is_read_by_others(*memory, *node)) evaluate_readers(*memory, Reason::write, node.get());
  if (reads_overlap(node, target, *memory) && !writes_over_reads(node, target)) {
    Array temporary = name_node(std::move(node));
    const Input input(temporary);
    node = make_node(Op::copy, *find_signature(Op::copy, target.type()), {&input, 1}, target.shape(), 'K');
    evaluate_storage(*temporary.storage(), Reason::write);
  }
  const Destination to = destination(target, memory);
  evaluate_into({&node, 1}, {&to, 1}, Reason::write);
}

// Must a write to the whole storage go into the memory that it has? Where somebody holds the address, and while a stream captures:
// then the same memory is written again by every launch.
bool stays_in_place(const Storage& storage) {
  return storage.pinned() || current_stream(*storage.backend).capture;
}

bool goes_into_memory(const Array& target) {
  return stays_in_place(*target.storage()) || !target.covers_storage();
}

// Where a node goes that is `value`, or is it in another shape (`repeat(x, 3)` is 3 columns), if that is the view's order too.
std::optional<Destination> destination_of(const Node& node, const Array& value, const Array& target,
                                          const Ref<Buffer>& memory) {
  Destination to = destination(target, memory);
  if (node.strides == value.strides()) return to;
  if (!target.c_contiguous() || !value.c_contiguous() ||
      !is_c_contiguous(node.shape, node.strides, static_cast<std::int64_t>(itemsize(node.type))))
    return std::nullopt;
  to.strides = node.strides;
  return to;
}

// Computes `value` into the view. From then on it is what the view holds, where somebody does ask for it.
bool write_temporary(const Array& target, const Array& value, const Ref<Buffer>& memory) {
  Storage& storage = *value.storage();
  const Ref<Node> node = storage.pending;
  if (!node || !node->is_elementwise()) return false;
  const std::optional<Destination> to = destination_of(*node, value, target, memory);
  if (!to || !evaluate_temporary(node, *to, Reason::write)) return false;
  // Of memory that somebody outside may write, nothing is read later: the value is computed again.
  if (storage.pending != node || memory->pinned) return true;
  const Input written(target);
  Ref<Node> copy =
      make_node(Op::copy, *find_signature(Op::copy, target.type()), {&written, 1}, target.shape(), 'K');
  copy->strides = value.strides();
  rename(storage, std::move(copy));
  return true;
}

// `a[1:-1] = a[2:] - a[:-2]`: the value itself reads what is written, and nothing else that is pending does.
bool try_write_over_reads(const Array& target, const Array& value, const Ref<Buffer>& memory) {
  const Ref<Node> node = value.storage()->pending;
  if (!node || !memory->readers || memory->pinned || !writes_over_reads(node->backend())) return false;
  evaluate_inputs({&node, 1});
  if (node->is_done() || !(node->strides == value.strides()) || !writes_over_reads(node, target))
    return false;
  evaluate_readers(*memory, Reason::write, node.get());
  if (node->readers) return false;  // whoever reads the node would compute it again
  return write_temporary(target, value, memory);
}

// `a[1:-1] = b[1:] - b[:-1]`: an expression that dies with the statement is computed straight into the view.
bool try_write_temporary(const Array& target, const Array& value) {
  if (value.type() != target.type() || !(value.shape() == target.shape()) || !value.covers_storage())
    return false;
  Storage& storage = *target.storage();
  if (!value.storage()->pending || !goes_into_memory(target) || storage.backend != value.storage()->backend)
    return false;
  const Ref<Buffer> memory = memory_of(storage);
  if (try_write_over_reads(target, value, memory)) return true;
  if (memory->readers) evaluate_readers(*memory, Reason::write);
  const Ref<Node> node = value.storage()->pending;
  if (!node || memory->readers) return false;
  if (write_temporary(target, value, memory)) return true;
  if (node->is_done()) return false;
  evaluate_inputs({&node, 1});  // what it reads through views
  return !memory->readers && write_temporary(target, value, memory);
}

}  // namespace

namespace {

// With the graph alone.
bool store_number(const Storage& storage, std::int64_t offset, dtype type, Scalar number) {
  Backend& device = *storage.backend;
  if (!storage.buffer || storage.buffer->readers || !device.host_accessible()) return false;
  if (device.accelerator && current_stream(*device.accelerator).capture) return false;
  if (number.type != type) number = cast_scalar(number, type);
  give_bits(number, storage.buffer->data + offset);
  return true;
}

}  // namespace

bool store_element(const Array& target, std::int64_t offset, const Input& value) {
  require_writeable(target);
  const Storage& storage = *target.storage();
  std::optional<Scalar> element;
  if (value.array && !(element = element_now(*value.array))) return false;
  const Scalar& number = value.array ? *element : value.scalar;
  {
    // Takes half of the time, and where no other thread records, the graph is this one's alone.
    const RecordingLock lock;
    if (!shares_graph) return store_number(storage, offset, target.type(), number);
  }
  const EngineLock lock;
  return store_number(storage, offset, target.type(), number);
}

namespace {

void record_write(const Array& target, Op op, const Signature& signature, std::span<const Input> inputs) {
  count_recorded();
  Ref<Node> node = make_node(op, signature, inputs, target.shape(), 'K', &target.backend());
  if (node->type != target.type()) node = make_cast(node, target.type());
  if (goes_into_memory(target)) return write_through(target, std::move(node));
  node->strides = target.strides();
  rename(*target.storage(), std::move(node));
  enforce_bounds(*target.storage());
}

// Calls `write` with the inputs, all in the place of the target, under the graph's lock.
template <class F>
void in_one_place(const Array& target, Op op, std::span<const Input> inputs, F&& write) {
  require_writeable(target);
  if (host_sides_are_used()) [[unlikely]] {
    const InputsInOnePlace there(inputs, is_user_op(op) ? kAccelerators : target.nbytes(), &target);
    EngineLock lock;
    return write(there.inputs());
  }
  EngineLock lock;
  write(inputs);
}

// Writes few elements at once, if the inputs are in memory or can be brought there.
bool write_few(const Array& target, Op op, const Signature& signature, std::span<const Input> inputs) {
  if (write_now(target, op, signature, inputs)) return true;
  // A few more kernels without a plan take less time than one with a plan (`a[i] -= a[k] * 2` of 60 elements: 1.2 us, so 0.9).
  if (!is_few(target.nbytes())) return false;
  for (const Input& input : inputs) {
    if (input.array && !input.array->is_number()) evaluate_storage(*input.array->storage(), Reason::write);
  }
  return write_now(target, op, signature, inputs);
}

}  // namespace

void assign(const Array& target, Op op, const Signature& signature, std::span<const Input> inputs) {
  in_one_place(target, op, inputs, [&](std::span<const Input> here) {
    if (goes_into_memory(target) && write_few(target, op, signature, here)) return;
    record_write(target, op, signature, here);
  });
}

void assign(const Array& target, const Input& value) {
  if (value.array && is_same_view(target, *value.array)) return require_writeable(target);
  if (target.size() == 1 && (!value.array || value.array->size() == 1) &&
      store_element(target, target.offset(), value))
    return;
  const auto loop = conversion(value, target.type());
  in_one_place(target, loop.first, {&value, 1}, [&](std::span<const Input> here) {
    if (goes_into_memory(target) && write_now(target, loop.first, loop.second, here)) return;
    if (here[0].array && here[0].temporary && try_write_temporary(target, *here[0].array)) return;
    record_write(target, loop.first, loop.second, here);
  });
}

void assign_parts(std::span<const Array> targets, std::span<const Array> values) {
  EngineLock lock;
  const OnePlace there(values, targets[0].backend().accelerator ? 0 : kAccelerators);
  std::vector<Ref<Node>> nodes;
  for (std::size_t k = 0; k < targets.size(); ++k) {
    const Array& target = targets[k];
    const Input value(values[k]);
    const auto [op, signature] = conversion(value, target.type());
    count_recorded();
    nodes.push_back(make_node(op, signature, {&value, 1}, target.shape(), 'K', &target.backend()));
    nodes.back()->strides = target.strides();  // equal for all parts: one group of the schedule
  }
  const Ref<Buffer> memory = memory_of(*targets[0].storage());
  evaluate_inputs(nodes);
  std::vector<Destination> to;
  for (const Array& target : targets) to.push_back(destination(target, memory));
  evaluate_into(nodes, to, Reason::write);
}

}  // namespace cuprum
