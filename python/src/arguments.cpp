// Shapes, axes and the like, out of Python's objects.
#include "core/texts.h"
#include "errors.h"

namespace cuprum::python {

namespace {

/// Arrays are integers where they have no dimensions, else sequences.
bool has_length(PyObject* o) {
  if (!PySequence_Check(o)) return false;
  const Py_ssize_t length = PySequence_Size(o);
  PyErr_Clear();
  return length >= 0;
}

/// More numbers than an array has dimensions, in NumPy's words.
[[noreturn]] void throw_too_many(Py_ssize_t n, const char* function, const char* parameter) {
  const std::string_view what = parameter;
  if (what == "shape" || what == "strides" || what == "axes") {
    throw ValueError(prefix(function) + "maximum supported dimension for an ndarray is currently " +
                     std::to_string(kMaxDims) + ", found " + std::to_string(n));
  }
  throw ValueError(prefix(function) + "too many values for '" + parameter + "': found " + std::to_string(n));
}

/// One of several integers.
std::int64_t to_entry(PyObject* o, const char* function, const char* parameter) {
  if (PyLong_CheckExact(o)) return to_int(o, function, parameter, PyExc_ValueError);
  return to_int(o, function, (std::string("an entry of ") + parameter).c_str(), PyExc_ValueError);
}

}  // namespace

std::int64_t to_int(PyObject* o, const char* function, const char* parameter, PyObject* overflow) {
  if (PyLong_CheckExact(o)) {
    int beyond = 0;
    const long long v = PyLong_AsLongLongAndOverflow(o, &beyond);
    if (beyond == 0) return v;
  }
  if ((!PyLong_CheckExact(o) && !PyIndex_Check(o)) || PyBool_Check(o)) {
    throw TypeError(prefix(function) + parameter + " must be an integer, not " + type_name(o));
  }
  const Py_ssize_t v = PyNumber_AsSsize_t(o, overflow);
  if (v == -1 && PyErr_Occurred()) throw_named_error(function, parameter);
  return v;
}

std::uintptr_t to_address(PyObject* o, const char* function, const char* parameter) {
  if (!PyIndex_Check(o))
    throw TypeError(prefix(function) + parameter + " must be an integer, not " + type_name(o));
  const nb::object number = nb::steal(PyNumber_Index(o));
  if (!number.is_valid()) throw_named_error(function, parameter);
  const unsigned long long v = PyLong_AsUnsignedLongLong(number.ptr());
  if (v == ~0ULL && PyErr_Occurred()) throw_named_error(function, parameter);
  return static_cast<std::uintptr_t>(v);
}

std::string to_utf8(PyObject* str) {
  Py_ssize_t n = 0;
  if (const char* text = PyUnicode_Check(str) ? PyUnicode_AsUTF8AndSize(str, &n) : nullptr)
    return std::string(text, static_cast<std::size_t>(n));
  PyErr_Clear();
  const nb::object bytes = checked(PyUnicode_AsEncodedString(str, "utf-8", "backslashreplace"));
  return std::string(PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
}

bool to_keepdims(PyObject* o, const char* function) {
  if (PyBool_Check(o)) return o == Py_True;
  if (!PyIndex_Check(o))
    throw TypeError(prefix(function) + "keepdims must be True or False, not " + type_name(o));
  return to_int(o, function, "keepdims") != 0;
}

bool to_flag(PyObject* o) {
  const int truth = PyObject_IsTrue(o);
  if (truth < 0) throw_python_error();
  return truth != 0;
}

Dims to_dims(PyObject* o, const char* function, const char* parameter, Py_ssize_t most) {
  if (PyLong_CheckExact(o) || (PyIndex_Check(o) && !has_length(o)))
    return {to_int(o, function, parameter, PyExc_ValueError)};
  if (!PySequence_Check(o)) {
    throw TypeError(prefix(function) + "expected a sequence of integers or a single integer, got '" +
                    type_name(o) + "'");
  }
  // Counted before anything is made of the elements: there may be a billion of them.
  const bool is_tuple = PyTuple_CheckExact(o);
  const Py_ssize_t n = is_tuple ? PyTuple_GET_SIZE(o) : PySequence_Size(o);
  if (n < 0) throw_named_error(function, parameter);
  if (n > most) throw_too_many(n, function, parameter);
  Dims dims;
  if (is_tuple) {
    for (Py_ssize_t i = 0; i < n; ++i) dims.push_back(to_entry(PyTuple_GET_ITEM(o, i), function, parameter));
    return dims;
  }
  // An array comes to the host as a whole: its elements are arrays themselves.
  const nb::object numbers = is_ndarray(o) ? nb::borrow(o).attr("tolist")() : nb::borrow(o);
  for (Py_ssize_t i = 0; i < n; ++i) {
    const nb::object item = checked(PySequence_GetItem(numbers.ptr(), i));
    dims.push_back(to_entry(item.ptr(), function, parameter));
    if (PyList_Check(o) && PyList_GET_SIZE(o) != n)  // __index__ may change the list
      throw ValueError(prefix(function) + parameter + " changed its size");
  }
  return dims;
}

Dims to_shape(PyObject* o, const char* function, bool allow_negative) {
  if (o == Py_None) throw TypeError(prefix(function) + "Use () not None as shape arguments");
  const Dims shape = to_dims(o, function);
  if (!allow_negative) {
    for (std::int64_t d : shape) {
      if (d < 0)
        throw ValueError(prefix(function) + "negative dimensions are not allowed in " + to_string(shape));
    }
  }
  return shape;
}

nb::tuple from_dims(const Dims& dims) {
  PyObject* t = PyTuple_New(static_cast<Py_ssize_t>(dims.size()));
  if (!t) throw_python_error();
  for (std::size_t i = 0; i < dims.size(); ++i) {
    PyObject* item = PyLong_FromLongLong(dims[i]);
    if (!item) {
      Py_DECREF(t);
      throw_python_error();
    }
    PyTuple_SET_ITEM(t, static_cast<Py_ssize_t>(i), item);
  }
  return nb::steal<nb::tuple>(t);
}

int to_axis(PyObject* axis, int ndim, const char* function) {
  return normalize_axis(function, to_int(axis, function, "axis"), ndim);
}

std::uint64_t to_axes(PyObject* axis, int ndim, const char* function) {
  if (axis == nullptr || axis == Py_None) {
    return ndim == kMaxDims ? ~std::uint64_t{0} : (std::uint64_t{1} << ndim) - 1;
  }
  if (!PyTuple_Check(axis) && !PyList_Check(axis)) return std::uint64_t{1} << to_axis(axis, ndim, function);
  Dims axes = to_dims(axis, function, "axis");
  for (std::int64_t& a : axes) a = normalize_axis(function, a, ndim);
  std::uint64_t mask = 0;
  for (std::int64_t a : axes) {
    const std::uint64_t bit = std::uint64_t{1} << a;
    if (mask & bit) throw ValueError(prefix(function) + "duplicate value in 'axis'");
    mask |= bit;
  }
  return mask;
}

std::optional<Dims> to_optional_axes(PyObject* axis, int ndim, const char* function) {
  if (axis == nullptr || axis == Py_None) return std::nullopt;
  const std::uint64_t mask = to_axes(axis, ndim, function);
  Dims axes;
  for (int d = 0; d < ndim; ++d) {
    if (mask >> d & 1) axes.push_back(d);
  }
  return axes;
}

char to_order(PyObject* o, const char* function) {
  if (o == nullptr || o == Py_None) return 'K';
  if (PyUnicode_Check(o) && PyUnicode_GET_LENGTH(o) == 1) {
    const Py_UCS4 c = PyUnicode_READ_CHAR(o, 0);
    if (c == 'C' || c == 'c') return 'C';
    if (c == 'F' || c == 'f') return 'F';
    if (c == 'A' || c == 'a') return 'A';
    if (c == 'K' || c == 'k') return 'K';
  }
  if (!PyUnicode_Check(o)) throw TypeError(prefix(function) + "order must be str, not " + type_name(o));
  throw ValueError(prefix(function) + "order must be one of 'C', 'F', 'A', or 'K' (got '" + to_utf8(o) +
                   "')");
}

}  // namespace cuprum::python
