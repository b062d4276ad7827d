#include "expr/array.h"

#include <cstring>
#include <optional>

#include "core/cast.h"
#include "core/user_op.h"
#include "expr/place.h"
#include "expr/record.h"
#include "runtime/capture.h"
#include "runtime/debug.h"
#include "runtime/host_element.h"
#include "runtime/lock.h"
#include "runtime/recording_lock.h"

namespace cuprum {

Array Array::without_repeats() const {
  Dims shape = shape_;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (strides_[d] == 0 && shape[d] != 0) shape[d] = 1;
  }
  return view(std::move(shape), strides_);
}

bool Array::covers_storage() const {
  if (offset_ != 0 || nbytes() != storage()->nbytes) return false;
  const auto item = static_cast<std::int64_t>(itemsize());
  if (c_contiguous() || f_contiguous()) return true;
  // Dense in some other order of axes: follow the strides upwards from the itemsize.
  std::int64_t step = item;
  std::uint64_t done = 0;
  for (int left = ndim(); left > 0; --left) {
    int next = -1;
    for (int d = 0; d < ndim() && next < 0; ++d) {
      if (!(done >> d & 1) && (shape_[d] == 1 || strides_[d] == step)) next = d;
    }
    if (next < 0) return false;
    done |= std::uint64_t{1} << next;
    step *= shape_[next];
  }
  return true;
}

void* Storage::operator new(std::size_t size) { return take_spare(Spare::storage, size); }
void Storage::operator delete(void* p) noexcept { give_spare(Spare::storage, p); }

Storage::Storage(Backend* backend, std::size_t nbytes) : backend(backend), nbytes(nbytes) {}

Storage::~Storage() = default;

void Storage::destroy(Storage* storage) {
  // One that names no node, over memory that is nobody else's, is in no list and known to no thread.
  if (!storage->named.load(std::memory_order_acquire) &&
      (!storage->buffer || storage->buffer->use_count() == 1)) {
    delete storage;
    return;
  }
  const RecordingLock lock;  // the node points back at its storage
  forget_pending(*storage);
  if (storage->buffer) note_orphan(*storage->buffer);
  delete storage;
}

void StorageOrNumber::make_storage() const {
  const EngineLock lock;
  const int device = device_.load(std::memory_order_relaxed);
  if (device == 0) return;  // another thread came first
  const Array memory = make_array(numbered_backend(device - 1), type_, Dims());
  std::memcpy(memory.storage()->buffer->data, bytes_, itemsize(type_));
  storage_ = memory.storage();
  device_.store(0, std::memory_order_release);
}

namespace {

Array new_array(Backend& backend, dtype type, const Dims& shape, Dims strides) {
  const auto nbytes = static_cast<std::size_t>(element_count(shape)) * itemsize(type);
  Ref<Storage> storage = make_ref<Storage>(&backend, nbytes);
  if (backend.asynchronous) {
    const EngineLock lock;  // for room, others' buffers may move
    storage->buffer = backend.allocate(current_stream(backend), nbytes);
  } else {
    storage->buffer = backend.allocate(current_stream(backend), nbytes);
  }
  return Array(std::move(storage), type, shape, std::move(strides));
}

}  // namespace

Array make_array(Backend& backend, dtype type, const Dims& shape, const Dims& strides) {
  return new_array(backend, type, shape, strides);
}

Array make_array(Backend& backend, dtype type, const Dims& shape) {
  return new_array(backend, type, shape,
                   contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type))));
}

// -- Numbers that the CPU has -----------------------------------------------------------------------------

HostNumber beside(const Array& a, const Scalar& number) {
  Backend& device = a.backend();
  return {number, device.is_cpu ? &device : &host_side_of(device)};  // it may have moved meanwhile
}

Array number_beside(const Array& a, const Scalar& number) { return Array(number, *beside(a, number).place); }

std::optional<Scalar> element_now(const Array& a) {
  if (watched()) [[unlikely]]
    return std::nullopt;
  return element_now(a, a.offset());
}

std::optional<Scalar> element_now(const Array& a, std::int64_t offset) {
  std::optional<Scalar> value;
  if (a.is_number()) return a.number();
  const RecordingLock lock;  // meanwhile nobody names another buffer or writes at once
  const Storage& storage = *a.storage();
  Backend& host = *storage.backend;
  if (!storage.buffer || !host.is_cpu) return value;
  const Stream& stream = current_stream(host.known_as());
  if (streams_capture() && stream.capture) return value;
  const Stamp written = storage.buffer->uses().write();
  // The stream would have to wait, as it does for a node.
  if (written && written.index() != stream.index) return value;
  take_bits(storage.buffer->data + offset, a.type(), value.emplace());
  return value;
}

std::optional<Scalar> compute_now(Op op, const Signature& signature, std::span<const Input> inputs) {
  if (is_user_op(op)) return std::nullopt;
  const ElementLoop loop = element_loop(op, signature.key);
  if (!loop) return std::nullopt;
  Scalar in[kMaxInputs];
  const Array* first = nullptr;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].array) {
      const std::optional<Scalar> value = element_now(*inputs[i].array);
      if (!value) return std::nullopt;
      in[i] = cast_scalar(*value, signature.in[i]);
      if (!first) first = inputs[i].array;
      if (&first->backend() != &inputs[i].array->backend()) return std::nullopt;
    } else {
      in[i] = cast_scalar(inputs[i].scalar, signature.in[i]);
    }
  }
  if (!first) return std::nullopt;
  alignas(16) unsigned char bits[sizeof in[0].bytes];
  loop(1, bits, in[0].bytes, in[1].bytes, in[2].bytes);
  Scalar result;
  take_bits(bits, signature.out, result);
  return result;
}

Array copy_of_element(const Array& a, std::int64_t offset) {
  if (!watched()) [[likely]] {
    if (const std::optional<Scalar> number = element_now(a, offset)) return number_beside(a, *number);
  }
  return record_copy(a.view(Dims(), Dims(), offset), a.type());
}

}  // namespace cuprum
