// Between Python's own numbers, in lists, and elements: the two ways that need nothing of NumPy.
#pragma once

#include <optional>

#include "ndarray.h"

namespace cuprum::python {

/// The array of a list or tuple, or of nested ones that make a rectangle, of plain floats or of plain integers; nothing: NumPy
/// knows what to make of it.
std::optional<Array> array_of_numbers(PyObject* rows);

/// The elements as nested lists; of an array without dimensions the number.
nb::object numbers_of(const Array& a);

}  // namespace cuprum::python
