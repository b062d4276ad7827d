#include "subclass.h"

#include "errors.h"
#include "numpy_interop.h"

namespace cuprum::python {

namespace {

PyObject* finalize_name = nullptr;
PyObject* wrap_name = nullptr;
PyObject* ufunc_name = nullptr;
PyObject* function_name = nullptr;
PyObject* priority_name = nullptr;

/// Has a class another value of this attribute than ndarray itself? Its value, borrowed; nullptr: no.
PyObject* own(PyTypeObject* type, PyObject* name) {
  PyObject* theirs = _PyType_Lookup(type, name);
  return theirs == _PyType_Lookup(ndarray_type, name) ? nullptr : theirs;
}

template <class F>
PyObject* for_each_array(PyObject* result, F&& f) {
  nb::object owned = nb::steal(result);
  if (is_plain(result)) return f(owned, 0);
  if (!PyTuple_CheckExact(result) && !PyList_CheckExact(result)) return owned.release().ptr();
  const Py_ssize_t n = PySequence_Size(result);
  nb::list items;
  for (Py_ssize_t i = 0; i < n; ++i) {
    nb::object item = checked(PySequence_GetItem(result, i));
    items.append(is_plain(item.ptr()) ? nb::steal(f(item, static_cast<int>(i))) : item);
  }
  if (PyList_CheckExact(result)) return items.release().ptr();
  return checked(PyList_AsTuple(items.ptr())).release().ptr();
}

PyObject* retyped(const nb::object& plain, PyObject* like) {
  const PyNdarray::State& s = contents(plain.ptr()).now();
  Array array = s.array;
  array.set_value(false);
  return wrap_like_raw(std::move(array), like, s.base);
}

double priority_of(PyObject* o) {
  const nb::object p = checked(PyObject_GetAttr(o, priority_name));
  const double priority = PyFloat_AsDouble(p.ptr());
  if (priority == -1.0 && PyErr_Occurred()) throw_python_error();
  return priority;
}

/// ndarray.__array_wrap__: the array as one of the class of `self`.
nb::object array_wrap(nb::handle self, nb::handle array, nb::handle, nb::handle) {
  if (!is_ndarray(array.ptr()))
    throw TypeError("cuprum.ndarray.__array_wrap__: can only be called with a cuprum array, given a " +
                    type_name(array.ptr()));
  if (Py_TYPE(self.ptr()) == Py_TYPE(array.ptr())) return nb::borrow(array);
  return nb::steal(retyped(nb::borrow(array), self.ptr()));
}

}  // namespace

void finalize(PyObject* obj, PyObject* like) {
  PyObject* of_class = own(Py_TYPE(obj), finalize_name);
  if (!of_class || of_class == Py_None) return;
  checked(PyObject_GetAttr(obj, finalize_name))(nb::handle(like));
}

PyObject* wrap_like_raw(Array&& array, PyObject* like, PyObject* base) {
  nb::object o = nb::steal(make_object(Py_TYPE(like), std::move(array), base));
  if (!is_plain(like)) finalize(o.ptr(), like);
  return o.release().ptr();
}

void ClassChoice::consider_subclass(PyObject* o) {
  const double priority = priority_of(o);
  if (like_ && priority <= priority_) return;
  like_ = o;
  priority_ = priority;
}

PyObject* with_class_of(PyObject* result, PyObject* like) {
  return for_each_array(result, [&](const nb::object& plain, int) { return retyped(plain, like); });
}

PyObject* wrapped_by(PyObject* result, PyObject* like, PyObject* ufunc, PyObject* const* args, Py_ssize_t n) {
  if (!own(Py_TYPE(like), wrap_name)) return with_class_of(result, like);
  nb::object given = nb::steal(PyTuple_New(n));
  for (Py_ssize_t i = 0; i < n; ++i) PyTuple_SET_ITEM(given.ptr(), i, Py_NewRef(args[i]));
  nb::object method = checked(PyObject_GetAttr(like, wrap_name));
  return for_each_array(result, [&](const nb::object& plain, int position) {
    const bool scalar = contents(plain.ptr()).array().is_value();
    return method(plain, nb::make_tuple(nb::handle(ufunc), given, position), scalar).release().ptr();
  });
}

Say say_in_ufuncs(PyObject* o) {
  if (is_ordinary(o)) return Say::none;
  PyObject* of_class = own(Py_TYPE(o), ufunc_name);
  if (!of_class || of_class == numpy_array_ufunc() || is_numpy_scalar(o)) return Say::none;
  return of_class == Py_None ? Say::refuses : Say::answers;
}

bool outranks_arrays(PyObject* o) {
  if (is_ordinary(o) || PyList_CheckExact(o) || PyTuple_CheckExact(o) || is_numpy_scalar(o)) return false;
  PyTypeObject* type = Py_TYPE(o);
  if (_PyType_Lookup(type, ufunc_name) || !_PyType_Lookup(type, priority_name)) return false;
  return priority_of(o) > priority_of(reinterpret_cast<PyObject*>(ndarray_type));
}

bool is_ordinary(PyObject* o) {
  return is_plain(o) || PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) || o == Py_None ||
         is_numpy_number(o);
}

PyObject* try_override(PyObject* ufunc, const char* method, PyObject* const* args, Py_ssize_t n,
                       PyObject* keyword_names) {
  const Py_ssize_t named = keyword_names ? PyTuple_GET_SIZE(keyword_names) : 0;
  bool found = false;
  for (Py_ssize_t i = 0; i < n + named && !found; ++i) {
    PyObject* o = args[i];
    if (is_ordinary(o)) continue;
    found = say_in_ufuncs(o) != Say::none;
    // The outputs of a ufunc with several come as a tuple.
    for (Py_ssize_t j = 0; PyTuple_CheckExact(o) && j < PyTuple_GET_SIZE(o) && !found; ++j)
      found = say_in_ufuncs(PyTuple_GET_ITEM(o, j)) != Say::none;
  }
  if (!found) return nullptr;
  nb::list positional;
  nb::dict keywords;
  for (Py_ssize_t i = 0; i < n; ++i) positional.append(nb::handle(args[i]));
  for (Py_ssize_t i = 0; i < named; ++i)
    keywords[PyTuple_GET_ITEM(keyword_names, i)] = nb::handle(args[n + i]);
  nb::object call = nb::module_::import_("cuprum._dispatch").attr("call_override");
  return call(nb::handle(ufunc), method, positional, keywords).release().ptr();
}

nb::object ufunc_named(const char* name) { return nb::module_::import_("cuprum").attr(name); }

bool answers_functions(PyObject* o) {
  PyObject* of_class = _PyType_Lookup(Py_TYPE(o), function_name);
  return of_class && !is_ndarray(o) && of_class != numpy_array_function();
}

void bind_subclass(nb::class_<PyNdarray>& c) {
  finalize_name = PyUnicode_InternFromString("__array_finalize__");
  wrap_name = PyUnicode_InternFromString("__array_wrap__");
  ufunc_name = PyUnicode_InternFromString("__array_ufunc__");
  function_name = PyUnicode_InternFromString("__array_function__");
  priority_name = PyUnicode_InternFromString("__array_priority__");
  c.def(
      "__array_finalize__", [](nb::handle, nb::handle) {}, nb::arg("obj").none(),
      "Called on every new object of a class derived from ndarray, with what it was made from.");
  c.def("__array_wrap__", &array_wrap, nb::arg("array"), nb::arg("context") = nb::none(),
        nb::arg("return_scalar") = false, "An array as one of this array's class.");
}

}  // namespace cuprum::python
