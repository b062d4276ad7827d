// The class object of ndarray: its slots, its making and its end.
#include "ndarray.h"

#include "bindings.h"
#include "errors.h"
#include "expr/engine.h"
#include "function.h"
#include "memory.h"
#include "ops/creation.h"
#include "slots.h"
#include "subclass.h"

namespace cuprum::python {

PyTypeObject* ndarray_type = nullptr;

namespace {

constexpr const char* kDoc =
    "An array of numbers of one dtype.\n\n"
    "Made by functions such as array, asarray, zeros and arange. Operations on arrays are recorded and run "
    "when\n"
    "their values are needed; views share memory as NumPy's do.\n\n"
    ">>> x = cp.array([[1, 2], [3, 4]])\n"
    ">>> (x * x.T).sum()\n"
    "array(29)";

/// New memory, or that of a MemoryPointer (cuprum/_memory.py).
Array constructed(const Dims& shape, dtype type, nb::handle pointer, PyObject* offset, PyObject* strides,
                  PyObject* order) {
  const char layout = to_order(order, "ndarray") == 'F' ? 'F' : 'C';
  const auto steps =
      strides == Py_None ? std::nullopt : std::optional(to_dims(strides, "ndarray", "strides"));
  if (pointer.is_none()) {
    const Array made = ops::empty(shape, type, layout, default_backend());
    if (!steps) return made;
    const Array bytes = made.view(dtype::uint8, {static_cast<std::int64_t>(made.nbytes())}, {1}, 0);
    return array_in_block(bytes, 0, type, shape, steps, layout);
  }
  const nb::object block = pointer.attr("_block"), at = pointer.attr("_offset");
  const std::int64_t begin =
      to_int(at.ptr(), "ndarray", "memptr") + (offset ? to_int(offset, "ndarray", "offset") : 0);
  return array_in_block(unwrap(block.ptr(), "ndarray", 3), begin, type, shape, steps, layout);
}

/// The array whose memory a MemoryPointer points into (`a.data`); none: memory that is no array's.
nb::object array_behind(nb::handle pointer) {
  if (pointer.is_none()) return {};
  const nb::object block = pointer.attr("_block");
  return nb::borrow(contents(block.ptr()).base());
}

/// ndarray(shape, dtype=float, buffer=None, offset=0, strides=None, order=None), as numpy.ndarray's
/// constructor. A slot, so that there is no way to an object without contents.
PyObject* new_slot(PyTypeObject* type, PyObject* args, PyObject* kwargs) noexcept {
  static const char* names[] = {"shape", "dtype", "buffer", "offset", "strides", "order", "memptr", nullptr};
  PyObject *shape, *t = Py_None, *buffer = Py_None, *offset = nullptr, *strides = Py_None, *order = Py_None;
  PyObject* memptr = Py_None;  // CuPy's name for the buffer
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OOOOOO:ndarray", const_cast<char**>(names), &shape, &t,
                                   &buffer, &offset, &strides, &order, &memptr)) {
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    const Dims dims = to_shape(shape, "ndarray");
    const dtype element = t == Py_None ? dtype::float64 : to_dtype(t, "ndarray");
    if (buffer == Py_None) buffer = memptr;
    nb::object made;
    if (buffer == Py_None || attribute(buffer, "_block").is_valid()) {
      made = nb::steal(make_object(type, constructed(dims, element, buffer, offset, strides, order),
                                   array_behind(buffer).ptr()));
    } else {
      nb::object start = offset ? nb::borrow(offset) : nb::object(nb::int_(0));
      made = ndarray_over_buffer(dims, element, buffer, start, strides, order);
      if (type != ndarray_type) {
        const PyNdarray::State& s = contents(made.ptr()).now();
        made = nb::steal(make_object(type, Array(s.array), s.base));
      }
    }
    if (type != ndarray_type) finalize(made.ptr(), Py_None);
    return made.release().ptr();
  });
}

int init_slot(PyObject*, PyObject*, PyObject*) noexcept { return 0; }

}  // namespace

namespace {

// -- Objects that wait --------------------------------------------------------------------------------------
//
// A loop over elements or rows makes an object for every one, and drops it a moment later. Dropped ones wait here for the next
// array: as nanobind left them, known to it and ready, but without contents, a reference to their class and the garbage
// collector's eye, which sees nothing in them. Guarded by the GIL; without it there are none.

constexpr int kMostSpares = 64;
PyObject* newest_spare = nullptr;  // where the contents were lies the one before it
int spare_count = 0;
int most_spares = 0;
destructor dealloc_by_nanobind;

PyObject*& spare_before(PyObject* o) { return *reinterpret_cast<PyObject**>(&contents(o)); }

bool has_weak_references(PyObject* o) {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(o) + ndarray_type->tp_weaklistoffset) !=
         nullptr;
}

