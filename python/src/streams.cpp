// Streams, events and captures. The classes that users see are in cuprum/cuda/stream.py.
//
// Whatever concerns what a stream was given begins by evaluating what is pending there: the program has written it before.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <atomic>

#include "streams.h"

#include "bindings.h"
#include "casters.h"
#include "errors.h"
#include "gil.h"
#include "host.h"
#include "runtime/capture.h"
#include "runtime/devices.h"
#include "runtime/far.h"
#include "runtime/lock.h"
#include "runtime/trace.h"

namespace cuprum::python {

StreamHandle::~StreamHandle() {
  if (!owned_) return;
  try {
    evaluate_all(stream_);
  } catch (const Error&) {  // told to whoever asks for the arrays
  }
  if (const std::shared_ptr<Capture> capture = capture_of(stream_)) {
    const EngineLock lock;  // which the capture outlives: it may hold functions of Python
    capture->leave(stream_);
  }
  stream_.device.give_stream(stream_);
}

void StreamHandle::synchronize() const {
  break_capture(stream_, "synchronize");
  Stream& stream = up_to_date();
  const tracing::HostSpan waiting(tracing::Kind::wait, "Stream.synchronize");
  BlockingSection others_run;
  stream.synchronize();
}

bool StreamHandle::done() const {
  if (const std::shared_ptr<Capture> capture = capture_of(stream_)) {
    capture->broken = true;  // as in CUDA: an answer, and a broken capture
    return false;
  }
  return up_to_date().done();
}

Stream* stream_given(nb::handle stream, const char* function) {
  if (stream.is_none()) return nullptr;
  const nb::object handle = attribute(stream.ptr(), "_handle");
  if (!handle.is_valid() || !nb::isinstance<StreamHandle>(handle))
    throw TypeError(
        std::string("cuprum.") + function + ": stream is a " + type_name(stream.ptr()) +
        "; write a cuprum.cuda.Stream, or Stream.from_external(stream) for one of another library");
  return &nb::cast<StreamHandle&>(handle).stream();
}

void leave_stream(Stream& stream) {
  evaluate_all(stream);
  if (!capture_of(stream)) stream.leave();
}

namespace {

using Handle = std::unique_ptr<StreamHandle>;

Handle first_stream(const Text& device) {
  return std::make_unique<StreamHandle>(backend_named(device).first_stream());
}

Handle take_stream(const Text& device, bool non_blocking, int priority) {
  Backend& backend = backend_named(device);
  BlockingSection others_run;
  return std::make_unique<StreamHandle>(backend.take_stream({non_blocking, priority}), true);
}

Handle external_stream(const Text& device, std::uintptr_t native) {
  return std::make_unique<StreamHandle>(backend_named(device).external_stream(native));
}

/// From now on this thread's work on the device goes there.
void use_stream(const StreamHandle& handle) {
  Stream& stream = handle.stream();
  Stream& before = current_stream(stream.device);
  set_current_stream(stream.device, &stream == &stream.device.first_stream() ? nullptr : &stream);
  if (&before != &stream && !capture_of(before)) leave_stream(before);
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

const std::string kBegin = "cuprum.cuda.Stream.begin_capture: ";
const std::string kEnd = "cuprum.cuda.Stream.end_capture: ";

void begin_capture(const StreamHandle& handle) {
  Stream& stream = handle.up_to_date();
  const EngineLock lock;
  if (stream.capture) throw DeviceError(kBegin + "the stream is capturing already (cudaErrorIllegalState)");
  if (&stream == &stream.device.first_stream())
    throw DeviceError(kBegin +
                      "the null stream cannot capture; write it within `with cuprum.cuda.Stream():` "
                      "(cudaErrorStreamCaptureUnsupported)");
  std::make_shared<Capture>()->join(stream);
}

template <class F>
auto with_lock(F&& look) {
  const EngineLock lock;
  return look();
}

std::shared_ptr<Capture> end_capture(const StreamHandle& handle) {
  Stream& stream = handle.stream();
  const std::shared_ptr<Capture> capture = capture_of(stream);
  if (!capture)
    throw DeviceError(kEnd +
                      "the stream does not capture; write begin_capture() first (cudaErrorIllegalState)");
  if (!with_lock([&] { return capture->began_on(stream); })) {
    capture->broken = true;
    throw DeviceError(
        kEnd +
        "the capture began on another stream, which this one has joined by an event; end it there "
        "(cudaErrorStreamCaptureUnmatched)");
  }
  struct Ended {  // whatever happens
    Capture& capture;
    Stream& stream;
    ~Ended() {
      const EngineLock lock;
      capture.leave(stream);
    }
  } ended{*capture, stream};
  for (Stream* joined : with_lock([&] { return std::vector(capture->streams()); })) evaluate_all(*joined);
  if (capture->broken)
    throw DeviceError(
        kEnd +
        "the capture was broken by a call that cannot be captured, such as synchronize(); leave the call "
        "out (cudaErrorStreamCaptureInvalidated)");
  return capture;
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
  graph.capture->launch(stream);
}

/// A point in the work of a stream, or in a capture.
struct DeviceEvent {
  Backend& device;
  std::unique_ptr<Event> event;
  bool timing;
  std::atomic<bool> recorded = false;
  std::atomic<bool> captured = false;  // recorded last in a capture:
  std::weak_ptr<Capture> where;        // this one; guarded by the graph's lock

  DeviceEvent(const Text& name, bool block, bool disable_timing, bool interprocess)
      : device(backend_named(name)),
        event(device.make_event({!disable_timing, block, interprocess})),
        timing(!disable_timing) {}

  void record(const StreamHandle& handle) {
    Stream& stream = handle.up_to_date();
    if (&stream.device != &device)
      throw ValueError(std::string("cuprum.cuda.Event.record: the event belongs to ") + device.name() +
                       ", the stream to " + stream.device.name() + "; write the event within `with " +
                       "cuprum.Device('" + stream.device.name() + "'):`");
    const bool kept = with_lock([&] {
      where = stream.capture;
      return captured = stream.capture != nullptr;
    });
    if (!kept) {
      BlockingSection others_run;
      event->record(stream);
    }
    recorded = true;
  }
  void synchronize() {
    check_runs("synchronize");
    const tracing::HostSpan waiting(tracing::Kind::wait, "Event.synchronize");
    BlockingSection others_run;
    event->synchronize();
  }
  bool done() { return !captured && event->done(); }
  /// What is captured is done whenever it is launched: never, or often.
  void check_runs(const char* what) const {
    if (captured)
      throw DeviceError(std::string("cuprum.cuda.Event.") + what +
                        ": the event was recorded in a capture; record it on a stream that does not capture "
                        "(cudaErrorCapturedEvent)");
  }
};

/// A stream that waits for a point in a capture joins it.
void wait_for_capture(Stream& stream, DeviceEvent& event) {
  const std::string prefix = "cuprum.cuda.Stream.wait_event: ";
  std::shared_ptr<Capture> theirs;  // outlives the lock
  const EngineLock lock;
  theirs = event.where.lock();
  if (stream.capture && stream.capture == theirs) return;  // its steps are in the order of the program
  if (stream.capture) {
    stream.capture->broken = true;
    throw DeviceError(
        prefix +
        "the event was not recorded in the capture of the stream; record it on one that has joined it "
        "(cudaErrorStreamCaptureIsolation)");
  }
  if (!theirs || theirs->has_ended())
    throw DeviceError(
        prefix +
        "the event was recorded in a capture that has ended; record it again (cudaErrorCapturedEvent)");
  if (&stream == &stream.device.first_stream() || &stream.device != &event.device) {
    theirs->broken = true;
    throw DeviceError(
        prefix +
        "neither the null stream nor a stream of another device can join a capture; write it within "
        "`with cuprum.cuda.Stream():` (cudaErrorStreamCaptureImplicit)");
  }
  theirs->join(stream);
}

void wait_event(const StreamHandle& handle, DeviceEvent& event) {
  Stream& stream = handle.up_to_date();
  if (capture_of(stream) || event.captured) return wait_for_capture(stream, event);
  if (!event.event->hold_back(stream)) event.synchronize();
}

double elapsed(DeviceEvent& start, DeviceEvent& stop) {
  const std::string prefix = "cuprum.cuda.get_elapsed_time: ";
  if (&start.device != &stop.device) throw ValueError(prefix + "the events belong to two devices");
  if (!start.recorded || !stop.recorded)
    throw ValueError(prefix + "both events must have been recorded; write event.record()");
  if (!start.timing || !stop.timing)
    throw ValueError(prefix + "an event was made with disable_timing=True; leave it out");
  start.check_runs("record");
  stop.check_runs("record");
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
      .def_prop_ro("non_blocking", [](const StreamHandle& h) { return h.stream().options.non_blocking; })
      .def_prop_ro("captures", [](const StreamHandle& h) { return capture_of(h.stream()) != nullptr; })
      .def_prop_ro("done", &StreamHandle::done)
      .def("synchronize", &StreamHandle::synchronize)
      .def("evaluate", [](const StreamHandle& h) { h.up_to_date(); })
      .def("use", &use_stream)
      .def("wait_event", &wait_event)
      .def("launch_host", &launch_callback)
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
  m.def("set_far_memory", [](int which, std::size_t bytes, std::int64_t fails_at) {
    set_far_memory(which, {bytes, fails_at});
  });
  m.def("plant_missing_order", &plant_missing_order);
}

}  // namespace cuprum::python
