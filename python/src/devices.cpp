// Devices: which there are, which one new arrays live on, and waiting for them.
#include "devices.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.h"
#include "casters.h"
#include "containers.h"
#include "errors.h"
#include "expr/engine.h"
#include "host.h"
#include "runtime/lock.h"
#include "runtime/trace.h"
#include "streams.h"

namespace cuprum::python {

namespace {

nb::list reports() {
  nb::list list;
  for (const DeviceReport& r : device_reports())
    list.append(nb::make_tuple(r.name, r.description, r.problem));
  return list;
}

nb::dict info_of(const Text& name) {
  Backend& backend = backend_named(name).known_as();
  const DeviceInfo info = backend.info();
  nb::dict d;
  d["name"] = backend.name();
  d["description"] = info.description;
  d["compute_capability"] = info.compute_capability;
  d["multiprocessors"] = info.multiprocessors;
  d["memory"] = nb::make_tuple(info.free_bytes, info.memory_bytes);
  d["asynchronous"] = backend.asynchronous;
  d["host_accessible"] = backend.host_accessible();
  return d;
}

/// The thread's device from now on, None for the process's; returns what was set before.
nb::object enter(nb::handle name) {
  Backend* backend = name.is_none() ? nullptr : &backend_to_enter(to_utf8(name.ptr()));
  Backend* before = set_thread_backend(backend);
  return before ? nb::cast(entry_name(*before)) : nb::none();
}

void synchronize(const Text& name) {
  Backend& backend = backend_named(name);
  evaluate_all(backend);
  const tracing::HostSpan waiting(tracing::Kind::wait, "Device.synchronize");
  BlockingSection others_run;
  backend.synchronize();
}

/// Waits for what the device has been given; what is pending stays so. An index that it found out of bounds is raised here.
void wait(const Text& name) {
  Backend& backend = backend_named(name);
  BlockingSection others_run;
  backend.synchronize();
}

nb::object to_device(nb::handle self, const Text& name, nb::handle stream) {
  const Array& a = unwrap(self.ptr(), "ndarray.to_device", 0);
  Backend& to = backend_to_enter(name);
  Stream* given = stream_given(stream, "ndarray.to_device");
  if (same_device(a.backend(), to)) return nb::borrow(self);
  return wrap(on_stream(given, [&] { return on_backend(a, to); }));
}

nb::dict attributes(const Text& name) {
  nb::dict d;
  for (const auto& [attribute, value] : backend_named(name).attributes()) d[attribute.c_str()] = value;
  return d;
}

}  // namespace

OnDevice::OnDevice(nb::handle device, const char* function) {
  if (!device.is_valid() || device.is_none()) return;
  try {
    enter(backend_to_enter(to_utf8(nb::str(device).ptr())));
  } catch (const ValueError& e) {
    throw ValueError(std::string("cuprum.") + function + ": " + (e.what() + std::strlen("cuprum: ")));
  }
}

namespace {

bool may_hold_arrays(PyObject* o) {
  return PyList_CheckExact(o) || PyTuple_CheckExact(o) || PySlice_Check(o);
}

/// What is deeper than an array can be holds no array, nor does a list that contains itself: `too_deep` ends the search.
Backend* device_within(PyObject* o, int depth, bool& too_deep) {
  if (const Array* a = try_unwrap(o)) return &a->backend();
  if (PySlice_Check(o)) {  // r_[a:b]
    const auto* slice = reinterpret_cast<PySliceObject*>(o);
    for (PyObject* bound : {slice->start, slice->stop, slice->step}) {
      if (const Array* a = try_unwrap(bound)) return &a->backend();
    }
  }
  if (!PyList_CheckExact(o) && !PyTuple_CheckExact(o)) return nullptr;
  too_deep = too_deep || depth > kMaxDims;
  const Items items(o);
  for (Py_ssize_t i = 0; i < items.size() && !too_deep; ++i) {
    PyObject* item = items[i];
    if (PyFloat_CheckExact(item) || PyLong_CheckExact(item)) continue;
    if (Backend* device = device_within(item, depth + 1, too_deep)) return device;
  }
  return nullptr;
}

}  // namespace

Backend* device_within(PyObject* o) {
  bool too_deep = false;
  return device_within(o, 0, too_deep);
}

CallDevice device_of_call(PyObject* const* args, Py_ssize_t n, ClassChoice* choice) {
  CallDevice found;
  for (Py_ssize_t i = 0; i < n; ++i) {
    const Array* a = args[i] && args[i] != Py_None ? try_unwrap(args[i]) : nullptr;
    if (!a) continue;
    if (choice) choice->consider(args[i]);
    if (!found.device) {
      found.device = &a->backend();
    } else if (&a->backend() != found.device) {
      if (!same_device(a->backend(), *found.device))
        found.other = found.other < 0 ? i : found.other;
      else
        found.device = &found.device->known_as();  // where they will meet
    }
  }
  for (Py_ssize_t i = 0; i < n && !found.device; ++i) {
    if (args[i] && may_hold_arrays(args[i])) found.device = device_within(args[i]);
  }
  return found;
}

void throw_other_device(const std::string& function, const std::string& argument, const Backend& there,
                        const Backend& here) {
  throw TypeError("cuprum." + function + ": " + argument + " is on " + there.name() + ", the others are on " +
                  here.name() + "; write x.to_device('" + here.name() + "') to copy it to " + here.name());
}

void bind_devices(nb::module_& m, NdarrayClass& c) {
  m.def("device_reports", &reports);
  m.def("device_info", &info_of);
  m.def("device_called", [](const std::string& text) { return device_called(text); });
  m.def("device_name", [] { return default_backend().name(); });
  m.def("enter_device", &enter, nb::arg("name").none());
  m.def("synchronize", &synchronize);
  m.def("wait", &wait);
  m.def("cuda_notes", &cuda_notes);
  m.def("cuda_device_count", &cuda_device_count);
  m.def("cuda_problem", &cuda_problem);
  m.def("set_package_folders", &set_package_folders);
  m.def("set_auto_limit", &set_host_side_limit);  // for tests; returns what was set before
  m.def("is_on_host_side",
        [](nb::handle a) { return unwrap(a.ptr(), "is_on_host_side", 1).backend().accelerator != nullptr; });
  m.def("finish_compiling", [] {
    BlockingSection others_run;
    finish_compiling();
  });
  m.def("stop_devices", [] {
    BlockingSection others_run;
    stop_devices();
  });
  m.def("to_device", &to_device, nb::arg("a"), nb::arg("name"), nb::arg("stream").none());
  m.def("device_attributes", &attributes);
  m.def("device_accesses", [](const Text& here, const Text& there) {
    return backend_named(here).accesses(backend_named(there));
  });
  m.def("device_holds", [](const Text& name, std::uintptr_t address) {
    return backend_named(name).can_use(reinterpret_cast<const std::byte*>(address), 1);
  });
  m.def("cuda_pci_bus_id", &cuda_pci_bus_id);
  m.def("cuda_versions", &cuda_versions);
  c.def_prop_ro("_device_name",
                [](nb::handle self) { return contents(self.ptr()).array().backend().name(); });
}

}  // namespace cuprum::python
