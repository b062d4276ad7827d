// From 0-d arrays to Python's numbers: float(), int(), bool(), index, format, round. Each of these evaluates.
#include "core/cast.h"
#include "errors.h"
#include "host.h"
#include "slots.h"

namespace cuprum::python {

namespace {

[[noreturn]] void throw_not_scalar() {
  throw TypeError(
      "only 0-dimensional arrays can be converted to Python scalars; write a.item() for an array of one "
      "element");
}

/// The element of a 0-d array as a Python number.
nb::object scalar_of(PyObject* self) {
  const Array& a = contents(self).array();
  if (a.ndim() != 0) throw_not_scalar();
  return element_of(a);
}

PyObject* float_slot(PyObject* self) noexcept {
  return guarded([&] { return checked(PyNumber_Float(scalar_of(self).ptr())).release().ptr(); });
}

PyObject* int_slot(PyObject* self) noexcept {
  return guarded([&] { return checked(PyNumber_Long(scalar_of(self).ptr())).release().ptr(); });
}

PyObject* index_slot(PyObject* self) noexcept {
  return guarded([&] {
    const Array& a = contents(self).array();
    if (a.ndim() != 0 || !is_integer(a.type())) {
      throw TypeError("only integer scalar arrays can be converted to a scalar index");
    }
    return element_of(a).release().ptr();
  });
}

int bool_slot(PyObject* self) noexcept {
  return guarded(-1, [&]() -> int {
    const Array& a = contents(self).array();
    const std::int64_t n = a.size();
    if (a.is_number()) {  // of a comparison more often than not
      const Scalar number = a.number();
      return (is_bool(number.type) ? number : cast_scalar(number, dtype::bool_)).as<bool>();
    }
    if (n == 1) return PyObject_IsTrue(element_of(a).ptr());
    throw ValueError(
        n == 0 ? "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
                 "array is not empty."
               : "The truth value of an array with more than one element is ambiguous. Use a.any() or "
                 "a.all()");
  });
}

nb::object round_method(nb::handle self, nb::handle digits) {
  const Array& a = contents(self.ptr()).array();
  if (a.ndim() != 0)
    throw TypeError("type cuprum.ndarray doesn't define __round__ method; write cp.round(a, decimals)");
  return digits.is_none() ? element_of(a).attr("__round__")() : element_of(a).attr("__round__")(digits);
}

/// __floor__, __ceil__, __trunc__ for math's functions.
auto through_math(const char* name) {
  return [name](nb::handle self) { return nb::module_::import_("math").attr(name)(scalar_of(self.ptr())); };
}

nb::object format_method(nb::handle self, nb::handle spec) {
  const Array& a = contents(self.ptr()).array();
  if (!PyUnicode_Check(spec.ptr()))
    throw TypeError("__format__() argument must be str, not " + type_name(spec.ptr()));
  if (a.ndim() == 0) return checked(PyObject_Format(element_of(a).ptr(), spec.ptr()));
  if (PyUnicode_GetLength(spec.ptr()) == 0) return nb::str(self);
  throw TypeError("unsupported format string passed to cuprum.ndarray.__format__");
}

}  // namespace

void add_scalar_slots(std::vector<PyType_Slot>& s) {
  s.push_back(slot(Py_nb_float, &float_slot));
  s.push_back(slot(Py_nb_int, &int_slot));
  s.push_back(slot(Py_nb_index, &index_slot));
  s.push_back(slot(Py_nb_bool, &bool_slot));
}

void bind_scalars(NdarrayClass& c) {
  c.def("__complex__", [](nb::handle self) {
    nb::object v = scalar_of(self.ptr());
    return checked(PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyComplex_Type), v.ptr()));
  });
  c.def("__round__", &round_method, nb::arg("ndigits") = nb::none());
  c.def("__floor__", through_math("floor"));
  c.def("__ceil__", through_math("ceil"));
  c.def("__trunc__", through_math("trunc"));
  c.def("__format__", &format_method);
}

}  // namespace cuprum::python
