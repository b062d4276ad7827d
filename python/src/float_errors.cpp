// Floating-point errors, as errstate asks for them: what the Python layer wants to know and how it is told.
#include "ops/float_errors.h"

#include "bindings.h"
#include "errors.h"

namespace cuprum::python {

namespace {

// Two Python functions, kept for the life of the process: destroying them after the interpreter would crash.
nb::object* wanted_function = nullptr;
nb::object* report_function = nullptr;

unsigned wanted() {
  const nb::gil_scoped_acquire gil;
  return nb::cast<unsigned>((*wanted_function)());
}

void report(const char* operation, unsigned found) {
  const nb::gil_scoped_acquire gil;
  (*report_function)(operation, found);
}

}  // namespace

void bind_float_errors(nb::module_& m) {
  m.def(
      "set_float_error_functions",
      [](nb::object wanted_now, nb::object report_found) {
        wanted_function = new nb::object(std::move(wanted_now));
        report_function = new nb::object(std::move(report_found));
        ops::set_float_error_handler({&wanted, &report});
      },
      nb::arg("wanted"), nb::arg("report"),
      "set_float_error_functions(wanted, report)\n\nwanted() gives the errors to look for, as NumPy's bits; "
      "report(operation, found) is told of them.");
  m.def("watch_float_errors", &ops::watch_float_errors, nb::arg("change"),
        "watch_float_errors(change)\n\nOne watcher more or less: results are looked at while there are any.");
}

}  // namespace cuprum::python
