// Recording: from validated inputs to a node. This is the hot path of every lazy call, well under a
// microsecond: no evaluation, no traversal of the graph, one node from a free list; and threads do it side by side
// (runtime/recording_lock.h).
#include "expr/record.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/cast.h"
#include "core/layout.h"
#include "core/sized.h"
#include "core/user_op.h"
#include "expr/evaluate.h"
#include "expr/now.h"
#include "expr/place.h"
#include "expr/roll.h"
#include "expr/traversal.h"
#include "runtime/debug.h"
#include "runtime/host_element.h"
#include "runtime/lock.h"
#include "runtime/recording_lock.h"

namespace cuprum {

namespace {

bool same_layout(const Dims& shape, const Dims& a, const Dims& b) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] != 1 && a[i] != b[i]) return false;
  }
  return true;
}

// Reads `a`, broadcast to `shape`; a call reads it as it lies.
void read_array(Operand& operand, Node* owner, const Array& a, const Dims& shape) {
  const Storage& storage = *a.storage();
  operand.owner = owner;
  operand.type = a.type();
  operand.offset = a.offset();
  operand.strides = owner->is_call() ? a.strides() : broadcast_strides(a.shape(), a.strides(), shape);
  if (storage.pending) {
    Node& source = *storage.pending;
    operand.node = storage.pending;
    operand.identity = source.is_elementwise() && !owner->is_call() && a.offset() == 0 &&
                       a.type() == source.type && a.shape() == shape && source.shape == shape &&
                       same_layout(shape, a.strides(), source.strides);
    owner->count += source.count;
  } else {
    operand.buffer = storage.buffer.get();
    owner->shared |= storage.buffer->pinned;
  }
  link(operand);
}

// Reads `source`, whose shape is the owner's, element by element.
void read_node(Operand& operand, Node* owner, const Ref<Node>& source) {
  operand.owner = owner;
  operand.type = source->type;
  operand.strides = broadcast_strides(source->shape, source->strides, source->shape);
  operand.node = source;
  operand.identity = true;
  owner->count += source->count;
  owner->shared |= source->shared;
  link(operand);
}

Ref<Node> new_node(Backend& backend, Op op, dtype key, dtype type, int nin) {
  Ref<Node> node(new Node(&current_stream(backend), op, key, type));
  node->nin = static_cast<std::uint8_t>(nin);
  if (watched()) [[unlikely]]
    node->place = current_place();
  return node;
}

// A cast at the full shape: it is fused into its only reader and never touches memory.
Ref<Node> cast_input(const Array& a, dtype type, const Dims& shape) {
  Ref<Node> node = new_node(a.backend(), Op::cast, a.type(), type, 1);
  node->shape = shape;
  read_array(node->in[0], node.get(), a, shape);
  const Dims* strides[] = {&node->in[0].strides};
  node->strides = result_strides(shape, strides, static_cast<std::int64_t>(itemsize(type)), 'K');
  return node;
}

Backend& backend_of(std::span<const Input> inputs, Backend* backend) {
  for (const Input& input : inputs) {
    if (!input.array) continue;
    Backend* other = &input.array->backend();
    if (backend && other != backend) throw_two_devices(*backend, *other);
    backend = other;
  }
  if (!backend) throw Error("cuprum: an operation on numbers alone is on no device");
  return *backend;
}

Dims copy_layout(const Array& a, dtype type, char order) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  const bool c = a.c_contiguous(), f = a.f_contiguous();
  if (order == 'F' || (order != 'C' && f && !c)) return fortran_strides(a.shape(), item);
  if (order == 'C' || order == 'A' || c) return contiguous_strides(a.shape(), item);
  return copy_strides(a.shape(), a.strides(), item);
}

// One element that the host can read is copied at once: a node would cost more, and tie `a` to a pending reader.
Array copy_element(const Array& a, dtype type) {
  Scalar value;
  value.type = a.type();
  std::memcpy(value.bytes, a.storage()->buffer->data + a.offset(), a.itemsize());
  value = cast_scalar(value, type);
  Array result = make_array(a.backend(), type, a.shape());
  std::memcpy(result.storage()->buffer->data, value.bytes, result.itemsize());
  return result;
}

// Few bytes that the CPU has are copied at once too, in a third of the time that a node and its kernel take.
std::optional<Array> copy_now(const Array& a, dtype type, char order) {
  const bool converts = a.type() != type;
  if (!is_few(a.nbytes()) || !is_few(bytes_of(a.shape(), type)) || !may_be_had_now(a)) return std::nullopt;
  if (converts || order == 'F' || !a.c_contiguous()) {
    Array result = make_array(a.backend(), type, a.shape(), copy_layout(a, type, order));
    const Input input(a);
    const auto [op, signature] = conversion(input, type);
    const EngineLock lock;
    return write_now(result, op, signature, {&input, 1}) ? std::optional(std::move(result)) : std::nullopt;
  }
  Array result = make_array(a.backend(), type, a.shape());  // who observes the pool may evaluate
  count_recorded();
  const RecordingLock lock;
  const std::byte* const from = address_now(a);
  if (!from) return std::nullopt;
  std::memcpy(result.storage()->buffer->data, from, a.nbytes());
  return result;
}

