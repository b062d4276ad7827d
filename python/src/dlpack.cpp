// DLPack, both ways: the versioned protocol (1.x) and the one before it.
//
// The structures are those of the DLPack standard. An exported tensor keeps the storage alive and pinned; an
// imported one is released when the last view of it has gone.
#include <memory>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "bindings.h"
#include "containers.h"
#include "errors.h"
#include "expr/engine.h"
#include "gil.h"
#include "host.h"
#include "memory.h"
#include "runtime/devices.h"

namespace cuprum::python {

namespace {

constexpr int kHost = 1, kCuda = 2, kPinnedHost = 3;  // kDLCPU, kDLCUDA, kDLCUDAHost
constexpr std::uint64_t kReadOnly = 1, kCopied = 2;

struct DlDevice {
  std::int32_t type;
  std::int32_t id;
};
struct DlDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t ndim;
  DlDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // elements; null: C order
  std::uint64_t byte_offset;
};
struct Legacy {  // DLManagedTensor
  DlTensor tensor;
  void* context;
  void (*deleter)(Legacy*);
};
struct Versioned {  // DLManagedTensorVersioned
  struct {
    std::uint32_t major, minor;
  } version;
  void* context;
  void (*deleter)(Versioned*);
  std::uint64_t flags;
  DlTensor tensor;
};

template <class Managed>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<Legacy> = "dltensor";
template <>
constexpr const char* kName<Versioned> = "dltensor_versioned";
template <class Managed>
constexpr const char* kUsedName = nullptr;
template <>
constexpr const char* kUsedName<Legacy> = "used_dltensor";
template <>
constexpr const char* kUsedName<Versioned> = "used_dltensor_versioned";

/// Where the memory of a backend is in DLPack's terms; type 0: nowhere that others could reach.
DlDevice dl_device(const Backend& backend) {
  const std::string_view name = backend.name();
  if (name.starts_with("cuda:")) return {kCuda, std::atoi(backend.name() + std::strlen("cuda:"))};
  return {backend.host_accessible() ? kHost : 0, 0};
}

/// The backend that can use memory of a DLPack device.
Backend& backend_of(const DlDevice& device, const char* function) {
  if (device.type == kHost || device.type == kPinnedHost)
    return default_backend().host_accessible() ? default_backend() : cpu_backend();
  if (device.type == kCuda) return backend_named("cuda:" + std::to_string(device.id));
  throw BufferError(std::string("cuprum.") + function + ": the tensor is on a device of type " +
                    std::to_string(device.type) +
                    ", and only the host (1) and CUDA devices (2) are known here");
}

enum TypeCode : std::uint8_t { kInt = 0, kUint = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };

DlDataType dl_type(dtype t) {
  const std::uint8_t code = is_bool(t)               ? kBool
                            : is_signed_integer(t)   ? kInt
                            : is_unsigned_integer(t) ? kUint
                            : t == dtype::bfloat16   ? kBfloat
                            : is_floating(t)         ? kFloat
                                                     : kComplex;
  return {code, static_cast<std::uint8_t>(itemsize(t) * 8), 1};
}

dtype from_dl_type(DlDataType d, const char* function) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DlDataType mine = dl_type(static_cast<dtype>(i));
    if (mine.code == d.code && mine.bits == d.bits && d.lanes == 1) return static_cast<dtype>(i);
  }
  throw BufferError(std::string("cuprum.") + function + ": the tensor's type (code " +
                    std::to_string(d.code) + ", " + std::to_string(d.bits) + " bits, " +
                    std::to_string(d.lanes) + " lanes) is not a dtype of Cuprum");
}

// -- Export ---------------------------------------------------------------------------------------------

template <class Managed>
struct Exported {
  Managed managed = {};
  Array array;
  Dims strides;                // elements
  std::int64_t consumer = -1;  // the stream that the tensor was given to
};

// CUDA's default streams, the only ones that cannot have been destroyed by now.
constexpr std::int64_t kDefaultStreams[] = {1, 2};

/// The memory may be used again as soon as it is freed: our stream waits for what the consumer has still to do with it.
template <class Managed>
void delete_exported(Managed* managed) {
  auto* e = static_cast<Exported<Managed>*>(managed->context);
  if (std::ranges::find(kDefaultStreams, e->consumer) != std::end(kDefaultStreams)) {
    try {
      e->array.backend().first_stream().wait_for_native(static_cast<std::uintptr_t>(e->consumer));
      used_outside(e->array, e->array.backend().first_stream());
    } catch (const Error&) {  // a device that has failed
    }
  }
  delete e;
}

