// Who watches the program (runtime/debug.h): where it is, the innermost line of Python outside this package, and what is recorded of
// it (runtime/trace.h).
#include <nanobind/stl/string.h>
#include <pthread.h>

#include <unordered_map>

#include "bindings.h"
#include "casters.h"
#include "containers.h"
#include "runtime/debug.h"
#include "runtime/devices.h"
#include "runtime/lock.h"
#include "runtime/trace.h"

namespace cuprum::python {

namespace {

nb::object globals_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030b0000
  return nb::steal(PyFrame_GetGlobals(frame));
#else
  return nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_globals"));
#endif
}

/// For threads of this package: the place of who has started them.
thread_local std::string place_of_thread;

/// Is it a function of this package, of NumPy on its way into it, or what starts a thread?
bool is_inner(PyFrameObject* frame) {
  const nb::object globals = globals_of(frame);
  const nb::object name =
      globals.is_valid() && PyDict_Check(globals.ptr()) ? entry_of(globals.ptr(), "__name__") : nb::object();
  const char* text = name.is_valid() && PyUnicode_Check(name.ptr()) ? PyUnicode_AsUTF8(name.ptr()) : nullptr;
  if (!text) return false;
  const std::string package = std::string(text) + ".";
  for (const char* inner : {"cuprum.", "numpy.", "threading.", "concurrent.futures.", "contextlib."}) {
    if (package.starts_with(inner)) return true;
  }
  return false;
}

std::string describe(PyFrameObject* frame) {
  const nb::object code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  const nb::object file = nb::steal(PyObject_GetAttrString(code.ptr(), "co_filename"));
  const char* text = file.is_valid() ? PyUnicode_AsUTF8(file.ptr()) : nullptr;
  return text ? std::string(text) + ":" + std::to_string(PyFrame_GetLineNumber(frame)) : std::string();
}

/// The program's innermost frame (owned; null: it has none), and how many of this package's are inside of it.
PyFrameObject* program_frame(int* inner) {
  PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
  for (*inner = 0; frame && is_inner(frame); ++*inner) {
    PyFrameObject* back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
  return frame;
}

std::string current() {
  if (!Py_IsInitialized() || !PyGILState_Check()) return {};
  PyObject *type, *value, *traceback;  // an error that is being raised stays as it is
  PyErr_Fetch(&type, &value, &traceback);
  int inner = 0;
  PyFrameObject* frame = program_frame(&inner);
  const std::string place = frame ? describe(frame) : place_of_thread;
  Py_XDECREF(frame);
  PyErr_Clear();
  PyErr_Restore(type, value, traceback);
  return place;
}

/// Text that many spans share becomes one object.
class Texts {
 public:
  nb::object of(const std::string& text) {
    nb::object& known = made_[text];
    if (!known.is_valid()) known = nb::str(text.c_str(), text.size());
    return known;
  }
  nb::object of(const char* text) { return text ? of(std::string(text)) : nb::none(); }

 private:
  std::unordered_map<std::string, nb::object> made_;
};

nb::tuple stop_recording(std::int64_t since) {
  tracing::Recording recording;
  {
    BlockingSection others_run;
    recording = tracing::stop(since);
  }
  Texts texts;
  nb::list spans;
  nb::dict streams;  // of those that did something: the device, and whether it is the device's first one
  for (const tracing::Span& span : recording.spans) {
    const tracing::Note& note = span.note;
    if (span.lane >= 0 && !streams.contains(nb::int_(span.lane))) {
      const Stream& stream = Stamp(span.lane, 1).stream();
      streams[nb::int_(span.lane)] =
          nb::make_tuple(stream.device.name(), &stream == &stream.device.first_stream());
    }
    spans.append(nb::make_tuple(tracing::name(note.kind), span.lane, span.begin, span.end,
                                texts.of(note.name), texts.of(note.expression), texts.of(note.places),
                                texts.of(note.place), note.bytes, reinterpret_cast<std::uintptr_t>(note.host),
                                note.pinned, texts.of(note.other)));
  }
  nb::list threads;
  for (const auto& thread : recording.threads) threads.append(nb::make_tuple(thread.id, thread.name));
  return nb::make_tuple(spans, streams, threads, recording.lost);
}

void add_range(const std::string& name, std::int64_t begin, std::int64_t end) {
  if (!recording()) return;
  tracing::Note note;
  note.kind = tracing::Kind::range;
  note.name = name;
  note.place = current_place();
  tracing::add(std::move(note), begin, end);
}

}  // namespace

int program_level() {
  int inner = 0;
  Py_XDECREF(program_frame(&inner));
  return inner + 1;
}

void bind_places(nb::module_& m) {
  set_place_hook(&current);
  m.def("set_debug", &set_debugging, nb::arg("on"));
  m.def("get_debug", &debugging);
  m.def("current_place", [] {
    const char* place = current_place();
    return std::string(place ? place : "");
  });
  m.def("set_place_of_thread", [](const std::string& place, const std::string& name) {
    place_of_thread = place;
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
  });
  m.def("start_recording", &tracing::start);
  m.def("stop_recording", &stop_recording);
  m.def("is_recording", &recording);
  m.def("trace_clock", &tracing::now);
  m.def("add_range", &add_range);
  m.def("push_range", [](const std::string& name) { push_range(name.c_str()); });
  m.def("pop_range", &pop_range);
  m.def("watch", [](bool on) {
    BlockingSection others_run;
    watch(on);
  });
  m.def("is_pinned", [](const Text& device, std::uintptr_t address) {
    return backend_named(device).is_pinned(reinterpret_cast<const void*>(address));
  });
}

}  // namespace cuprum::python
