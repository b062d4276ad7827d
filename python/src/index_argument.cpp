#include "index_argument.h"

#include "errors.h"
#include "expr/engine.h"
#include "host.h"
#include "numpy_interop.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::python {

namespace {

Array converted(PyObject* o, const char* function) {
  if (std::optional<Array> integers = integer_list(o, kAnyBytes)) return std::move(*integers);
  if (is_numpy_array(o)) return from_numpy(o, std::nullopt, 'K', function, kAnyBytes);
  if (is_host_sequence(o, function)) {
    return from_numpy(host_sequence(o, function).ptr(), std::nullopt, 'K', function, kAnyBytes);
  }
  Array made = contents(as_ndarray(o, function).ptr()).array();  // numbers; what is on a device
  if (made.backend().host_accessible() || !is_integer(made.type()) || !PyIndex_Check(o)) return made;
  const std::int64_t number[] = {to_int(o, function, "an index")};
  return ops::reshape(ops::from_integers(number, made.backend()), Dims{});
}

}  // namespace

IndexArgument::IndexArgument(PyObject* o, const char* function) : array_(try_unwrap(o)) {
  if (array_) return;
  made_ = converted(o, function);
  array_ = &made_;
}

void IndexArgument::make_integer() {
  if (made_.size() != 0 || is_integer(made_.type()) || !is_made()) return;
  made_ = record_cast(made_, dtype::int64);
}

void IndexArgument::read_integers(PyObject* o, const char* function) {
  if (!is_made() || is_numpy_array(o) || is_integer(made_.type())) return;
  made_ = contents(as_ndarray(o, function, dtype::int64).ptr()).array();
}

}  // namespace cuprum::python
