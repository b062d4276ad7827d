#include "expr/array.h"

#include "expr/node.h"
#include "runtime/lock.h"

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

Array make_array(Backend& backend, dtype type, const Dims& shape, const Dims& strides) {
  const auto nbytes = static_cast<std::size_t>(element_count(shape)) * itemsize(type);
  EngineLock lock;
  Ref<Storage> storage = make_ref<Storage>(&backend, nbytes);
  storage->buffer = backend.allocate(current_stream(backend), nbytes);
  return Array(std::move(storage), type, shape, strides);
}

Array make_array(Backend& backend, dtype type, const Dims& shape) {
  return make_array(backend, type, shape,
                    contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type))));
}

}  // namespace cuprum