// And a few equal elements are stored at once, in C order.
Array full_now(Backend& backend, const Dims& shape, const Scalar& value) {
  count_recorded();
  Array result = make_array(backend, value.type, shape);
  std::byte* const to = result.storage()->buffer->data;
  const auto n = static_cast<std::size_t>(result.size());
  with_size(itemsize(value.type), [&](auto size) {
    unsigned char bytes[sizeof value.bytes];  // nobody else's: no store changes them
    std::memcpy(bytes, value.bytes, sizeof bytes);
    for (std::size_t i = 0; i < n; ++i) std::memcpy(to + i * size, bytes, size);
  });
  return result;
}

}  // namespace

std::pair<Op, Signature> conversion(const Input& value, dtype type) {
  const dtype from = value.array ? value.array->type() : value.scalar.type;
  if (!value.array || from == type) return {Op::copy, *find_signature(Op::copy, type)};
  Signature cast{};
  cast.in[0] = from;
  cast.key = from;
  cast.out = type;
  return {Op::cast, cast};
}

void throw_two_devices(const Backend& first, const Backend& second) {
  throw TypeError(std::string("cuprum: arrays of two devices in one operation, ") + first.name() + " and " +
                  second.name() + "; write a.to_device('" + first.name() + "') to copy one to the other");
}

Dims layout_of(std::span<const Input> inputs, const Dims& shape, dtype type, char order) {
  const auto item = static_cast<std::int64_t>(itemsize(type));
  if (shape.size() < 2 || order == 'C') return contiguous_strides(shape, item);
  Dims broadcast[kMaxInputs];
  const Dims* votes[kMaxInputs];
  int n = 0;
  for (const Input& input : inputs) {
    if (!input.array) continue;
    broadcast[n] = broadcast_strides(input.array->shape(), input.array->strides(), shape);
    votes[n] = &broadcast[n];
    ++n;
  }
  return result_strides(shape, std::span<const Dims* const>(votes, n), item, order);
}

Ref<Node> make_node(Op op, const Signature& signature, std::span<const Input> inputs, const Dims& shape,
                    char order, Backend* backend) {
  Ref<Node> node = new_node(backend_of(inputs, backend), op, signature.key, signature.out, 0);
  node->shape = shape;
  node->strides = layout_of(inputs, shape, signature.out, order);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Operand& operand = node->in[i];
    const dtype wanted = signature.in[i];
    node->nin = static_cast<std::uint8_t>(i + 1);
    if (!inputs[i].array) {
      operand.type = wanted;
      operand.scalar = cast_scalar(inputs[i].scalar, wanted);
    } else if (inputs[i].array->is_number() && !node->stream->capture) {
      operand.type = wanted;
      operand.scalar = cast_scalar(inputs[i].array->number(), wanted);
    } else if (inputs[i].array->type() == wanted) {
      read_array(operand, node.get(), *inputs[i].array, shape);
    } else {
      read_node(operand, node.get(), cast_input(*inputs[i].array, wanted, shape));
    }
  }
  return node;
}

Ref<Node> make_cast(const Ref<Node>& source, dtype type) {
  Ref<Node> node = new_node(source->backend(), Op::cast, source->type, type, 1);
  node->shape = source->shape;
  const Dims* strides[] = {&source->strides};
  node->strides = result_strides(node->shape, strides, static_cast<std::int64_t>(itemsize(type)), 'K');
  read_node(node->in[0], node.get(), source);
  return node;
}

Array name_node(Ref<Node> node) {
  Ref<Storage> storage = make_ref<Storage>(&node->backend(), node->nbytes());
  Storage& named = *storage;
  Array result(std::move(storage), node->type, node->shape, node->strides);
  name_pending(named, std::move(node));
  return result;
}

namespace {

// Is there something to be evaluated by the call? Seldom: then the graph is asked for alone.
bool is_out_of_bounds(const Node& node) {
  const EngineOptions& options = engine_options();
  return options.eager || node.shared || node.count > options.max_nodes ||
         pinned_bytes() > static_cast<std::int64_t>(options.max_pinned);
}

// Names the node that `make` returns, beside other threads that record; then looks at the bounds.
template <class F>
Array recorded(F&& make, bool alone = false) {
  bool look = false;
  Array result = [&] {
    const RecordingLock lock(alone || watched());  // who watches runs programs of the user's
    count_recorded();
    Array named = name_node(make());
    look = is_out_of_bounds(*named.storage()->pending);
    return named;
  }();
  if (look) [[unlikely]] {
    const EngineLock lock;
    enforce_bounds(*result.storage());
  }
  return result;
}

// A number among arrays is a scalar of their kernel; where a stream captures it gets memory, which is taken alone.
bool has_number(std::span<const Input> inputs) {
  for (const Input& input : inputs) {
    if (input.array && input.array->is_number()) return true;
  }
  return false;
}

}  // namespace

