// The exception classes of the module and the errors that several files raise.
#pragma once

#include "ndarray.h"

namespace cuprum::python {

/// Adds UFuncTypeError, OutOfMemoryError, CUDARuntimeError, CUDADriverError and CompileException, and makes nanobind's functions translate C++ exceptions.
void bind_errors(nb::module_& m);

/// "cuprum.add: argument 2 is a numpy.ndarray, which lives in host memory; write cp.asarray(x) ...".
[[noreturn]] void throw_not_array(PyObject* o, const char* function, int position);

/// How many levels above a call of this module the program is, as warnings count: 1 is its caller (place.cpp).
int program_level();

/// Throws the Python error that is set.
[[noreturn]] inline void throw_python_error() { throw nb::python_error(); }

/// Throws the Python error that is set, its text behind the name of the call: NumPy, or a method of the argument, wrote
/// it and knows of no function. Errors of other classes than TypeError, ValueError and OverflowError stay as they are.
[[noreturn]] void throw_named_error(const char* function, const char* parameter = nullptr);

/// NumPy's ComplexWarning where complex numbers are stored as real ones.
void warn_of_lost_imaginary(dtype from, dtype to);

/// An attribute, or an invalid object where there is none. What its lookup raises beside AttributeError is thrown: an object that
/// calls us from its attributes would otherwise be asked again on the way out of every level of the recursion.
nb::object attribute(PyObject* o, const char* name);

/// Must an error of somebody's protocol be told, although there are other ways to try?
bool is_final(const nb::python_error& e);

/// A new reference, or the exception that is set.
inline nb::object checked(PyObject* o) {
  if (!o) throw nb::python_error();
  return nb::steal(o);
}

}  // namespace cuprum::python
