// Array: shape, strides, offset and dtype over a Storage. Views share a storage, exactly as in NumPy.
//
// A Storage is a mutable name for bytes: either materialised (it has a buffer) or pending (it has the node of
// the expression that will give the bytes). Pending expressions never read storages: they read the buffer or the
// node that the storage named when they were recorded. So a write to a whole storage only makes the storage name
// something else, and everything recorded before keeps what it saw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/dims.h"
#include "core/ref.h"
#include "core/scalar.h"
#include "cuprum/dtype.h"
#include "cuprum/error.h"
#include "runtime/backend.h"

namespace cuprum {

class Node;

class Storage : public RefCounted<Storage> {
 public:
  Storage(Backend* backend, std::size_t nbytes);
  ~Storage();

  Backend* const backend;
  const std::size_t nbytes;

  // Guarded by the graph's lock (runtime/lock.h). Exactly one of the two is set, except while being built.
  Ref<Buffer> buffer;
  Ref<Node> pending;  // set and cleared by name_pending and forget_pending (expr/node.h)

  // All pending storages, newest first: what a device has yet to do is found without asking for its arrays.
  Storage* newer = nullptr;
  Storage* older = nullptr;

  /// Does somebody hold the address of the bytes?
  bool pinned() const { return buffer && buffer->pinned; }

  // Somebody else's memory, set where the storage is made and never again. A lender who forbids writing (immutable bytes, a
  // file opened for reading, a read-only tensor) forbids it for good: no array over it becomes writeable.
  bool lent = false;
  bool read_only = false;

  // The bytes as the host gave them, kept while nobody can have written them (expr/host_copy.h); null: not kept.
  std::unique_ptr<std::byte[]> host_copy;

  static void destroy(Storage* storage);

  // Made and destroyed under the graph's lock.
  static void* operator new(std::size_t size);
  static void operator delete(void* p) noexcept;
};

class Array {
 public:
  Array() = default;
  Array(Ref<Storage> storage, dtype type, Dims shape, Dims strides, std::int64_t offset = 0)
      : storage_(std::move(storage)),
        shape_(std::move(shape)),
        strides_(std::move(strides)),
        offset_(offset),
        type_(type) {}

  explicit operator bool() const { return static_cast<bool>(storage_); }

  dtype type() const { return type_; }
  const Dims& shape() const { return shape_; }
  const Dims& strides() const { return strides_; }  // bytes
  std::int64_t offset() const { return offset_; }   // bytes from the start of the storage
  int ndim() const { return static_cast<int>(shape_.size()); }
  std::int64_t size() const {
    std::int64_t n = 1;
    for (std::int64_t d : shape_) n *= d;
    return n;
  }
  std::size_t itemsize() const { return cuprum::itemsize(type_); }
  std::size_t nbytes() const { return static_cast<std::size_t>(size()) * itemsize(); }
  const Ref<Storage>& storage() const { return storage_; }
  Backend& backend() const { return *storage_->backend; }

  bool c_contiguous() const {
    return is_c_contiguous(shape_, strides_, static_cast<std::int64_t>(itemsize()));
  }
  bool f_contiguous() const {
    return is_f_contiguous(shape_, strides_, static_cast<std::int64_t>(itemsize()));
  }

  bool writeable() const { return writeable_; }
  void set_writeable(bool w) { writeable_ = w; }

  /// A result with the semantics of a NumPy scalar (a reduction to 0-d, a[0]): augmented assignment to it makes
  /// a new value instead of writing.
  bool is_value() const { return value_; }
  void set_value(bool v) { value_ = v; }

  /// A view of the same storage; writeability is inherited.
  Array view(dtype type, Dims shape, Dims strides, std::int64_t offset) const {
    Array v(storage_, type, std::move(shape), std::move(strides), offset);
    v.writeable_ = writeable_;
    return v;
  }
  Array view(Dims shape, Dims strides, std::int64_t offset) const {
    return view(type_, std::move(shape), std::move(strides), offset);
  }
  Array view(Dims shape, Dims strides) const {
    return view(type_, std::move(shape), std::move(strides), offset_);
  }

  /// The elements, those that are repeated (stride 0) once.
  Array without_repeats() const;

  /// Does the view name every byte of its storage exactly once, from offset 0, without negative strides?
  bool covers_storage() const;

 private:
  Ref<Storage> storage_;
  Dims shape_;
  Dims strides_;
  std::int64_t offset_ = 0;
  dtype type_ = dtype::float64;
  bool writeable_ = true;
  bool value_ = false;
};

/// An uninitialised array in memory (strides must describe a dense layout from offset 0).
Array make_array(Backend& backend, dtype type, const Dims& shape, const Dims& strides);
Array make_array(Backend& backend, dtype type, const Dims& shape);  // C order

}  // namespace cuprum
