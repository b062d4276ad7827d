// The Python class `cuprum.ndarray`, and how Python objects become the library's and back.
//
// Slot functions are called by CPython itself: they hold the GIL, must not let a C++ exception out, and
// return new references. `guarded` wraps their bodies.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <string>
#include <utility>

#include "contents.h"
#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::python {

namespace nb = nanobind;

// -- Arrays ---------------------------------------------------------------------------------------------

/// The class object.
extern PyTypeObject* ndarray_type;

/// A derived class is made at run time: Python's own types, which are not, need not be walked.
inline bool is_ndarray(PyObject* o) {
  PyTypeObject* type = Py_TYPE(o);
  return type == ndarray_type ||
         (PyType_HasFeature(type, Py_TPFLAGS_HEAPTYPE) && PyType_IsSubtype(type, ndarray_type));
}

/// The contents of an object that is_ndarray: nanobind keeps them behind eight bytes of its own, as bind_ndarray makes sure.
inline constexpr std::ptrdiff_t kContentsOffset = sizeof(PyObject) + 8;
inline PyNdarray& contents(PyObject* o) {
  return *reinterpret_cast<PyNdarray*>(reinterpret_cast<char*>(o) + kContentsOffset);
}

/// The array of an ndarray object, or nullptr for any other object. No error is set.
inline const Array* try_unwrap(PyObject* o) { return is_ndarray(o) ? &contents(o).array() : nullptr; }

/// The array of an ndarray object; throws TypeError that names the function and the argument, and for NumPy
/// arrays and lists says what to write. `position` counts from 1; 0: no number is named.
const Array& unwrap(PyObject* o, const char* function, int position);

/// A new ndarray object (a new reference; throws on failure).
PyObject* wrap_raw(Array&& array);
inline PyObject* wrap_raw(const Array& array) { return wrap_raw(Array(array)); }
/// The same of a value that is its number: made where it lies, which for a number is a third of the work.
PyObject* wrap_number(const HostNumber& value);
inline nb::object wrap(Array array) { return nb::steal(wrap_raw(std::move(array))); }

/// A view whose `base` is `owner`, or what `owner` is itself a view of.
PyObject* wrap_view_raw(Array&& array, PyObject* owner);
/// The same as an object of a given class.
PyObject* wrap_view_as(Array&& array, PyObject* owner, PyTypeObject* type);
inline nb::object wrap_view(Array array, PyObject* owner) {
  return nb::steal(wrap_view_raw(std::move(array), owner));
}

// -- Operands -------------------------------------------------------------------------------------------

/// An operand of a function: ndarray, Python or NumPy scalar. The array is borrowed from `o`. With `keep` lists, tuples and
/// ranges too: they become a new array, which `*keep` keeps alive. Throws TypeError (see unwrap) for anything else.
Value to_value(PyObject* o, const char* function, int position, nb::object* keep = nullptr);

/// The same, but nullopt for objects that are no operand at all, so that an operator can return
/// NotImplemented. NumPy arrays still throw, as do lists and tuples without `keep`: their reflected operators would do the
/// wrong thing.
std::optional<Value> try_value(PyObject* o, const char* function, int position, nb::object* keep = nullptr);

/// Has the class no equality of its own? Then only the object itself equals it.
bool has_no_equality(PyObject* o);
/// Would NumPy make an array of it: a list, a NumPy array, a range, a buffer, what has `__array__` and no equality?
bool is_array_like(PyObject* o);

/// `o` itself where it is an ndarray, else what `asarray` makes of it.
nb::object as_ndarray(PyObject* o, const char* function, std::optional<dtype> t = std::nullopt);

/// An operand converted as `asarray` does: lists, NumPy arrays and buffers become new arrays, which `*keep`
/// keeps alive.
Value to_value_or_convert(PyObject* o, const char* function, nb::object* keep);

/// The same for what is stored in an array of dtype `t`: lists become that dtype, and a number of Python must fit it.
Value stored_value(PyObject* o, dtype t, const char* function, nb::object* keep);

// -- dtypes ---------------------------------------------------------------------------------------------

/// Anything NumPy takes for a dtype: a numpy.dtype, float, "float32", numpy.float32, bfloat16 by name or from
/// ml_dtypes. Throws TypeError for dtypes that Cuprum does not have.
dtype to_dtype(PyObject* o, const char* function);
/// None gives nullopt.
std::optional<dtype> to_optional_dtype(PyObject* o, const char* function);
/// The numpy.dtype object (borrowed, cached). bfloat16: that of ml_dtypes where it can be imported, else a
/// stand-in.
PyObject* from_dtype(dtype t);

// -- Shapes, axes and words -----------------------------------------------------------------------------

/// An integer or a sequence of integers. Negative sizes throw ValueError unless `allow_negative` (reshape's
/// -1).
Dims to_shape(PyObject* o, const char* function, bool allow_negative = false);
/// Integers, at most as many as an array has dimensions; `parameter` names them in an error.
Dims to_dims(PyObject* o, const char* function, const char* parameter = "shape", Py_ssize_t most = kMaxDims);
nb::tuple from_dims(const Dims& dims);
/// An integer through __index__; throws TypeError, for a bool too, and `overflow` beyond 64 bits.
std::int64_t to_int(PyObject* o, const char* function, const char* parameter,
                    PyObject* overflow = PyExc_OverflowError);
bool to_flag(PyObject* o);  // truth of any object
/// A bool or an integer, as NumPy's reductions take it; throws TypeError.
bool to_keepdims(PyObject* o, const char* function);

/// None: every axis. An integer or a tuple of distinct ones otherwise; bit mask.
std::uint64_t to_axes(PyObject* axis, int ndim, const char* function);
/// The same as a list; None: nullopt.
std::optional<Dims> to_optional_axes(PyObject* axis, int ndim, const char* function);
/// One axis, normalised; throws AxisError.
int to_axis(PyObject* axis, int ndim, const char* function);

/// The characters of a str, for comparisons and for errors that quote it. What UTF-8 cannot say, a lone surrogate, is
/// written as Python writes it: `\ud800`.
std::string to_utf8(PyObject* str);
/// The address, or the number of bytes, that an integer is; throws TypeError and OverflowError.
std::uintptr_t to_address(PyObject* o, const char* function, const char* parameter);

/// 'C', 'F', 'A' or 'K' (either case, None: 'K').
char to_order(PyObject* o, const char* function);

// -- Errors ---------------------------------------------------------------------------------------------

/// Sets the Python error for the C++ exception in flight.
void translate_exception() noexcept;

/// "numpy.ndarray", "list": the type's name as a user writes it.
std::string type_name(PyObject* o);

/// Runs the body of a slot function; an exception becomes a Python error and the result `failure`.
template <class R, class F>
R guarded(R failure, F&& body) noexcept {
  try {
    return body();
  } catch (...) {
    translate_exception();
    return failure;
  }
}
template <class F>
PyObject* guarded(F&& body) noexcept {
  return guarded<PyObject*>(nullptr, std::forward<F>(body));
}

}  // namespace cuprum::python
