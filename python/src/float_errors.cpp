// Floating-point errors, as errstate asks for them: what the Python layer wants to know and how it is told.
#include "ops/float_errors.h"

#include "bindings.h"
#include "errors.h"

namespace cuprum::python {

namespace {

// Two Python functions, borrowed from the module: at the interpreter's end it lets them go, with the modules that they belong
// to and all types and arrays that those name, and nobody is told of errors any more.
PyObject* wanted_function = nullptr;
PyObject* report_function = nullptr;

unsigned wanted() {
  const nb::gil_scoped_acquire gil;
  const nb::handle function = wanted_function;
  return nb::cast<unsigned>(function());
}

void report(const char* operation, unsigned found) {
  const nb::gil_scoped_acquire gil;
  const nb::handle function = report_function;
  function(operation, found);
}

/// After a second import the functions are others.
void forget_functions(void* function) noexcept {
  if (function == wanted_function) ops::set_float_error_handler({});
}

}  // namespace

void bind_float_errors(nb::module_& m) {
  m.def(
      "set_float_error_functions",
      [](const nb::object& wanted_now, const nb::object& report_found) {
        wanted_function = wanted_now.ptr();
        report_function = report_found.ptr();
        const nb::capsule end(wanted_function, &forget_functions);
        nb::module_::import_("cuprum._core").attr("_float_error_functions") =
            nb::make_tuple(wanted_now, report_found, end);
        ops::set_float_error_handler({&wanted, &report});
      },
      nb::arg("wanted"), nb::arg("report"),
      "set_float_error_functions(wanted, report)\n\nwanted() gives the errors to look for, as NumPy's bits; "
      "report(operation, found) is told of them.");
  m.def("watch_float_errors", &ops::watch_float_errors, nb::arg("change"),
        "watch_float_errors(change)\n\nOne watcher more or less: results are looked at while there are any.");
}

}  // namespace cuprum::python