template <class Managed>
void delete_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, kName<Managed>)) return;  // consumed: its new owner deletes it
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, kName<Managed>));
  if (managed->deleter) managed->deleter(managed);
}

template <class Managed>
nb::object export_array(const Array& a, std::uint64_t flags, std::int64_t consumer) {
  auto e = std::make_unique<Exported<Managed>>();
  e->array = a;
  e->consumer = consumer;
  for (std::int64_t s : a.strides()) e->strides.push_back(s / static_cast<std::int64_t>(a.itemsize()));
  DlTensor& t = e->managed.tensor;
  t.data = export_pointer(a);
  t.device = dl_device(a.backend());
  t.ndim = a.ndim();
  t.dtype = dl_type(a.type());
  t.shape = const_cast<std::int64_t*>(e->array.shape().data());
  t.strides = e->strides.data();
  t.byte_offset = 0;
  e->managed.context = e.get();
  e->managed.deleter = &delete_exported<Managed>;
  if constexpr (std::is_same_v<Managed, Versioned>) {
    e->managed.version = {1, 0};
    e->managed.flags = flags;
  }
  PyObject* capsule = PyCapsule_New(&e->managed, kName<Managed>, &delete_capsule<Managed>);
  if (!capsule) throw_python_error();
  e.release();
  return nb::steal(capsule);
}

/// The consumer's stream waits for ours: it may read at once. None and 1: CUDA's default stream; -1: it waits itself.
std::int64_t hand_over(const Array& a, nb::handle stream) {
  std::int64_t consumer = stream.is_none() ? 1 : to_int(stream.ptr(), "__dlpack__", "stream");
  if (consumer == 0) consumer = 1;
  export_pointer(a);  // the current stream comes behind all that is done with it
  if (consumer != -1) uncaptured_stream(a.backend()).release_to_native(static_cast<std::uintptr_t>(consumer));
  return consumer;
}

nb::object dlpack(nb::handle self, nb::handle stream, nb::handle max_version, nb::handle device,
                  nb::handle copy) {
  Array original = contents(self.ptr()).array();
  bool copied = !copy.is_none() && to_flag(copy.ptr());
  DlDevice from = dl_device(original.backend());
  if (!device.is_none()) {
    const Dims d = to_dims(device.ptr(), "__dlpack__");
    const bool to_host = d.size() == 2 && d[0] == kHost;
    if (to_host && from.type != kHost && (copy.is_none() || copied)) {
      original = on_backend(original, cpu_backend());
      from = {kHost, 0};
      copied = true;
    } else if (d.size() != 2 || d[0] != from.type || d[1] != from.id) {
      throw BufferError(
          std::string("cuprum: dl_device= must be (1, 0), the host") +
          (from.type == kHost ? "" : ", or the array's own device (a copy to the host is one)") +
          ", for this array");
    }
  }
  if (from.type == 0) {
    throw BufferError(std::string("cuprum: the memory of an array on ") + original.backend().name() +
                      " cannot be shared; write a.get()");
  }
  if (from.type == kHost && !stream.is_none())
    throw ValueError("cuprum: stream= must be None for an array in host memory");
  bool versioned = false;
  if (!max_version.is_none()) {
    const Dims v = to_dims(max_version.ptr(), "__dlpack__");
    versioned = v.size() == 2 && v[0] >= 1;
  }
  for (std::int64_t s : original.strides()) {
    if (s % static_cast<std::int64_t>(original.itemsize()) != 0) {
      throw BufferError("cuprum: DLPack counts strides in elements, and these are not whole; write a.copy()");
    }
  }
  const bool is_new = &original.backend() != &contents(self.ptr()).array().backend();
  const Array a = copied && !is_new ? record_copy(original, original.type(), 'K') : original;
  const std::int64_t consumer = from.type == kCuda ? hand_over(a, stream) : -1;
  if (versioned) {
    return export_array<Versioned>(a, (a.writeable() ? 0 : kReadOnly) | (copied ? kCopied : 0), consumer);
  }
  if (!a.writeable()) {
    throw BufferError("cuprum: this array is read-only, which DLPack before 1.0 cannot tell; write a.copy()");
  }
  return export_array<Legacy>(a, 0, consumer);
}

