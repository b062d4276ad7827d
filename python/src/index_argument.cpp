#include "index_argument.h"

#include "errors.h"
#include "expr/engine.h"
#include "host.h"
#include "numpy_interop.h"

namespace cuprum::python {

namespace {

/// The elements of a list of plain integers.
std::vector<std::int64_t> plain_integers(PyObject* list) {
  std::vector<std::int64_t> values;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); ++i) {
    values.push_back(PyLong_AsLongLong(PyList_GET_ITEM(list, i)));
  }
  return values;
}

/// The elements of a NumPy array of integers, in C order.
std::vector<std::int64_t> numpy_integers(PyObject* o, const char* function) {
  nb::object keep = nb::borrow(o);
  HostArray h = host_array(o, function);
  if (h.type != dtype::int64 || !h.plain || !is_c_contiguous(h.shape, h.strides, 8)) {
    keep = nb::module_::import_("numpy").attr("ascontiguousarray")(nb::handle(o),
                                                                   nb::handle(from_dtype(dtype::int64)));
    h = host_array(keep.ptr(), function);
  }
  const auto* first = reinterpret_cast<const std::int64_t*>(h.data);
  return {first, first + element_count(h.shape)};
}

}  // namespace

IndexArgument::IndexArgument(PyObject* o, const char* function) : array_(try_unwrap(o)) {
  if (array_) return;
  array_ = &made_;
  convert(o, function);
}

void IndexArgument::convert(PyObject* o, const char* function) {
  if (std::optional<Array> integers = integer_list(o)) {
    made_ = std::move(*integers);
    if (!made_.backend().host_accessible()) known_ = plain_integers(o);
    return;
  }
  if (is_numpy_array(o)) return convert_numpy(o, function);
  if (is_host_sequence(o)) return convert_numpy(host_sequence(o, function).ptr(), function);
  made_ = contents(as_ndarray(o, function).ptr()).array;  // numbers; what is on a device
  if (made_.backend().host_accessible() || !is_integer(made_.type())) return;
  if (PyIndex_Check(o)) known_ = {to_int(o, function, "an index")};
}

void IndexArgument::convert_numpy(PyObject* o, const char* function) {
  made_ = from_numpy(o, std::nullopt, 'K', function);
  if (made_.backend().host_accessible() || !is_integer(made_.type())) return;
  known_ = numpy_integers(o, function);
}

void IndexArgument::make_integer() {
  if (made_.size() != 0 || is_integer(made_.type()) || !is_made()) return;
  made_ = record_cast(made_, dtype::int64);
}

}  // namespace cuprum::python
