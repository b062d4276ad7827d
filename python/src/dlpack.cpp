// DLPack, both ways, by Python's protocol: capsules around the tensors of ops/dlpack.h.
#include "ops/dlpack.h"
#include "bindings.h"
#include "containers.h"
#include "errors.h"
#include "expr/engine.h"
#include "gil.h"
#include "host.h"
#include "runtime/devices.h"

namespace cuprum::python {

using ops::DlDevice, ops::DlLegacy, ops::DlVersioned;
using ops::kDlCuda, ops::kDlHost;

namespace {

template <class Managed>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<DlLegacy> = "dltensor";
template <>
constexpr const char* kName<DlVersioned> = "dltensor_versioned";
template <class Managed>
constexpr const char* kUsedName = nullptr;
template <>
constexpr const char* kUsedName<DlLegacy> = "used_dltensor";
template <>
constexpr const char* kUsedName<DlVersioned> = "used_dltensor_versioned";

template <class Managed>
void delete_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, kName<Managed>)) return;  // consumed: its new owner deletes it
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, kName<Managed>));
  if (managed->deleter) managed->deleter(managed);
}

template <class Managed>
nb::object export_array(const Array& a, std::uint64_t flags, std::int64_t consumer) {
  Managed* managed = ops::export_tensor<Managed>(a, flags, consumer);
  PyObject* capsule = PyCapsule_New(managed, kName<Managed>, &delete_capsule<Managed>);
  if (capsule) return nb::steal(capsule);
  managed->deleter(managed);
  throw_python_error();
}

nb::object dlpack(nb::handle self, nb::handle stream, nb::handle max_version, nb::handle device,
                  nb::handle copy) {
  Array original = contents(self.ptr()).array();
  move_over(original);
  bool copied = !copy.is_none() && to_flag(copy.ptr());
  DlDevice from = ops::dl_device(original.backend());
  if (!device.is_none()) {
    const Dims d = to_dims(device.ptr(), "__dlpack__");
    const bool to_host = d.size() == 2 && d[0] == kDlHost;
    if (to_host && from.type != kDlHost && (copy.is_none() || copied)) {
      original = on_backend(original, cpu_backend());
      from = {kDlHost, 0};
      copied = true;
    } else if (d.size() != 2 || d[0] != from.type || d[1] != from.id) {
      throw BufferError(
          std::string("cuprum: dl_device= must be (1, 0), the host") +
          (from.type == kDlHost ? "" : ", or the array's own device (a copy to the host is one)") +
          ", for this array");
    }
  }
  if (from.type == 0) {
    throw BufferError(std::string("cuprum: the memory of an array on ") + original.backend().name() +
                      " cannot be shared; write a.get()");
  }
  if (from.type == kDlHost && !stream.is_none())
    throw ValueError("cuprum: stream= must be None for an array in host memory");
  bool versioned = false;
  if (!max_version.is_none()) {
    const Dims v = to_dims(max_version.ptr(), "__dlpack__");
    versioned = v.size() == 2 && v[0] >= 1;
  }
  ops::check_dl_strides(original);
  const bool is_new = &original.backend() != &contents(self.ptr()).array().backend();
  const Array a = copied && !is_new ? record_copy(original, original.type(), 'K') : original;
  const std::int64_t consumer =
      from.type != kDlCuda
          ? -1
          : ops::hand_to_consumer(a, stream.is_none() ? 1 : to_int(stream.ptr(), "__dlpack__", "stream"));
  if (versioned) {
    return export_array<DlVersioned>(
        a, (a.writeable() ? 0 : ops::kDlReadOnly) | (copied ? ops::kDlCopied : 0), consumer);
  }
  if (!a.writeable()) {
    throw BufferError("cuprum: this array is read-only, which DLPack before 1.0 cannot tell; write a.copy()");
  }
  return export_array<DlLegacy>(a, 0, consumer);
}

// -- Import ---------------------------------------------------------------------------------------------

template <class Managed>
void release_imported(void* owner) {
  auto* managed = static_cast<Managed*>(owner);
  if (!managed->deleter) return;
  with_gil([&] { managed->deleter(managed); });  // the producer may be written in Python
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
  Array a = ops::import_tensor(managed, current_device(), function, &release_imported<Managed>);
  taken.keep();
  return wrap(std::move(a));
}

/// The stream on which we will use the producer's memory, for the producer to wait on; None for host memory.
nb::object stream_for(PyObject* producer, const char* function) {
  const nb::object where = attribute(producer, "__dlpack_device__");
  if (!where.is_valid()) return nb::none();
  const Dims d = to_dims(where().ptr(), function);
  if (d.size() != 2 || d[0] != kDlCuda) return nb::none();
  Backend& backend = ops::dl_backend({kDlCuda, static_cast<std::int32_t>(d[1])}, current_device(), function);
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
  const bool elsewhere =
      !device.is_none() && !same_device(contents(shared.ptr()).array().backend(), default_backend());
  if (elsewhere && !copy.is_none() && !to_flag(copy.ptr()))
    throw ValueError("cuprum.from_dlpack: the tensor is on another device; write copy=None to allow a copy");
  if (!elsewhere && (copy.is_none() || !to_flag(copy.ptr()))) return shared;
  const Array& a = contents(shared.ptr()).array();
  if (elsewhere) return wrap(on_backend(a, default_backend()));
  Array copied = record_copy(a, a.type(), 'K');
  evaluate({&copied, 1});
  return wrap(std::move(copied));
}

}  // namespace

nb::object from_dlpack(PyObject* producer, const char* function) {
  nb::object capsule =
      PyCapsule_CheckExact(producer) ? nb::borrow(producer) : request_capsule(producer, function);
  if (nb::object shared = import_capsule<DlVersioned>(capsule.ptr(), function); shared.is_valid())
    return shared;
  if (nb::object shared = import_capsule<DlLegacy>(capsule.ptr(), function); shared.is_valid()) return shared;
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
    const DlDevice d = ops::dl_device(contents(self.ptr()).array().backend());
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
