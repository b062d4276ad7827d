// Streams, events and captures. The classes that users see are in cuprum/cuda/stream.py.
//
// Whatever concerns what a stream was given begins by evaluating what is pending there: the program has written it before.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "bindings.h"
#include "casters.h"
#include "errors.h"
#include "expr/engine.h"
#include "gil.h"
#include "runtime/capture.h"
#include "runtime/devices.h"
#include "runtime/far.h"
#include "runtime/lock.h"

namespace cuprum::python {

namespace {

/// A stream, and whether it goes back to its device with this object.
class StreamHandle {
 public:
  explicit StreamHandle(Stream& stream, bool owned = false) : stream_(stream), owned_(owned) {}
  ~StreamHandle() {
    if (!owned_) return;
    try {
      evaluate_all(stream_);
    } catch (const Error&) {  // told to whoever asks for the arrays
    }
    stream_.device.give_stream(stream_);
  }
  StreamHandle(const StreamHandle&) = delete;
  StreamHandle& operator=(const StreamHandle&) = delete;

  Stream& stream() const { return stream_; }
  /// With what is pending there handed over.
  Stream& up_to_date() const {
    evaluate_all(stream_);
    return stream_;
  }
  void synchronize() const {
    refuse_capture(stream_, "synchronize()");
    Stream& stream = up_to_date();
    BlockingSection others_run;
    stream.synchronize();
  }
  bool done() const {
    refuse_capture(stream_, "done");
    return up_to_date().done();
  }

 private:
  Stream& stream_;
  const bool owned_;
};

using Handle = std::unique_ptr<StreamHandle>;

Handle first_stream(const Text& device) {
  return std::make_unique<StreamHandle>(backend_named(device).first_stream());
}

Handle take_stream(const Text& device, bool non_blocking, int priority) {
  return std::make_unique<StreamHandle>(backend_named(device).take_stream({non_blocking, priority}), true);
}

Handle external_stream(const Text& device, std::uintptr_t native) {
  return std::make_unique<StreamHandle>(backend_named(device).external_stream(native));
}

/// From now on this thread's work on the device goes there.
void use_stream(const StreamHandle& handle) {
  Stream& stream = handle.stream();
  Stream& before = current_stream(stream.device);
  set_current_stream(stream.device, &stream == &stream.device.first_stream() ? nullptr : &stream);
  if (&before == &stream || before.capture) return;
  evaluate_all(before);  // its work need not wait for whoever asks first
  before.leave();
}

/// The callback runs on a thread of the device; what it throws is told as Python does where nobody can catch it.
void launch_host(const StreamHandle& handle, nb::object callback) {
  refuse_capture(handle.stream(), "a function of the host");
  Stream& stream = handle.up_to_date();
  PyObject* function = callback.release().ptr();
  const auto call = [function] {
    with_gil([&] {
      PyObject* result = PyObject_CallNoArgs(function);
      if (!result) PyErr_WriteUnraisable(function);
      Py_XDECREF(result);
      Py_DECREF(function);
    });
  };
  BlockingSection others_run;
  stream.launch_host(call);
}

void begin_capture(const StreamHandle& handle) {
  Stream& stream = handle.stream();
  if (stream.capture) throw Error("cuprum.cuda.Stream.begin_capture: the stream captures already");
  if (&stream == &stream.device.first_stream())
    throw Error(
        "cuprum.cuda.Stream.begin_capture: the null stream cannot capture; write it within `with "
        "cuprum.cuda.Stream():`");
  evaluate_all(stream);
  const EngineLock lock;
  stream.capture = std::make_shared<Capture>();
}

std::shared_ptr<Capture> end_capture(const StreamHandle& handle) {
  Stream& stream = handle.stream();
  if (!stream.capture)
    throw Error("cuprum.cuda.Stream.end_capture: the stream does not capture; write begin_capture() first");
  evaluate_all(stream);
  const EngineLock lock;
  return std::exchange(stream.capture, nullptr);
}

struct Graph {
  std::shared_ptr<Capture> capture;
  Backend& device;
};

Graph make_graph(const StreamHandle& handle) { return {end_capture(handle), handle.stream().device}; }

void launch(const Graph& graph, const StreamHandle& handle) {
  Stream& stream = handle.up_to_date();
  if (&stream.device != &graph.device)
    throw ValueError(std::string("cuprum.cuda.Graph.launch: the stream is on ") + stream.device.name() +
                     ", the graph on " + graph.device.name());
  refuse_capture(stream, "launch()");
  graph.capture->launch(stream);
}

/// A point in the work of a stream.
struct DeviceEvent {
  Backend& device;
  std::unique_ptr<Event> event;
  bool timing;
  bool recorded = false;

