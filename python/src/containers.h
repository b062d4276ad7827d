// Python's own containers, read while other threads may change them.
//
// With the GIL an item may be borrowed from a list until code of Python runs. Without it there is no such moment: the list is
// copied first, which Python does in one piece.
#pragma once

#include "errors.h"

namespace cuprum::python {

/// The items of a list or a tuple. With the GIL the list itself is looked at: its length is asked each time, since code that
/// runs between two items may change it, and an item that is to survive such code must be held.
class Items {
 public:
#ifdef Py_GIL_DISABLED
  explicit Items(PyObject* o) : held_(PyList_Check(o) ? checked(PyList_AsTuple(o)) : nb::borrow(o)) {}
  Py_ssize_t size() const { return PyTuple_GET_SIZE(held_.ptr()); }
  PyObject* operator[](Py_ssize_t i) const { return PyTuple_GET_ITEM(held_.ptr(), i); }
  nb::object whole() const { return held_; }  // for others to read

 private:
  nb::object held_;
#else
  explicit Items(PyObject* o) : list_(o) {}
  Py_ssize_t size() const { return PySequence_Fast_GET_SIZE(list_); }
  PyObject* operator[](Py_ssize_t i) const { return PySequence_Fast_GET_ITEM(list_, i); }
  nb::object whole() const { return nb::borrow(list_); }

 private:
  PyObject* list_;
#endif
};

/// What a dict has under a name; an invalid object: nothing.
inline nb::object entry_of(PyObject* dict, const char* key) {
#if PY_VERSION_HEX >= 0x030d0000
  PyObject* value = nullptr;
  if (PyDict_GetItemStringRef(dict, key, &value) < 0) PyErr_Clear();
  return nb::steal(value);
#else
  return nb::borrow(PyDict_GetItemString(dict, key));
#endif
}

/// While this lives, no other thread is in such a section of the same object. With the GIL that needs no lock: nothing in the
/// section may let it go.
class ObjectSection {
 public:
#ifdef Py_GIL_DISABLED
  explicit ObjectSection(PyObject* o) { PyCriticalSection_Begin(&section_, o); }
  ~ObjectSection() { PyCriticalSection_End(&section_); }

 private:
  PyCriticalSection section_;
#else
  explicit ObjectSection(PyObject*) {}
  ~ObjectSection() {}
#endif
  ObjectSection(const ObjectSection&) = delete;
  ObjectSection& operator=(const ObjectSection&) = delete;
};

}  // namespace cuprum::python