namespace {

// The size of what a call makes, where it says where the call computes.
std::size_t bytes_if_placed(const Dims& shape, dtype type) {
  return host_sides_are_used() ? bytes_of(shape, type) : 0;
}

Array record_in_one_place(Op op, const Signature& signature, std::span<const Input> inputs, const Dims& shape,
                          char order) {
  const InputsInOnePlace there(inputs, is_user_op(op) ? kAccelerators : bytes_of(shape, signature.out));
  return recorded([&] { return make_node(op, signature, there.inputs(), shape, order, there.where()); },
                  true);
}

}  // namespace

Array record(Op op, const Signature& signature, std::span<const Input> inputs, const Dims& shape,
             char order) {
  if (shape.empty()) {
    if (const std::optional<Scalar> now = compute_now(op, signature, inputs)) {
      const auto first = std::find_if(inputs.begin(), inputs.end(), [](const Input& i) { return i.array; });
      return number_beside(*first->array, *now);
    }
  }
  if (host_sides_are_used()) [[unlikely]]
    return record_in_one_place(op, signature, inputs, shape, order);
  return recorded([&] { return make_node(op, signature, inputs, shape, order); }, has_number(inputs));
}

Array record_cast(const Array& a, dtype type) { return a.type() == type ? a : record_copy(a, type, 'K'); }

Array record_copy(const Array& a, dtype type, char order) {
  if (a.is_number()) return number_beside(a, cast_scalar(a.number(), type));
  const OnePlace there({&a}, bytes_if_placed(a.shape(), type));
  if (a.size() == 1 && a.backend().host_accessible()) {
    const EngineLock lock;
    if (a.storage()->buffer) {
      count_recorded();
      return copy_element(a, type);
    }
  }
  if (std::optional<Array> now = copy_now(a, type, order)) return *std::move(now);
  return recorded([&] {
    Ref<Node> node = new_node(a.backend(), a.type() == type ? Op::copy : Op::cast, a.type(), type, 1);
    node->shape = a.shape();
    node->strides = copy_layout(a, type, order);
    read_array(node->in[0], node.get(), a, a.shape());
    return node;
  });
}

Array record_full(Backend& asked, const Dims& shape, const Scalar& value, char order) {
  Backend& backend = asked.accelerator ? place_of_new(asked, bytes_of(shape, value.type)) : asked;
  if ((order != 'F' || shape.size() < 2) && !shape.empty() && computes_now(backend, shape, value.type))
    return full_now(backend, shape, value);
  return recorded([&] {
    Ref<Node> node = new_node(backend, Op::copy, value.type, value.type, 1);
    node->shape = shape;
    node->strides = layout_of({}, shape, value.type, order == 'F' ? 'F' : 'C');
    node->in[0].type = value.type;
    node->in[0].scalar = value;
    return node;
  });
}

namespace {

Ref<Node> make_reduction(const ReduceSpec& spec, const Array& a, std::uint64_t axes) {
  Ref<Node> node = new_node(a.backend(), Op::count_, spec.type, spec.out, 1);
  node->reduce = std::make_unique<ReduceInfo>(ReduceInfo{spec, a.shape(), axes});
  if (a.type() == spec.type)
    read_array(node->in[0], node.get(), a, a.shape());
  else
    read_node(node->in[0], node.get(), cast_input(a, spec.type, a.shape()));
  // The result lies in memory as the kept axes of the operand do.
  Dims kept_strides;
  for (int d = 0; d < a.ndim(); ++d) {
    if (axes >> d & 1) continue;
    node->shape.push_back(a.shape()[d]);
    kept_strides.push_back(node->in[0].strides[d]);
  }
  const Dims* votes[] = {&kept_strides};
  node->strides = result_strides(node->shape, votes, static_cast<std::int64_t>(itemsize(spec.out)), 'K');
  return node;
}

}  // namespace

Array record_reduction(const ReduceSpec& spec, const Array& a, std::uint64_t axes) {
  const OnePlace there({&a},
                       spec.op == ReduceOp::user ? kAccelerators : bytes_if_placed(a.shape(), a.type()));
  if (const std::optional<Scalar> number = axes == 1 ? reduce_now(spec, a) : std::nullopt)
    return number_beside(a, *number);
  static_cast<void>(a.storage());  // a number's memory is taken alone
  return recorded([&] { return make_reduction(spec, a, axes); });
}

