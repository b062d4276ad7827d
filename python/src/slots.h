// The slot functions of ndarray: what CPython calls for operators, len(), iter() and buffers, without a
// lookup.
#pragma once

#include <vector>

#include "bindings.h"
#include "core/op.h"

namespace cuprum::python {

/// All slots of the class, ended by {0, nullptr}.
std::vector<PyType_Slot> ndarray_slots();

void add_number_slots(std::vector<PyType_Slot>& slots);  // number.cpp
void add_scalar_slots(std::vector<PyType_Slot>& slots);  // scalars.cpp: bool, int, float, index
void add_buffer_slots(std::vector<PyType_Slot>& slots);  // buffer.cpp

/// Has the caller the only reference, and no view its memory? In `a[1:] = b + c` the sum goes when the statement ends. A
/// caller who has borrowed the reference keeps the array; then it is computed again where it is read.
bool is_temporary(PyObject* value, const Value& v);  // indexing.cpp

/// op(l, r) of two arrays of ours, or of one and a number of Python's or NumPy's; nullptr: one of them is something else.
PyObject* binary_of_plain(Op op, PyObject* l, PyObject* r);  // number.cpp

template <class F>
PyType_Slot slot(int id, F* function) {
  return {id, reinterpret_cast<void*>(function)};
}

}  // namespace cuprum::python
