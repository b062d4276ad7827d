// Operands: what a Python object means in an expression.
#include <algorithm>
#include <cmath>

#include "errors.h"
#include "numpy_interop.h"
#include "subclass.h"
#include "transfer_guard.h"

namespace cuprum::python {

namespace {

/// A Python int of any size.
Value from_python_int(PyObject* o) {
  int overflow = 0;
  const long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
  if (overflow == 0) {
    if (v == -1 && PyErr_Occurred()) throw_python_error();
    return Value::integer(v);
  }
  // Beyond 64 bits the low and high words are asked for separately.
  nb::object shift = nb::steal(PyLong_FromLong(64));
  nb::object high = checked(PyNumber_Rshift(o, shift.ptr()));
  const long long h = PyLong_AsLongLongAndOverflow(high.ptr(), &overflow);
  if (overflow == 0) {
    const unsigned long long low = PyLong_AsUnsignedLongLongMask(o);
    PyErr_Clear();
    return Value::integer(
        static_cast<int128>(static_cast<unsigned __int128>(static_cast<int128>(h)) << 64 | low));
  }
  double nearest = PyLong_AsDouble(o);
  if (nearest == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    nearest = overflow < 0 ? -HUGE_VAL : HUGE_VAL;
  }
  return Value::huge_integer(nearest);
}

bool is_list(PyObject* o) { return PyList_Check(o) || PyTuple_Check(o); }
bool is_refused(PyObject* o) { return is_numpy_array(o) || is_list(o); }

}  // namespace

bool has_no_equality(PyObject* o) { return Py_TYPE(o)->tp_richcompare == PyBaseObject_Type.tp_richcompare; }

bool is_array_like(PyObject* o) {
  if (is_refused(o) || PyRange_Check(o)) return true;
  if (PyObject_CheckBuffer(o)) return !PyBytes_Check(o) && !is_ndarray(o);
  return has_no_equality(o) && PyObject_HasAttrString(reinterpret_cast<PyObject*>(Py_TYPE(o)), "__array__");
}

std::optional<Value> try_value(PyObject* o, const char* function, int position, nb::object* keep) {
  if (is_ndarray(o)) return Value(contents(o).array());
  if (PyFloat_CheckExact(o)) return Value::floating(PyFloat_AS_DOUBLE(o));
  if (PyLong_CheckExact(o)) return from_python_int(o);
  if (PyBool_Check(o)) return Value(Scalar::of(dtype::bool_, o == Py_True));
  if (const auto s = numpy_scalar(o)) return Value(*s);  // before float: numpy.float64 is one
  if (const auto s = numpy_array_scalar(o)) return Value(*s);
  if (PyFloat_Check(o)) return Value::floating(PyFloat_AsDouble(o));
  if (PyLong_Check(o)) return from_python_int(o);
  if (PyComplex_Check(o)) return Value::complex(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
  if (keep && (is_list(o) || PyRange_Check(o))) {
    *keep = as_ndarray(o, function);
    return Value(contents(keep->ptr()).array());
  }
  if (is_numpy_array(o) && keep) {
    admit_host_array(o, HostRole::operand, function, position);
    *keep = as_ndarray(o, function);
    return Value(contents(keep->ptr()).array());
  }
  if (is_refused(o)) throw_not_array(o, function, position);
  return std::nullopt;
}

Value to_value(PyObject* o, const char* function, int position, nb::object* keep) {
  if (const auto v = try_value(o, function, position, keep)) return *v;
  throw_not_array(o, function, position);
}

Value to_value_or_convert(PyObject* o, const char* function, nb::object* keep) {
  if (!is_refused(o)) {
    if (const auto v = try_value(o, function, 0)) return *v;
  }
  if (answers_functions(o)) throw_not_array(o, function, 0);
  *keep = as_ndarray(o, function);
  return Value(contents(keep->ptr()).array());
}

Value stored_value(PyObject* o, dtype t, const char* function, nb::object* keep) {
  if (!is_refused(o)) {
    if (const auto v = try_value(o, function, 0)) {
      check_stored(*v, t);
      return *v;
    }
  }
  *keep = is_numpy_array(o) ? as_ndarray(o, function) : as_ndarray(o, function, t);
  return Value(contents(keep->ptr()).array());
}

const Array& unwrap(PyObject* o, const char* function, int position) {
  if (const Array* a = try_unwrap(o)) return *a;
  throw_not_array(o, function, position);
}

}  // namespace cuprum::python
