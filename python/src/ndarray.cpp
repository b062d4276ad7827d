// The class object of ndarray: its slots, its making and its end.
#include "ndarray.h"

#include "bindings.h"
#include "errors.h"
#include "ops/creation.h"
#include "slots.h"

namespace cuprum::python {

PyTypeObject* ndarray_type = nullptr;
std::ptrdiff_t contents_offset = 0;

namespace {

constexpr const char* kDoc =
    "An array of numbers of one dtype.\n\n"
    "Made by functions such as array, asarray, zeros and arange. Operations on arrays are recorded and run when\n"
    "their values are needed; views share memory as NumPy's do.";

PyObject* make_object(PyTypeObject* type, Array array, PyObject* base) {
  nb::object o = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(type)));
  new (nb::inst_ptr<PyNdarray>(o)) PyNdarray(std::move(array), base);
  nb::inst_mark_ready(o);
  return o.release().ptr();
}

/// ndarray(shape, dtype=float, buffer=None, offset=0, strides=None, order=None), as numpy.ndarray's constructor.
nb::object construct(nb::handle type, nb::handle shape, nb::handle t, nb::handle buffer, nb::handle offset,
                     nb::handle strides, nb::handle order) {
  const Dims dims = to_shape(shape.ptr(), "ndarray");
  const dtype element = t.is_none() ? dtype::float64 : to_dtype(t.ptr(), "ndarray");
  if (!buffer.is_none()) return ndarray_over_buffer(dims, element, buffer, offset, strides, order);
  if (!strides.is_none()) throw ValueError("cuprum.ndarray: strides need a buffer; write cp.lib.stride_tricks.as_strided");
  const char layout = to_order(order.ptr(), "ndarray") == 'F' ? 'F' : 'C';
  return nb::steal(make_object(reinterpret_cast<PyTypeObject*>(type.ptr()), ops::empty(dims, element, layout), nullptr));
}

}  // namespace

PyObject* wrap_raw(Array array) { return make_object(ndarray_type, std::move(array), nullptr); }

PyObject* wrap_view_raw(Array array, PyObject* owner) {
  PyObject* base = contents(owner).base;
  return make_object(ndarray_type, std::move(array), base && is_ndarray(base) ? base : owner);
}

void bind_ndarray(nb::module_& m) {
  static std::vector<PyType_Slot> slots = ndarray_slots();
  NdarrayClass c(m, "ndarray", nb::type_slots(slots.data()), nb::pooled(256), nb::is_weak_referenceable(), kDoc);
  ndarray_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  nb::object probe = nb::inst_alloc(c);
  contents_offset = reinterpret_cast<char*>(nb::inst_ptr<PyNdarray>(probe)) - reinterpret_cast<char*>(probe.ptr());
  c.def_static("__new__", &construct, nb::arg("cls"), nb::arg("shape").none(), nb::arg("dtype") = nb::none(),
               nb::arg("buffer") = nb::none(), nb::arg("offset") = 0, nb::arg("strides") = nb::none(),
               nb::arg("order") = nb::none());
  c.def("__init__", [](nb::handle, nb::args, nb::kwargs) {});
  c.attr("__module__") = "cuprum";
  c.attr("__array_priority__") = 100.0;
  c.attr("__hash__") = nb::none();
  bind_attributes(c);
  bind_scalars(c);
  bind_conversion(m, c);
  bind_members(c);
  bind_dlpack(m, c);
  bind_indexing(c);
  bind_methods(c);
}

}  // namespace cuprum::python
