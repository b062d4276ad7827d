// Arrays of other libraries on the device: `__cuda_array_interface__` (version 3 of the protocol, and those before), and
// `__cupy_get_ndarray__`, by which an object gives the array that stands for it.
//
// The address in the interface is one of the current device. On the CPU that is memory that the host can read: CUDA's
// managed and page-locked memory, or that of another array on the CPU.
#include "bindings.h"
#include "containers.h"
#include "errors.h"
#include "memory.h"

namespace cuprum::python {

namespace {

nb::object entry(nb::handle dict, const char* key) {
  nb::object value = entry_of(dict.ptr(), key);
  return value.is_valid() ? value : nb::none();
}

[[noreturn]] void throw_bad_interface(const char* function, const char* why) {
  throw ValueError(std::string("cuprum.") + function + ": __cuda_array_interface__ " + why);
}

/// What its producer has still to do on a stream comes before what we will do.
void take_over(nb::handle interface, Backend& backend, const char* function) {
  const nb::object version = entry(interface, "version"), stream = entry(interface, "stream");
  if (version.is_none() || to_int(version.ptr(), function, "version") < 3 || stream.is_none()) return;
  const std::int64_t native = to_int(stream.ptr(), function, "stream");
  if (native <= 0)
    throw_bad_interface(function, "has a stream below 1; the default stream is 1, that of a thread 2");
  uncaptured_stream(backend).wait_for_native(static_cast<std::uintptr_t>(native));
}

nb::object from_interface(PyObject* o, nb::handle interface, const char* function) {
  if (!entry(interface, "mask").is_none())
    throw_bad_interface(function, "has a mask; Cuprum does not support masked arrays");
  const nb::object data = entry(interface, "data"), type_text = entry(interface, "typestr"),
                   extents = entry(interface, "shape"), steps = entry(interface, "strides");
  if (!PyTuple_Check(data.ptr()) || PyTuple_GET_SIZE(data.ptr()) != 2 || type_text.is_none() ||
      extents.is_none())
    throw_bad_interface(function, "lacks data (address, read-only), shape or typestr");
  const dtype type = to_dtype(type_text.ptr(), function);
  const Dims shape = to_shape(extents.ptr(), function);
  const Dims strides = steps.is_none() ? contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type)))
                                       : to_dims(steps.ptr(), function);
  if (strides.size() != shape.size())
    throw_bad_interface(function, "has strides of another length than shape");
  const nb::object address = data[0];
  auto* first =
      reinterpret_cast<std::byte*>(address.is_none() ? 0 : to_address(address.ptr(), function, "data"));
  Backend& backend = current_device();
  take_over(interface, backend, function);
  return wrap(
      borrow_memory(backend, first, type, shape, strides, !to_flag(nb::object(data[1]).ptr()), o, function));
}

}  // namespace

nb::object device_array(PyObject* o, const char* function) {
  if (PyType_Check(o) || PyUnicode_Check(o) || PyBytes_Check(o)) return {};
  if (const nb::object give = attribute(o, "__cupy_get_ndarray__"); give.is_valid()) {
    nb::object given = give();
    if (!is_ndarray(given.ptr()))
      throw TypeError(std::string("cuprum.") + function + ": __cupy_get_ndarray__ gave a " +
                      type_name(given.ptr()) + ", not a cuprum.ndarray");
    return given;
  }
  const nb::object interface = attribute(o, "__cuda_array_interface__");
  if (!interface.is_valid() || !PyDict_Check(interface.ptr())) return {};
  return from_interface(o, interface, function);
}

bool is_device_array(PyObject* o) {
  if (PyType_Check(o) || PyUnicode_Check(o) || PyBytes_Check(o)) return false;
  if (attribute(o, "__cupy_get_ndarray__").is_valid()) return true;
  const nb::object interface = attribute(o, "__cuda_array_interface__");
  return interface.is_valid() && PyDict_Check(interface.ptr());
}

}  // namespace cuprum::python