// -- Import ---------------------------------------------------------------------------------------------

template <class Managed>
void release_imported(void* owner) {
  auto* managed = static_cast<Managed*>(owner);
  if (!managed->deleter) return;
  with_gil([&] { managed->deleter(managed); });  // the producer may be written in Python
}

/// In bytes.
Dims strides_of(const DlTensor& t, const Dims& shape, std::int64_t item, const char* function) {
  element_count(shape);  // throws where the strides would not fit 63 bits either
  Dims strides = contiguous_strides(shape, item);
  for (int d = 0; t.strides && d < t.ndim; ++d) {
    if (__builtin_mul_overflow(t.strides[d], item, &strides[d]))
      throw ValueError(std::string("cuprum.") + function + ": stride " + std::to_string(t.strides[d]) +
                       " of the tensor is beyond any memory");
  }
  return strides;
}

/// Where the first element is. What a producer says of its memory is believed, except what cannot be true.
std::byte* first_byte(const DlTensor& t, const Extent& e, dtype type, const char* function) {
  std::uintptr_t at = 0;
  const bool beyond = __builtin_add_overflow(reinterpret_cast<std::uintptr_t>(t.data), t.byte_offset, &at);
  if (e.low == e.high) return reinterpret_cast<std::byte*>(at);
  if (!t.data || beyond || t.byte_offset >> 63)
    throw BufferError(std::string("cuprum.") + function + ": the tensor has elements and no memory");
  if (at % std::min<std::size_t>(itemsize(type), sizeof(double)) != 0)
    throw BufferError(std::string("cuprum.") + function + ": the tensor's memory is not aligned for " +
                      name(type));
  return reinterpret_cast<std::byte*>(at);
}

/// Takes the tensor out of a capsule, for one thread alone; null: there is none of this kind. Unless it is kept, it goes back.
template <class Managed>
class Taken {
 public:
  explicit Taken(PyObject* capsule) : capsule_(capsule) {
    const ObjectSection section(capsule);
    if (!PyCapsule_IsValid(capsule, kName<Managed>)) return;
    tensor_ = static_cast<Managed*>(PyCapsule_GetPointer(capsule, kName<Managed>));
    end_ = PyCapsule_GetDestructor(capsule);
    PyCapsule_SetName(capsule, kUsedName<Managed>);
    PyCapsule_SetDestructor(capsule, nullptr);
  }
  ~Taken() {
    if (!tensor_) return;
    const ObjectSection section(capsule_);
    PyCapsule_SetName(capsule_, kName<Managed>);
    PyCapsule_SetDestructor(capsule_, end_);
  }
  Taken(const Taken&) = delete;
  Taken& operator=(const Taken&) = delete;

  Managed* get() const { return tensor_; }
  void keep() { tensor_ = nullptr; }

 private:
  PyObject* capsule_;
  Managed* tensor_ = nullptr;
  PyCapsule_Destructor end_ = nullptr;
};

/// Nothing where the capsule holds no tensor of this kind.
template <class Managed>
nb::object import_capsule(PyObject* capsule, const char* function) {
  Taken<Managed> taken(capsule);
  Managed* managed = taken.get();
  if (!managed) return {};
  const DlTensor& t = managed->tensor;
  bool writeable = true;
  if constexpr (std::is_same_v<Managed, Versioned>) {
    if (managed->version.major > 1)
      throw BufferError(std::string("cuprum.") + function + ": unknown version of DLPack");
    writeable = (managed->flags & kReadOnly) == 0;
  }
  Backend& backend = backend_of(t.device, function);
  if (t.ndim < 0 || t.ndim > kMaxDims || (t.ndim > 0 && !t.shape))
    throw BufferError(std::string("cuprum.") + function + ": the tensor's number of dimensions is " +
                      std::to_string(t.ndim) +
                      (t.ndim > kMaxDims ? "; 64 are supported" : ", and it has no such shape"));
  const dtype type = from_dl_type(t.dtype, function);
  const auto item = static_cast<std::int64_t>(itemsize(type));
  const Dims shape(t.shape, t.shape + t.ndim);
  const Dims strides = strides_of(t, shape, item, function);
  const Extent e = foreign_extent(type, shape, strides, function);
  std::byte* data = first_byte(t, e, type, function);
  const auto nbytes = static_cast<std::size_t>(e.high - e.low);
  if (!backend.host_accessible() && !backend.can_use(data + e.low, nbytes))
    throw BufferError(std::string("cuprum.") + function + ": the tensor does not lie in memory of " +
                      backend.name());
  Array a = from_foreign(backend, data + e.low, nbytes, type, shape, strides, -e.low, writeable,
                         &release_imported<Managed>, managed);
  taken.keep();
  return wrap(std::move(a));
}

