// The module cuprum._core: everything of the package that is C++.
//
// Classes, hooks and cached objects are the process's, made once: a second import (of a program that removed the package from
// sys.modules) gets the same names again, and another interpreter is refused.
#include <stdexcept>
#include <utility>

#include "bindings.h"
#include "boundary.h"
#include "errors.h"
#include "numpy_interop.h"

using namespace cuprum::python;

namespace {

PyObject* first_module = nullptr;  // from the first import until the interpreter ends
bool was_begun = false;

/// Called before the interpreter clears its modules, so that this one goes with the others.
PyObject* let_go(PyObject*, PyObject*) {
  Py_CLEAR(first_module);
  forget_own_ufuncs();
  forget_spares();
  Py_RETURN_NONE;
}

void keep_until_the_end(nb::module_& m) {
  static PyMethodDef method = {"let_go", &let_go, METH_NOARGS, nullptr};
  nb::module_::import_("atexit").attr("register")(checked(PyCFunction_New(&method, nullptr)));
  first_module = Py_NewRef(m.ptr());
}

void repeat_import(nb::module_& m) {
  if (!first_module)
    throw std::runtime_error(  // nanobind makes an ImportError of it
        "cuprum cannot be imported again: an earlier import in this process has failed, or its interpreter "
        "has ended");
  nb::dict names = nb::steal<nb::dict>(PyDict_Copy(PyModule_GetDict(first_module)));
  for (const auto& [name, value] : names) {
    const std::string_view text = nb::borrow<nb::str>(name).c_str();
    if (!text.starts_with("__")) m.attr(text.data()) = value;
  }
}

}  // namespace

NB_MODULE(_core_of_main_interpreter, m) {
  if (std::exchange(was_begun, true)) return repeat_import(m);
  nb::set_leak_warnings(false);  // for the developers of a binding; the tests turn them on
  m.def("warn_of_leaks", [](bool on) { nb::set_leak_warnings(on); });
  bind_errors(m);
  bind_dtypes(m);
  bind_numpy_interop(m);
  bind_ndarray(m);
  bind_ufuncs(m);
  bind_promotion(m);
  bind_overlap(m);
  bind_memory(m);
  bind_pools(m);
  bind_functions(m);
  bind_composites(m);
  bind_controls(m);
  bind_float_errors(m);
  bind_places(m);
  bind_transfer_guard(m);
  bind_kernels(m);
  bind_loop_kernels(m);
  guard_bound_functions(m);
  keep_until_the_end(m);
}

/// What Python calls. nanobind itself would already mix up the states of two interpreters.
extern "C" NB_EXPORT PyObject* PyInit__core() {
  if (PyInterpreterState_Get() == PyInterpreterState_Main()) return PyInit__core_of_main_interpreter();
  PyErr_SetString(PyExc_ImportError,
                  "cuprum cannot be imported here: it works in the main interpreter of a process, and this "
                  "is a subinterpreter");
  return nullptr;
}
