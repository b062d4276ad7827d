// Classes derived from ndarray: results take the class of an operand, as NumPy's do, and the class is told by
// __array_finalize__; and objects of any class that answer ufuncs themselves, by __array_ufunc__.
#pragma once

#include <initializer_list>

#include "ndarray.h"

namespace cuprum::python {

inline bool is_plain(PyObject* o) { return Py_TYPE(o) == ndarray_type; }

/// A new object of a class, whose `base` is `base` (null: none). __array_finalize__ is not called.
PyObject* make_object(PyTypeObject* type, Array&& array, PyObject* base);

/// A new object of the class of `like`, finalised with `like`.
PyObject* wrap_like_raw(Array&& array, PyObject* like, PyObject* base = nullptr);

/// Calls obj.__array_finalize__(like), where the class has one of its own.
void finalize(PyObject* obj, PyObject* like);

/// Which of the operands decides the class of the result: of those that are no plain ndarray the first with the highest
/// __array_priority__; nullptr: none, the result is a plain ndarray.
class ClassChoice {
 public:
  void consider(PyObject* o) {
    if (!is_plain(o) && is_ndarray(o)) [[unlikely]]
      consider_subclass(o);
  }
  PyObject* like() const { return like_; }

 private:
  void consider_subclass(PyObject* o);
  PyObject* like_ = nullptr;
  double priority_ = 0;
};

/// `result` (stolen) with every plain array in it, alone or in a tuple or list, of the class of `like`.
PyObject* with_class_of(PyObject* result, PyObject* like);

/// The same for a ufunc's results: through like.__array_wrap__(array, context, return_scalar) where the class has its own.
PyObject* wrapped_by(PyObject* result, PyObject* like, PyObject* ufunc, PyObject* const* args, Py_ssize_t n);

/// Has the object's class an __array_ufunc__ of its own? `refuses`: it is None. NumPy's arrays and scalars have none in this
/// sense: they are refused here, or read as numbers.
enum class Say { none, answers, refuses };
Say say_in_ufuncs(PyObject* o);

/// NumPy's older rule, for operators: an operand whose class has no __array_ufunc__ and a higher __array_priority__ computes
/// itself, also where it is a number or a list.
bool outranks_arrays(PyObject* o);

/// May a call take the short way: no operand's class has a say in it?
bool is_ordinary(PyObject* o);

/// The answer of an operand's __array_ufunc__ to `ufunc.method(*args, **keywords)`; nullptr: no operand has one.
PyObject* try_override(PyObject* ufunc, const char* method, PyObject* const* args, Py_ssize_t n,
                       PyObject* keyword_names);

/// The ufunc object of this name; of matmul the function that stands for one.
nb::object ufunc_named(const char* name);

/// Is it an array of another library, which answers NumPy's functions by an __array_function__ of its own? A function of this
/// package must not read the numbers out of it: they would lose what else it knows, as its units or its laziness.
bool answers_functions(PyObject* o);

void bind_subclass(nb::class_<PyNdarray>& c);

}  // namespace cuprum::python
