// What the module `cuprum._core` is made of. Each function adds one part; module.cpp calls them in order.
#pragma once

#include "ndarray.h"

namespace cuprum::python {

using NdarrayClass = nb::class_<PyNdarray>;

void bind_ndarray(nb::module_& m);       // the class itself: number slots, attributes, export
void bind_attributes(NdarrayClass& c);   // shape, dtype, flags, T, ...
void bind_conversion(nb::module_& m, NdarrayClass& c);  // array, asarray, get, item, tolist, DLPack, pickling
void bind_ufuncs(nb::module_& m);        // one object per row of the table
void bind_controls(nb::module_& m);      // evaluate, statistics, memory pool

// Indexing: slots of the class, so that a[i] costs no lookup.
PyObject* ndarray_subscript(PyObject* self, PyObject* key) noexcept;                       // a[key]
int ndarray_assign_subscript(PyObject* self, PyObject* key, PyObject* value) noexcept;     // a[key] = value
PyObject* ndarray_iter(PyObject* self) noexcept;                                           // iter(a)
void bind_indexing(NdarrayClass& c);
void bind_methods(NdarrayClass& c);      // reshape, sum, sort, ...
void bind_functions(nb::module_& m);     // zeros, concatenate, where, ...

}  // namespace cuprum::python