/// The stream on which we will use the producer's memory, for the producer to wait on; None for host memory.
nb::object stream_for(PyObject* producer, const char* function) {
  const nb::object where = attribute(producer, "__dlpack_device__");
  if (!where.is_valid()) return nb::none();
  const Dims d = to_dims(where().ptr(), function);
  if (d.size() != 2 || d[0] != kCuda) return nb::none();
  Backend& backend = backend_of({kCuda, static_cast<std::int32_t>(d[1])}, function);
  return nb::cast(uncaptured_stream(backend).native());
}

nb::object request_capsule(PyObject* producer, const char* function) {
  const nb::object method = attribute(producer, "__dlpack__");
  if (!method.is_valid()) {
    throw TypeError(std::string("cuprum.") + function + ": a " + type_name(producer) +
                    " has no __dlpack__ method; write cp.asarray(x)");
  }
  const nb::object stream = stream_for(producer, function);
  try {
    if (!stream.is_none())
      return method(nb::arg("stream") = stream, nb::arg("max_version") = nb::make_tuple(1, 0));
    return method(nb::arg("max_version") = nb::make_tuple(1, 0));
  } catch (nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  return stream.is_none() ? method() : method(nb::arg("stream") = stream);  // of the protocol before 1.0
}

nb::object bound_from_dlpack(nb::handle x, nb::handle copy, nb::handle device) {
  const OnDevice there(device, "from_dlpack");
  nb::object shared = from_dlpack(x.ptr(), "from_dlpack");
  const bool elsewhere = !device.is_none() && &contents(shared.ptr()).array().backend() != &default_backend();
  if (elsewhere && !copy.is_none() && !to_flag(copy.ptr()))
    throw ValueError("cuprum.from_dlpack: the tensor is on another device; write copy=None to allow a copy");
  if (!elsewhere && (copy.is_none() || !to_flag(copy.ptr()))) return shared;
  const Array& a = contents(shared.ptr()).array();
  if (!device.is_none() && &a.backend() != &default_backend()) return wrap(on_backend(a, default_backend()));
  Array copied = record_copy(a, a.type(), 'K');
  evaluate({&copied, 1});
  return wrap(std::move(copied));
}

}  // namespace

nb::object from_dlpack(PyObject* producer, const char* function) {
  nb::object capsule =
      PyCapsule_CheckExact(producer) ? nb::borrow(producer) : request_capsule(producer, function);
  if (nb::object shared = import_capsule<Versioned>(capsule.ptr(), function); shared.is_valid())
    return shared;
  if (nb::object shared = import_capsule<Legacy>(capsule.ptr(), function); shared.is_valid()) return shared;
  if (PyCapsule_CheckExact(producer))
    throw ValueError(std::string("cuprum.") + function +
                     ": a capsule is a DLPack tensor and cannot be consumed multiple times");
  throw BufferError(std::string("cuprum.") + function +
                    ": __dlpack__ did not return an unused DLPack capsule");
}

void bind_dlpack(nb::module_& m, NdarrayClass& c) {
  c.def("__dlpack__", &dlpack, nb::kw_only(), nb::arg("stream") = nb::none(),
        nb::arg("max_version") = nb::none(), nb::arg("dl_device") = nb::none(), nb::arg("copy") = nb::none());
  c.def("__dlpack_device__", [](nb::handle self) {
    const DlDevice d = dl_device(contents(self.ptr()).array().backend());
    if (d.type == 0) throw BufferError("cuprum: the memory of this array cannot be shared; write a.get()");
    return nb::make_tuple(d.type, d.id);
  });
  c.def(
      "toDlpack",
      [](nb::handle self) { return dlpack(self, nb::none(), nb::none(), nb::none(), nb::none()); },
      "The array as a DLPack capsule.");
  m.def("from_dlpack", &bound_from_dlpack, nb::arg("x").none(), nb::arg("copy") = nb::none(),
        nb::arg("device") = nb::none(),
        "from_dlpack(x, copy=None, device=None)\n\nAn array over the memory of another library's tensor.");
}

}  // namespace cuprum::python
