// What the module `cuprum._core` is made of. Each function adds one part; module.cpp calls them in order.
#pragma once

#include "core/op.h"
#include "devices.h"
#include "ndarray.h"

namespace cuprum::python {

using NdarrayClass = nb::class_<PyNdarray>;

void bind_ndarray(nb::module_& m);                      // the class itself: number slots, attributes, export
void bind_attributes(NdarrayClass& c);                  // shape, dtype, flags, T, ...
void bind_scalars(NdarrayClass& c);                     // float(), round(), format()
void bind_conversion(nb::module_& m, NdarrayClass& c);  // array, asarray, get, item, tolist, pickling
void bind_dlpack(nb::module_& m, NdarrayClass& c);      // __dlpack__, from_dlpack
void bind_members(nb::module_& m, NdarrayClass& c);     // astype, copy, item, tolist, repr
void bind_ufuncs(nb::module_& m);                       // one object per row of the table
void forget_own_ufuncs();                  // before the interpreter ends: they lead to all of the package
void forget_spares();                      // the same of objects that wait for the next array
void bind_controls(nb::module_& m);        // evaluate, statistics
void bind_places(nb::module_& m);          // lines of Python, for errors
void bind_float_errors(nb::module_& m);    // what errstate needs
void bind_promotion(nb::module_& m);       // promote_types, result_type, can_cast
void bind_overlap(nb::module_& m);         // shares_memory
void bind_memory(nb::module_& m);          // blocks, addresses, pinned memory
void bind_pools(nb::module_& m);           // memory pools, allocators, hooks
void bind_transfer_guard(nb::module_& m);  // what may cross between host and device unasked

void bind_devices(nb::module_& m, NdarrayClass& c);  // devices, to_device
void bind_streams(nb::module_& m);                   // streams, events, captures
void bind_kernels(nb::module_& m);                   // kernels that a program brings
void bind_loop_kernels(nb::module_& m);              // loops whose body a program brings

/// The memory of any producer of DLPack tensors, shared.
nb::object from_dlpack(PyObject* producer, const char* function);

/// What `o` shares by __cupy_get_ndarray__ or __cuda_array_interface__, not copied; an invalid object where it has neither.
nb::object device_array(PyObject* o, const char* function);
bool is_device_array(PyObject* o);

/// numpy.ndarray(shape, dtype, buffer, offset, strides, order): an array over somebody's buffer.
nb::object ndarray_over_buffer(const Dims& shape, dtype t, nb::handle buffer, nb::handle offset,
                               nb::handle strides, nb::handle order);

// Indexing: slots of the class, so that a[i] costs no lookup.
PyObject* ndarray_subscript(PyObject* self, PyObject* key) noexcept;                    // a[key]
int ndarray_assign_subscript(PyObject* self, PyObject* key, PyObject* value) noexcept;  // a[key] = value
PyObject* ndarray_item(PyObject* self, Py_ssize_t i) noexcept;  // of a sequence, for reversed(a) and C code
int ndarray_assign_item(PyObject* self, Py_ssize_t i, PyObject* value) noexcept;
PyObject* ndarray_concat(PyObject* self, PyObject* other) noexcept;  // these raise: + adds
PyObject* ndarray_inplace_concat(PyObject* self, PyObject* other) noexcept;
PyObject* ndarray_iter(PyObject* self) noexcept;  // iter(a)
/// ufunc.at: `a[index] = op(a[index], b)` one after the other; `b` null for a unary operation.
void ufunc_at(Op op, const Array& a, PyObject* index, const Value* b);
void bind_indexing(NdarrayClass& c);
void bind_composites(nb::module_& m);  // functions written in Python
void bind_methods(NdarrayClass& c);    // reshape, sum, sort, ...
void bind_functions(nb::module_& m);   // zeros, concatenate, where, ...

}  // namespace cuprum::python