namespace {

// A call that no array names yet.
Ref<Node> make_call(Backend& backend, Primitive&& primitive, std::span<const Array* const> in, dtype type,
                    const Dims& shape, const Dims& strides) {
  Ref<Node> node = new_node(backend, Op::count_, type, type, 0);
  node->call = std::make_unique<CallInfo>(std::move(primitive));
  if (in.size() > kMaxInputs) {
    node->call->operands = std::make_unique<Operand[]>(in.size());
    node->call->more_shapes = std::make_unique<Dims[]>(in.size());
    node->in = node->call->operands.get();
  }
  node->shape = shape;
  node->strides = strides;
  for (const Array* a : in) {
    if (&a->backend() != &backend) throw_two_devices(backend, a->backend());
    node->call->shape_of_operands()[node->nin] = a->shape();
    read_array(node->in[node->nin++], node.get(), *a, a->shape());
  }
  return node;
}

}  // namespace

Array record_call(Backend& asked, Primitive&& primitive, std::span<const Array* const> in, dtype type,
                  const Dims& shape, const Dims& strides) {
  const std::size_t nbytes = bytes_if_placed(shape, type);
  const OnePlace there(in, nbytes);
  Backend& backend = place_of_call(asked, in, nbytes);
  for (const Array* a : in) static_cast<void>(a->storage());  // a number's memory is taken alone
  return recorded([&] { return make_call(backend, std::move(primitive), in, type, shape, strides); });
}

Array record_roll(const Array& a, const Dims& shifts) {
  const OnePlace there({&a}, a.nbytes());
  const Dims strides = copy_layout(a, a.type(), 'K');
  if (std::optional<Array> now = roll_now(a, shifts, strides)) return *std::move(now);
  return recorded([&] {
    const Array* const in[] = {&a};
    Ref<Node> node = make_call(a.backend(), Primitive(), in, a.type(), a.shape(), strides);
    node->call->shifts = shifts;
    return node;
  });
}

std::vector<Array> record_calls(Backend& asked, Primitive&& primitive, std::span<const Array* const> in,
                                std::span<const ResultSpec> results) {
  EngineLock lock;
  const std::size_t nbytes = bytes_if_placed(results[0].shape, results[0].type);
  const OnePlace there(in, nbytes);
  Backend& backend = place_of_call(asked, in, nbytes);
  const ResultSpec& first = results[0];
  count_recorded();
  Ref<Node> node = make_call(backend, std::move(primitive), in, first.type, first.shape, first.strides);
  node->call->further.assign(results.begin() + 1, results.end());
  std::vector<Array> arrays;
  arrays.reserve(results.size());  // `call` points into it
  arrays.push_back(name_node(std::move(node)));
  const Array* const call = arrays.data();
  for (std::size_t k = 1; k < results.size(); ++k) {
    const ResultSpec& spec = results[k];
    count_recorded();
    Ref<Node> further = make_call(backend, Primitive(), {&call, 1}, spec.type, spec.shape, spec.strides);
    further->call->result = static_cast<std::uint32_t>(k);
    arrays.push_back(name_node(std::move(further)));
  }
  enforce_bounds(*arrays[0].storage());
  return arrays;
}

namespace {

// `count` is an upper bound, kept without walking: a node that is used twice counts twice. Where the bound is over the
// limit the graph is walked once and the true number takes its place.
bool too_many_nodes(Node& node, std::uint32_t limit) {
  if (node.count <= limit) return false;
  Traversal below;
  below.add(node);
  for (std::size_t n = 0; n < below.size(); ++n) {
    const Node& next = below[n];
    for (int i = 0; i < next.nin; ++i) {
      Node* source = next.in[i].node.get();
      if (source && !source->flight && !below.has(*source)) below.add(*source);
    }
    if (below.size() > limit) return true;
  }
  node.count = static_cast<std::uint32_t>(below.size());
  return false;
}

}  // namespace

void enforce_bounds(Storage& storage) {
  const EngineOptions& options = engine_options();
  if (!storage.pending) return;
  if (options.eager) {
    evaluate_nodes({&storage.pending, 1}, Reason::eager);
  } else if (storage.pending->shared) {
    evaluate_nodes({&storage.pending, 1}, Reason::export_pointer);
  } else if (too_many_nodes(*storage.pending, options.max_nodes)) {
    evaluate_nodes({&storage.pending, 1}, Reason::graph_size);
  } else if (pinned_bytes() > static_cast<std::int64_t>(options.max_pinned)) {
    evaluate_nodes({&storage.pending, 1}, Reason::pinned_bytes);
  }
}

}  // namespace cuprum
