// Arrays to host memory and back: NumPy arrays, Python's numbers and lists.
#pragma once

#include "expr/engine.h"
#include "expr/host_copy.h"
#include "ndarray.h"
#include "ops/transfer.h"

namespace cuprum::python {

/// The one element of an array of size 1, as a Python number. Evaluates.
nb::object element_of(const Array& a);
/// The same of an element, by its place in the storage.
nb::object element_of(const Array& a, std::int64_t offset);

/// A new NumPy array with the contents of `a`. `order` 'C', 'F' or 'A' ('K' counts as 'A').
nb::object to_numpy(const Array& a, char order = 'C', const Fetch& fetch = {});

/// The memory of a NumPy array that the bytes of `a` can go to in C order; null where it differs in dtype, shape or layout.
std::byte* memory_for(const Array& a, PyObject* out);

/// An array in this library's memory with the contents of a NumPy array; `t` unset: its own dtype. `order` as
/// in numpy.array, `keep` as in expr/host_copy.h.
Array from_numpy(PyObject* o, std::optional<dtype> t, char order, const char* function,
                 std::size_t keep = kHostCopyBytes);

/// Is it a buffer, or a list or tuple without arrays in it? And the NumPy array that such a one makes.
bool is_host_sequence(PyObject* o, const char* function);
nb::object host_sequence(PyObject* o, const char* function);

using ops::on_backend;

/// Gives a Python reference back, from any thread: for from_foreign.
void release_python_object(void* o);
/// The same, soon, from a thread that must not wait for the GIL: whoever has it may wait for the thread's stream.
void release_python_object_soon(void* o);

/// The NumPy array's own memory. Throws ValueError where it cannot be shared.
Array share_numpy(PyObject* o, const char* function);

}  // namespace cuprum::python
