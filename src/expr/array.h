// Array: shape, strides, offset and dtype over a Storage. Views share a storage, exactly as in NumPy.
//
// A Storage is a mutable name for bytes: either materialised (it has a buffer) or pending (it has the node of
// the expression that will give the bytes). Pending expressions never read storages: they read the buffer or the
// node that the storage named when they were recorded. So a write to a whole storage only makes the storage name
// something else, and everything recorded before keeps what it saw.
//
// A number that the CPU has (`a[i]`, `a[i] * 2`) is an array without memory: its bits lie in the Array itself, and a storage is
// made when somebody first asks for one.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "core/dims.h"
#include "core/ref.h"
#include "core/scalar.h"
#include "cuprum/dtype.h"
#include "cuprum/error.h"
#include "runtime/backend.h"

namespace cuprum {

class Node;

/// Where a storage is: for good, or on the host's side of a device until it moves over (expr/place.h), under the graph's lock. Any
/// thread may look.
class Home {
 public:
  Home(Backend* backend) : backend_(backend) {}
  Home(const Home&) = delete;
  Home& operator=(Backend* backend) {
    backend_.store(backend, std::memory_order_release);
    return *this;
  }
  operator Backend*() const { return backend_.load(std::memory_order_acquire); }
  Backend* operator->() const { return *this; }
  Backend& operator*() const { return *static_cast<Backend*>(*this); }

 private:
  std::atomic<Backend*> backend_;
};

class Storage : public RefCounted<Storage> {
 public:
  Storage(Backend* backend, std::size_t nbytes);
  ~Storage();

  Home backend;
  const std::size_t nbytes;

  // Guarded by the graph's lock (runtime/lock.h). Exactly one of the two is set, except while being built.
  Ref<Buffer> buffer;
  Ref<Node> pending;  // set and cleared by name_pending and forget_pending (expr/node.h)

  // Pending storages, in lists (expr/node.h): what a device has yet to do is found without asking for its arrays.
  Storage* newer = nullptr;
  Storage* older = nullptr;
  std::uint8_t list = 0;

  // How many calls compute with it on the host's side of a device: it does not move meanwhile (expr/place.h). Under the graph's lock.
  std::uint16_t stays = 0;

  /// Does somebody hold the address of the bytes?
  bool pinned() const { return buffer && buffer->pinned; }

  // Somebody else's memory, set where the storage is made and never again. A lender who forbids writing (immutable bytes, a
  // file opened for reading, a read-only tensor) forbids it for good: no array over it becomes writeable.
  bool lent = false;
  bool read_only = false;

  // Does it name a node, which points back at it? Cleared last: who destroys the storage asks without the lock.
  std::atomic<bool> named{false};

  // The bytes as the host gave them, kept while nobody can have written them (expr/host_copy.h); null: not kept.
  std::unique_ptr<std::byte[]> host_copy;

  static void destroy(Storage* storage);

  // Destroyed by whoever drops the last array, which takes no more than recording does (runtime/recording_lock.h).
  static void* operator new(std::size_t size);
  static void operator delete(void* p) noexcept;
};

/// The storage of an array, or the number that it will be made of. A copy is a second name of one storage, so that whoever
/// copies asks for it. Several threads may ask at a time: the storage is set once and for good.
class StorageOrNumber {
 public:
  StorageOrNumber() = default;
  StorageOrNumber(Ref<Storage> storage) : storage_(std::move(storage)) {}
  StorageOrNumber(const Scalar& number, int device)
      : device_(static_cast<std::uint8_t>(device + 1)), type_(number.type) {
    std::memcpy(bytes_, number.bytes, sizeof bytes_);
  }
  StorageOrNumber(const StorageOrNumber& o) : storage_(o.storage()) {}
  StorageOrNumber(StorageOrNumber&& o) noexcept : storage_(std::move(o.storage_)) { take_number(o); }
  StorageOrNumber& operator=(const StorageOrNumber& o) {
    if (this != &o) *this = StorageOrNumber(o.storage());
    return *this;
  }
  StorageOrNumber& operator=(StorageOrNumber&& o) noexcept {
    storage_ = std::move(o.storage_);
    take_number(o);
    return *this;
  }
  ~StorageOrNumber() = default;

  bool is_number() const { return device_.load(std::memory_order_acquire) != 0; }
  const Ref<Storage>& storage() const {
    if (is_number()) [[unlikely]]
      make_storage();
    return storage_;
  }
  Backend& backend() const {
    const int device = device_.load(std::memory_order_acquire);
    return device != 0 ? numbered_backend(device - 1) : *storage_->backend;
  }
  Scalar number() const {  // where it is one
    Scalar s;
    s.type = type_;
    std::memcpy(s.bytes, bytes_, sizeof bytes_);
    return s;
  }

 private:
  void take_number(StorageOrNumber& o) noexcept {
    const std::uint8_t device = o.device_.load(std::memory_order_relaxed);
    device_.store(device, std::memory_order_relaxed);
    if (device == 0) return;
    o.device_.store(0, std::memory_order_relaxed);
    type_ = o.type_;
    std::memcpy(bytes_, o.bytes_, sizeof bytes_);
  }
  void make_storage() const;

  mutable Ref<Storage> storage_;
  mutable std::atomic<std::uint8_t> device_{
      0};  // of a number, by its number and one more; 0: there is a storage
  dtype type_ = dtype::bool_;
  alignas(8) unsigned char bytes_[16];
};

/// A number that the CPU has, and the device that it is of: the CPU, or the host's side of an accelerator.
struct HostNumber {
  Scalar number;
  const Backend* place;
};

class Array {
 public:
  Array() = default;
  /// A number that the CPU has, without dimensions and without memory: its own, or that of the host's side of a device.
  Array(const Scalar& number, const Backend& device) : storage_(number, device.number), type_(number.type) {}
  /// The same as a value (see is_value).
  static Array value(const HostNumber& n) {
    Array v(n.number, *n.place);
    v.value_ = true;
    return v;
  }
  Array(Ref<Storage> storage, dtype type, Dims shape, Dims strides, std::int64_t offset = 0)
      : storage_(std::move(storage)),
        shape_(std::move(shape)),
        strides_(std::move(strides)),
        offset_(offset),
        type_(type) {}

  explicit operator bool() const { return is_number() || storage_.storage(); }

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
  const Ref<Storage>& storage() const { return storage_.storage(); }
  Backend& backend() const { return storage_.backend(); }

  /// Has it no memory yet? Then its number is known.
  bool is_number() const { return storage_.is_number(); }
  Scalar number() const { return storage_.number(); }

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
    Array v(storage(), type, std::move(shape), std::move(strides), offset);
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
  StorageOrNumber storage_;
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
