// Where the program is, for errors while debugging (CUPRUM_DEBUG=1): the innermost line of Python outside this package.
#include "bindings.h"
#include "containers.h"
#include "runtime/debug.h"

namespace cuprum::python {

namespace {

nb::object globals_of(PyFrameObject* frame) {
#if PY_VERSION_HEX >= 0x030b0000
  return nb::steal(PyFrame_GetGlobals(frame));
#else
  return nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(frame), "f_globals"));
#endif
}

/// Is it a function of this package, or of NumPy on its way into it?
bool is_inner(PyFrameObject* frame) {
  const nb::object globals = globals_of(frame);
  const nb::object name =
      globals.is_valid() && PyDict_Check(globals.ptr()) ? entry_of(globals.ptr(), "__name__") : nb::object();
  const char* text = name.is_valid() && PyUnicode_Check(name.ptr()) ? PyUnicode_AsUTF8(name.ptr()) : nullptr;
  if (!text) return false;
  const std::string package = std::string(text) + ".";
  return package.starts_with("cuprum.") || package.starts_with("numpy.");
}

std::string describe(PyFrameObject* frame) {
  const nb::object code = nb::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  const nb::object file = nb::steal(PyObject_GetAttrString(code.ptr(), "co_filename"));
  const char* text = file.is_valid() ? PyUnicode_AsUTF8(file.ptr()) : nullptr;
  return text ? std::string(text) + ":" + std::to_string(PyFrame_GetLineNumber(frame)) : std::string();
}

std::string current() {
  if (!Py_IsInitialized() || !PyGILState_Check()) return {};
  PyObject *type, *value, *traceback;  // an error that is being raised stays as it is
  PyErr_Fetch(&type, &value, &traceback);
  PyFrameObject* frame = PyThreadState_GetFrame(PyThreadState_Get());
  while (frame && is_inner(frame)) {
    PyFrameObject* back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    frame = back;
  }
  const std::string place = frame ? describe(frame) : std::string();
  Py_XDECREF(frame);
  PyErr_Clear();
  PyErr_Restore(type, value, traceback);
  return place;
}

}  // namespace

void bind_places(nb::module_& m) {
  set_place_hook(&current);
  m.def("set_debug", &set_debugging, nb::arg("on"));
  m.def("get_debug", &debugging);
}

}  // namespace cuprum::python
