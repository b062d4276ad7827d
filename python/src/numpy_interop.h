// NumPy's objects, read without its C API: arrays through the __array_struct__ protocol, scalars through
// their types.
#pragma once

#include "ndarray.h"

namespace cuprum::python {

/// Looks up the classes of NumPy that the functions below compare with.
void bind_numpy_interop(nb::module_& m);
void bind_dtypes(nb::module_& m);

/// Is there a numpy.dtype for `t`? (bfloat16: only with ml_dtypes.)
bool numpy_has(dtype t);

bool is_numpy_array(PyObject* o);
bool is_numpy_scalar(PyObject* o);
/// Is it a scalar of one of NumPy's own numeric classes, not of one derived from them?
bool is_numpy_number(PyObject* o);
/// Is it a NumPy array without dimensions of such a number? NumPy makes one of a scalar that is compared with an array.
bool is_numpy_number_array(PyObject* o);
/// Is a NumPy array of a class that means more than its numbers, and outranks arrays for that: a masked array, a matrix?
bool outranks_numpy(PyObject* o);
/// numpy.ndarray.__array_ufunc__ and __array_function__, to be compared with.
PyObject* numpy_array_ufunc();
PyObject* numpy_array_function();

/// A NumPy scalar such as numpy.float32(3); nullopt for other objects and for dtypes that Cuprum does not
/// have.
std::optional<Scalar> numpy_scalar(PyObject* o);

/// The element of a NumPy array without dimensions, which is an operand as scalars are; nullopt as above.
std::optional<Scalar> numpy_array_scalar(PyObject* o);

/// Where the memory of a NumPy array is. The pointers live as long as `capsule`.
struct HostArray {
  nb::object capsule;
  dtype type;
  Dims shape;
  Dims strides;
  std::byte* data;
  bool writeable;
  bool plain;  // aligned and in native byte order: loops may read it as it is
};

/// `o` must be a NumPy array. Throws TypeError for dtypes that Cuprum does not have.
HostArray host_array(PyObject* o, const char* function);

/// A new, uninitialised NumPy array, and where its memory is.
nb::object empty_numpy(const Dims& shape, dtype t, char order, std::byte** data);

}  // namespace cuprum::python
