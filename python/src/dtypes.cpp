// dtypes between Python and the library: numpy.dtype objects on the outside, an enum inside.
//
// bfloat16 is no dtype of NumPy's. Where ml_dtypes is installed its dtype stands for it, else a small object
// of the package that knows its name and size.
#include <cstring>

#include "errors.h"
#include "numpy_interop.h"

namespace cuprum::python {

namespace {

// Filled once by bind_dtypes, and immortal: looked up by every `a.dtype`.
PyObject* dtype_objects[kDTypeCount];
PyObject* dtype_names[kDTypeCount];  // interned, as names in a program's text are
PyObject* scalar_types[kDTypeCount];
PyObject* numpy_dtype_type = nullptr;
bool have_ml_dtypes = false;

/// numpy.dtype.num of the dtypes that exist here; -1: none. On this platform C's long and long long are
/// int64.
std::optional<dtype> from_type_number(long num) {
  constexpr int none = -1;
  constexpr int types[] = {0,  1,    5,  2,  6,    3,    7,    4,    8,    4,    8,    11,
                           12, none, 13, 14, none, none, none, none, none, none, none, 9};
  constexpr long count = sizeof types / sizeof types[0];
  if (num < 0 || num >= count || types[num] == none) return std::nullopt;
  return static_cast<dtype>(types[num]);
}

PyObject* make_bfloat16() {
  PyObject* ml = PyImport_ImportModule("ml_dtypes");
  if (ml) {
    PyObject* scalar = PyObject_GetAttrString(ml, "bfloat16");
    PyObject* t = scalar ? PyObject_CallOneArg(numpy_dtype_type, scalar) : nullptr;
    Py_XDECREF(scalar);
    Py_DECREF(ml);
    if (t) {
      have_ml_dtypes = true;
      return t;
    }
  }
  PyErr_Clear();
  return nb::object(nb::module_::import_("cuprum._bfloat16").attr("bfloat16")).release().ptr();
}

[[noreturn]] void throw_no_dtype(const char* function, const std::string& given) {
  throw TypeError(
      std::string("cuprum.") + function + ": no dtype " + given +
      "; Cuprum has bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64, complex64 "
      "and complex128");
}

std::string repr(PyObject* o) {
  nb::object text = nb::steal(PyObject_Repr(o));
  if (!text.is_valid()) {
    PyErr_Clear();
    return type_name(o);
  }
  return to_utf8(text.ptr());
}

bool is_name(PyObject* o, const char* text) {
  return PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, text) == 0;
}

/// A numpy.dtype instance.
dtype from_numpy_dtype(PyObject* o, const char* function) {
  const long num = PyLong_AsLong(nb::borrow(o).attr("num").ptr());
  if (const auto t = from_type_number(num)) {
    if (!to_flag(nb::borrow(o).attr("isnative").ptr())) {
      throw ValueError(std::string("cuprum.") + function + ": " + repr(o) +
                       " has not the machine's byte-order; write its newbyteorder('=')");
    }
    return *t;
  }
  if (is_name(nb::borrow(o).attr("name").ptr(), "bfloat16")) return dtype::bfloat16;
  throw_no_dtype(function, repr(o));
}

}  // namespace

void bind_dtypes(nb::module_& m) {
  numpy_dtype_type = nb::object(nb::module_::import_("numpy").attr("dtype")).release().ptr();
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto t = static_cast<dtype>(i);
    dtype_objects[i] =
        t == dtype::bfloat16 ? make_bfloat16() : PyObject_CallFunction(numpy_dtype_type, "s", name(t));
    if (!dtype_objects[i]) throw_python_error();
    dtype_names[i] = PyUnicode_InternFromString(name(t));
    scalar_types[i] = PyObject_GetAttrString(dtype_objects[i], "type");
    if (!dtype_names[i] || !scalar_types[i]) throw_python_error();
  }
  m.attr("bfloat16") = nb::handle(from_dtype(dtype::bfloat16)).attr("type");
}

PyObject* from_dtype(dtype t) { return dtype_objects[static_cast<int>(t)]; }

bool numpy_has(dtype t) { return t != dtype::bfloat16 || have_ml_dtypes; }

dtype to_dtype(PyObject* o, const char* function) {
  for (int i = 0; i < kDTypeCount; ++i) {
    if (dtype_objects[i] == o || dtype_names[i] == o || scalar_types[i] == o) return static_cast<dtype>(i);
  }
  if (o == reinterpret_cast<PyObject*>(&PyFloat_Type)) return dtype::float64;
  if (o == reinterpret_cast<PyObject*>(&PyLong_Type)) return dtype::int64;
  if (o == reinterpret_cast<PyObject*>(&PyBool_Type)) return dtype::bool_;
  if (o == reinterpret_cast<PyObject*>(&PyComplex_Type)) return dtype::complex128;
  if (is_name(o, "bfloat16")) return dtype::bfloat16;
  if (is_ndarray(o)) {  // NumPy would take its attribute `dtype`
    throw TypeError(std::string("cuprum.") + function +
                    ": Cannot construct a dtype from an array; write a.dtype for the dtype of an array");
  }
  nb::object resolved = nb::steal(PyObject_CallOneArg(numpy_dtype_type, o));
  if (!resolved.is_valid()) throw_named_error(function);  // NumPy's own words about what is no dtype at all
  return from_numpy_dtype(resolved.ptr(), function);
}

std::optional<dtype> to_optional_dtype(PyObject* o, const char* function) {
  if (o == nullptr || o == Py_None) return std::nullopt;
  return to_dtype(o, function);
}

}  // namespace cuprum::python
