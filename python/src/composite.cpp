// Functions that are written in Python, entered as those of C++ are (function.cpp): the device of their arrays is the
// current one while they run, so that what they make on their way is where their arrays are, and arrays of two devices are
// an error with their name.
//
// `_core.composite(f)` is an object that stands for the function `f`: it has all its attributes, binds as a method does, and
// pickles by its name. A wrapper in Python would cost 150 ns a call instead of 40, and a frame between the
// warnings of `f` and the line that they are about.
#include "bindings.h"

#include <structmember.h>

#include "errors.h"

namespace cuprum::python {

namespace {

struct PyComposite {
  PyObject_HEAD vectorcallfunc vectorcall;
  PyObject* function;
};

PyObject* function_of(PyObject* self) { return reinterpret_cast<PyComposite*>(self)->function; }

/// "percentile", "emath.sqrt", "poly1d.__call__": as a user finds it.
std::string name_of(PyObject* self) {
  const nb::handle function = function_of(self);
  const std::string module = to_utf8(nb::object(function.attr("__module__")).ptr());
  const std::string name = to_utf8(nb::object(function.attr("__qualname__")).ptr());
  constexpr std::string_view kPackage = "cuprum.";
  const bool is_public = module.starts_with(kPackage) && module.find("._") == std::string::npos;
  return is_public ? module.substr(kPackage.size()) + "." + name : name;
}

PyObject* behind_name = nullptr;

/// Where the array is that an object is about, `x._array_behind`: a poly1d's coefficients, what a flatiter walks over.
Backend* device_behind(PyObject* o) {
  if (is_ordinary(o) || PyUnicode_CheckExact(o) || PyType_Check(o)) return nullptr;
  if (!_PyType_Lookup(Py_TYPE(o), behind_name)) return nullptr;
  const nb::object array = nb::steal(PyObject_GetAttr(o, behind_name));
  if (!array.is_valid()) PyErr_Clear();  // one whose __init__ has not been called
  return array.is_valid() && is_ndarray(array.ptr()) ? &contents(array.ptr()).array().backend() : nullptr;
}

PyObject* call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) noexcept {
  return guarded([&] {
    const Py_ssize_t n = PyVectorcall_NARGS(nargsf), all = n + (names ? PyTuple_GET_SIZE(names) : 0);
    Backend* device = device_of_vectorcall([&] { return name_of(self); }, args, n, names);
    for (Py_ssize_t i = 0; i < all && !device; ++i) device = device_behind(args[i]);
    const OnDevice there(device);
    return PyObject_Vectorcall(function_of(self), args, nargsf, names);
  });
}

PyObject* make(PyTypeObject* type, PyObject* args, PyObject* keywords) noexcept {
  PyObject* function;
  if (keywords || !PyArg_ParseTuple(args, "O!:composite", &PyFunction_Type, &function)) return nullptr;
  auto* made = reinterpret_cast<PyComposite*>(type->tp_alloc(type, 0));
  if (!made) return nullptr;
  made->vectorcall = &call;
  made->function = Py_NewRef(function);
  return reinterpret_cast<PyObject*>(made);
}

/// What the object has not itself the function has: its name, its text, what a decorator noted on it.
PyObject* get_attribute(PyObject* self, PyObject* name) noexcept {
  bool is_own = _PyType_Lookup(Py_TYPE(self), name) != nullptr;
  is_own = is_own && PyUnicode_CompareWithASCIIString(name, "__module__") != 0;  // the class's
  return is_own ? PyObject_GenericGetAttr(self, name) : PyObject_GetAttr(function_of(self), name);
}

/// Made when it is asked for (python/cuprum/_reference); `help` does so by object.__getattribute__.
PyObject* get_doc(PyObject* self, void*) noexcept {
  return guarded([&] {
    const nb::object described = nb::module_::import_("cuprum._reference").attr("described");
    return described(nb::handle(function_of(self))).release().ptr();
  });
}

PyObject* bind(PyObject* self, PyObject* instance, PyObject*) noexcept {
  return instance && instance != Py_None ? PyMethod_New(self, instance) : Py_NewRef(self);
}

PyObject* repr(PyObject* self) noexcept { return PyObject_Repr(function_of(self)); }

/// By its name in its module, as functions are pickled.
PyObject* reduce(PyObject* self, PyObject*) noexcept {
  return PyObject_GetAttrString(function_of(self), "__qualname__");
}

/// There is no tp_clear: a cycle goes through the function, which can be cleared, and this is never without one.
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(function_of(self));
  Py_VISIT(Py_TYPE(self));
  return 0;
}

void dealloc(PyObject* self) noexcept {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  Py_DECREF(function_of(self));
  type->tp_free(self);
  Py_DECREF(type);
}

}  // namespace

void bind_composites(nb::module_& m) {
  behind_name = PyUnicode_InternFromString("_array_behind");
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(PyComposite, vectorcall), READONLY, nullptr},
      {"__wrapped__", T_OBJECT, offsetof(PyComposite, function), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr},
  };
  static PyGetSetDef attributes[] = {
      {"__doc__", &get_doc, nullptr, nullptr, nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr},
  };
  static PyMethodDef methods[] = {
      {"__reduce__", &reduce, METH_NOARGS, nullptr},
      {nullptr, nullptr, 0, nullptr},
  };
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void*>(&make)},
      {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
      {Py_tp_getattro, reinterpret_cast<void*>(&get_attribute)},
      {Py_tp_descr_get, reinterpret_cast<void*>(&bind)},
      {Py_tp_repr, reinterpret_cast<void*>(&repr)},
      {Py_tp_traverse, reinterpret_cast<void*>(&traverse)},
      {Py_tp_dealloc, reinterpret_cast<void*>(&dealloc)},
      {Py_tp_members, members},
      {Py_tp_getset, attributes},
      {Py_tp_methods, methods},
      {0, nullptr},
  };
  static PyType_Spec spec = {"cuprum.function", sizeof(PyComposite), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC, slots};
  m.attr("composite") = checked(PyType_FromSpec(&spec));
}

}  // namespace cuprum::python
