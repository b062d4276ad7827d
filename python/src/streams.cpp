// Streams, events and captures. The classes that users see are in cuprum/cuda/stream.py.
#include "streams.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings.h"
#include "casters.h"
#include "errors.h"
#include "gil.h"
#include "host.h"
#include "runtime/devices.h"
#include "runtime/far.h"

namespace cuprum::python {

Stream* stream_given(nb::handle stream, const char* function) {
  if (stream.is_none()) return nullptr;
  const nb::object handle = attribute(stream.ptr(), "_handle");
  if (!handle.is_valid() || !nb::isinstance<StreamHandle>(handle))
    throw TypeError(
        std::string("cuprum.") + function + ": stream is a " + type_name(stream.ptr()) +
        "; write a cuprum.cuda.Stream, or Stream.from_external(stream) for one of another library");
  return &nb::cast<StreamHandle&>(handle).stream();
}

namespace {

using Handle = std::unique_ptr<StreamHandle>;
using ops::Graph;
using ops::StreamEvent;

Handle first_stream(const Text& device) {
  return std::make_unique<StreamHandle>(backend_named(device).first_stream());
}

Handle take_stream(const Text& device, bool non_blocking, int priority) {
  return ops::take_stream(backend_named(device), non_blocking, priority);
}

Handle external_stream(const Text& device, std::uintptr_t native) {
  return std::make_unique<StreamHandle>(backend_named(device).external_stream(native));
}

/// The callback runs on a thread of the device; what it throws is told as Python does where nobody can catch it.
void launch_callback(const StreamHandle& handle, nb::object callback) {
  Stream& stream = handle.up_to_date();
  // What it holds may be arrays, whose end needs the graph's lock; whoever has that may wait for this very stream.
  const std::shared_ptr<PyObject> function(callback.release().ptr(), &release_python_object_soon);
  launch_host(stream, [function] {
    with_gil([&] {
      PyObject* result = PyObject_CallNoArgs(function.get());
      if (!result) PyErr_WriteUnraisable(function.get());
      Py_XDECREF(result);
    });
  });
}

void make_event(StreamEvent* event, const Text& device, bool block, bool disable_timing, bool interprocess) {
  new (event) StreamEvent(backend_named(device), {!disable_timing, block, interprocess});
}

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<StreamHandle>(m, "Stream")
      .def_prop_ro("ptr", [](const StreamHandle& h) { return h.stream().native(); })
      .def_prop_ro("number", [](const StreamHandle& h) { return h.stream().index; })
      .def_prop_ro("device_name", [](const StreamHandle& h) { return h.stream().device.name(); })
      .def_prop_ro("priority", [](const StreamHandle& h) { return h.stream().options.priority; })
      .def_prop_ro("non_blocking", [](const StreamHandle& h) { return h.stream().options.non_blocking; })
      .def_prop_ro("captures", [](const StreamHandle& h) { return capture_of(h.stream()) != nullptr; })
      .def_prop_ro("done", &StreamHandle::done)
      .def("synchronize", &StreamHandle::synchronize)
      .def("evaluate", [](const StreamHandle& h) { h.up_to_date(); })
      .def("use", &StreamHandle::use)
      .def("wait_event", [](const StreamHandle& h, StreamEvent& event) { event.hold_back(h); })
      .def("launch_host", &launch_callback)
      .def("begin_capture", &StreamHandle::begin_capture)
      .def("end_capture", [](const StreamHandle& h) { return Graph(h); });
  m.def("first_stream", &first_stream);
  m.def("take_stream", &take_stream);
  m.def("external_stream", &external_stream);
  m.def("current_native_stream",
        [](const Text& device) { return uncaptured_stream(backend_named(device)).native(); });
  m.def("stream_priorities", [](const Text& device) { return backend_named(device).priorities(); });
  nb::class_<Graph>(m, "Graph").def("launch", &Graph::launch);
  nb::class_<StreamEvent>(m, "DeviceEvent")
      .def("__init__", &make_event)
      .def("record", &StreamEvent::record)
      .def("synchronize", &StreamEvent::synchronize)
      .def_prop_ro("ptr", &StreamEvent::native)
      .def_prop_ro("done", &StreamEvent::done);
  m.def("elapsed", &StreamEvent::elapsed);
  m.def("far_seed", &far_seed);
  m.def("set_far_delays", [](float probability, int microseconds) {
    set_far_delays({probability, microseconds});
  });
  m.def("set_far_memory", [](int which, std::size_t bytes, std::int64_t fails_at) {
    set_far_memory(which, {bytes, fails_at});
  });
  m.def("plant_missing_order", &plant_missing_order);
}

}  // namespace cuprum::python