void dealloc_slot(PyObject* self) noexcept {
  if (Py_TYPE(self) != ndarray_type || spare_count >= most_spares || has_weak_references(self))
    return dealloc_by_nanobind(self);
  PyObject_GC_UnTrack(self);
  PyNdarray& c = contents(self);
  if (!c.is_mere_number()) c.~PyNdarray();  // a number has nothing to let go of
  spare_before(self) = std::exchange(newest_spare, self);
  ++spare_count;
  Py_DECREF(ndarray_type);
}

void keep_spares() {
#ifndef Py_GIL_DISABLED
  most_spares = kMostSpares;
  dealloc_by_nanobind = std::exchange(ndarray_type->tp_dealloc, &dealloc_slot);
#endif
}

/// A new reference to an object without contents.
PyObject* revived() {
  PyObject* o = std::exchange(newest_spare, spare_before(newest_spare));
  --spare_count;
  _Py_NewReference(o);
  Py_INCREF(ndarray_type);
  return o;
}

template <class... Args>
PyObject* make_ndarray(PyTypeObject* type, Args&&... args) {
  if (newest_spare && type == ndarray_type) [[likely]] {
    PyObject* o = revived();
    new (&contents(o)) PyNdarray(std::forward<Args>(args)...);  // throws nothing
    return o;
  }
  const nb::handle o = nb::inst_alloc(nb::handle(reinterpret_cast<PyObject*>(type))).release();
  new (&contents(o.ptr())) PyNdarray(std::forward<Args>(args)...);
  nb::inst_mark_ready(o);
  return o.ptr();
}

}  // namespace

PyObject* make_object(PyTypeObject* type, Array&& array, PyObject* base) {
  return make_ndarray(type, std::move(array), base);
}

PyObject* wrap_raw(Array&& array) { return make_ndarray(ndarray_type, std::move(array)); }
PyObject* wrap_number(const HostNumber& value) { return make_ndarray(ndarray_type, value); }

void forget_spares() {
  most_spares = 0;
  while (newest_spare) Py_DECREF(wrap_raw(Array()));
}

namespace {

// A value stands for one of NumPy's scalars, whose "views" are copies: writing to them must not change it.
Array detached(const Array& view, const Array& value) {
  const Array copy = record_copy(value, value.type());
  Array result = copy.view(view.type(), view.shape(), view.strides(), view.offset() - value.offset());
  result.set_writeable(view.writeable());
  result.set_value(view.ndim() == 0);
  return result;
}

}  // namespace

PyObject* wrap_view_as(Array&& array, PyObject* owner, PyTypeObject* type) {
  const auto& [from, first_owner, earlier] = contents(owner).now();
  PyObject* base = first_owner;
  if (!base || !is_ndarray(base)) base = owner;
  if (from.is_value()) {
    if (array.storage() == from.storage()) array = detached(array, from);
    base = nullptr;
  }
  if (type == ndarray_type) return make_object(type, std::move(array), base);
  nb::object o = nb::steal(make_object(type, std::move(array), base));
  finalize(o.ptr(), owner);
  return o.release().ptr();
}

PyObject* wrap_view_raw(Array&& array, PyObject* owner) {
  PyTypeObject* type = array.is_value() ? ndarray_type : Py_TYPE(owner);
  return wrap_view_as(std::move(array), owner, type);
}

void bind_ndarray(nb::module_& m) {
  static std::vector<PyType_Slot> slots = ndarray_slots();
  slots.insert(slots.begin(), {slot(Py_tp_new, &new_slot), slot(Py_tp_init, &init_slot)});
  NdarrayClass c(m, "ndarray", nb::type_slots(slots.data()), nb::pooled(256), nb::is_weak_referenceable(),
                 kDoc);
  ndarray_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  {
    const nb::object probe = nb::inst_alloc(c);  // without contents: it must be gone before objects are kept
    if (nb::inst_ptr<PyNdarray>(probe) != &contents(probe.ptr()))
      throw std::runtime_error("cuprum: this nanobind keeps objects in another way");
  }
  keep_spares();
  c.attr("__module__") = "cuprum";
  c.attr("__array_priority__") = 100.0;
  c.attr("__hash__") = nb::none();
  bind_attributes(c);
  bind_subclass(c);
  bind_scalars(c);
  bind_conversion(m, c);
  bind_members(m, c);
  bind_dlpack(m, c);
  bind_devices(m, c);
  bind_streams(m);
  bind_indexing(c);
  bind_methods(c);
  document_methods(c);
  bind_method_texts(m);
}

}  // namespace cuprum::python
