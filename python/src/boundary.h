// Between Python and the functions that nanobind binds. nanobind tells a caller whose arguments fit no signature so in terms
// of C++, and hands a method that takes a handle any object for self. Here, once for all of them, self is checked and
// the error says what was given in the package's words.
#pragma once

#include <nanobind/nanobind.h>

namespace cuprum::python {

/// Guards everything that nanobind has bound in the module and its classes so far.
void guard_bound_functions(nanobind::module_& m);

}  // namespace cuprum::python