  DeviceEvent(const Text& name, bool block, bool disable_timing, bool interprocess)
      : device(backend_named(name)),
        event(device.make_event({!disable_timing, block, interprocess})),
        timing(!disable_timing) {}

  void record(const StreamHandle& handle) {
    refuse_capture(handle.stream(), "an event");
    Stream& stream = handle.up_to_date();
    if (&stream.device != &device)
      throw ValueError(std::string("cuprum.cuda.Event.record: the event belongs to ") + device.name() +
                       ", the stream to " + stream.device.name() + "; write the event within `with " +
                       "cuprum.Device('" + stream.device.name() + "'):`");
    event->record(stream);
    recorded = true;
  }
  void synchronize() {
    BlockingSection others_run;
    event->synchronize();
  }
  bool done() { return event->done(); }
};

void wait_event(const StreamHandle& handle, DeviceEvent& event) {
  refuse_capture(handle.stream(), "wait_event()");
  Stream& stream = handle.up_to_date();
  if (!event.event->hold_back(stream)) event.synchronize();
}

double elapsed(DeviceEvent& start, DeviceEvent& stop) {
  const std::string prefix = "cuprum.cuda.get_elapsed_time: ";
  if (&start.device != &stop.device) throw ValueError(prefix + "the events belong to two devices");
  if (!start.recorded || !stop.recorded)
    throw ValueError(prefix + "both events must have been recorded; write event.record()");
  if (!start.timing || !stop.timing)
    throw ValueError(prefix + "an event was made with disable_timing=True; leave it out");
  BlockingSection others_run;
  return start.device.elapsed(*start.event, *stop.event);
}

}  // namespace

void bind_streams(nb::module_& m) {
  nb::class_<StreamHandle>(m, "Stream")
      .def_prop_ro("ptr", [](const StreamHandle& h) { return h.stream().native(); })
      .def_prop_ro("number", [](const StreamHandle& h) { return h.stream().index; })
      .def_prop_ro("device_name", [](const StreamHandle& h) { return h.stream().device.name(); })
      .def_prop_ro("priority", [](const StreamHandle& h) { return h.stream().options.priority; })
      .def_prop_ro("captures", [](const StreamHandle& h) { return h.stream().capture != nullptr; })
      .def_prop_ro("done", &StreamHandle::done)
      .def("synchronize", &StreamHandle::synchronize)
      .def("evaluate", [](const StreamHandle& h) { h.up_to_date(); })
      .def("use", &use_stream)
      .def("wait_event", &wait_event)
      .def("launch_host", &launch_host)
      .def("begin_capture", &begin_capture)
      .def("end_capture", &make_graph);
  m.def("first_stream", &first_stream);
  m.def("take_stream", &take_stream);
  m.def("external_stream", &external_stream);
  m.def("current_native_stream",
        [](const Text& device) { return uncaptured_stream(backend_named(device)).native(); });
  m.def("stream_priorities", [](const Text& device) { return backend_named(device).priorities(); });
  nb::class_<Graph>(m, "Graph").def("launch", &launch);
  nb::class_<DeviceEvent>(m, "DeviceEvent")
      .def(nb::init<const Text&, bool, bool, bool>())
      .def("record", &DeviceEvent::record)
      .def("synchronize", &DeviceEvent::synchronize)
      .def_prop_ro("ptr", [](const DeviceEvent& e) { return e.event->native(); })
      .def_prop_ro("done", &DeviceEvent::done);
  m.def("elapsed", &elapsed);
  m.def("far_seed", &far_seed);
  m.def("set_far_delays", [](float probability, int microseconds) {
    set_far_delays({probability, microseconds});
  });
  m.def("plant_missing_order", &plant_missing_order);
}

}  // namespace cuprum::python
