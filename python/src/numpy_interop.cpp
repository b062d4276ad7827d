#include "numpy_interop.h"

#include <cstring>

#include "errors.h"
#include "runtime/host_element.h"

namespace cuprum::python {

namespace {

PyTypeObject* numpy_array_type = nullptr;
PyTypeObject* numpy_generic_type = nullptr;
PyObject* numpy_empty = nullptr;
PyObject* array_struct = nullptr;  // numpy.ndarray's own: classes derived from it may have others
PyObject* array_dtype = nullptr;
PyObject* dtype_name = nullptr;
PyObject* numpy_array_ufunc_method = nullptr;
PyObject* numpy_array_function_method = nullptr;

struct ScalarClass {
  PyTypeObject* type;
  dtype t;
  bool plain = false;  // its bytes stand behind the head of the object, as NumPy's arrayscalars.h says
};
ScalarClass scalar_classes[kDTypeCount + 2];
int scalar_class_count = 0;

/// The classes by their address, so that who asks for one, as every operand that is no array of ours does, looks at one or two places.
class ScalarClassTable {
 public:
  void fill() {
    for (int i = 0; i < scalar_class_count; ++i) {
      std::size_t at = place_of(scalar_classes[i].type);
      while (places_[at]) at = (at + 1) % kPlaces;
      places_[at] = &scalar_classes[i];
    }
  }
  const ScalarClass* find(const PyTypeObject* type) const {
    for (std::size_t at = place_of(type); places_[at]; at = (at + 1) % kPlaces) {
      if (places_[at]->type == type) return places_[at];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t kPlaces = 64;
  static std::size_t place_of(const PyTypeObject* type) {
    const auto address = reinterpret_cast<std::uintptr_t>(type);
    return (address >> 4 ^ address >> 10) % kPlaces;
  }

  const ScalarClass* places_[kPlaces] = {};
};
ScalarClassTable classes_by_type;

/// The public C structure behind __array_struct__.
struct ArrayInterface {
  int two;
  int nd;
  char typekind;
  int itemsize;
  int flags;
  Py_intptr_t* shape;
  Py_intptr_t* strides;
  void* data;
  PyObject* descr;
};
constexpr int kAligned = 0x100;
constexpr int kNotSwapped = 0x200;
constexpr int kWriteable = 0x400;

/// Kept for good.
PyTypeObject* class_of(nb::handle scope, const char* name) {
  return reinterpret_cast<PyTypeObject*>(nb::object(scope.attr(name)).release().ptr());
}

std::optional<dtype> type_of(char kind, int itemsize) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto t = static_cast<dtype>(i);
    if (t == dtype::bfloat16 || static_cast<int>(cuprum::itemsize(t)) != itemsize) continue;
    const char k = is_bool(t)               ? 'b'
                   : is_signed_integer(t)   ? 'i'
                   : is_unsigned_integer(t) ? 'u'
                   : is_floating(t)         ? 'f'
                                            : 'c';
    if (k == kind) return t;
  }
  return std::nullopt;
}

nb::object attribute_of(PyObject* descriptor, PyObject* o) {
  return checked(Py_TYPE(descriptor)->tp_descr_get(descriptor, o, reinterpret_cast<PyObject*>(Py_TYPE(o))));
}

Scalar scalar_from_bytes(PyObject* o, dtype t) {
  Py_buffer view;
  if (PyObject_GetBuffer(o, &view, PyBUF_SIMPLE) != 0) throw_python_error();
  Scalar s;
  s.type = t;
  if (view.len <= static_cast<Py_ssize_t>(sizeof s.bytes)) std::memcpy(s.bytes, view.buf, view.len);
  PyBuffer_Release(&view);
  return s;
}

Scalar scalar_behind_head(PyObject* o, dtype t) {
  Scalar s;
  take_bits(reinterpret_cast<const char*>(o) + sizeof(PyObject), t, s);
  return s;
}

/// Asks an object of the class whether it keeps its bytes there: reading them so takes a tenth of a buffer's time.
void look_behind_head(ScalarClass& c) {
  const nb::object one = nb::handle(reinterpret_cast<PyObject*>(c.type))(1);
  const auto room = static_cast<std::size_t>(c.type->tp_basicsize) - sizeof(PyObject);
  c.plain = room >= itemsize(c.t) && scalar_behind_head(one.ptr(), c.t) == scalar_from_bytes(one.ptr(), c.t);
}

}  // namespace

void bind_numpy_interop(nb::module_&) {
  nb::module_ np = nb::module_::import_("numpy");
  numpy_array_type = class_of(np, "ndarray");
  numpy_generic_type = class_of(np, "generic");
  numpy_empty = nb::object(np.attr("empty")).release().ptr();
  const nb::handle array_class(reinterpret_cast<PyObject*>(numpy_array_type));
  numpy_array_ufunc_method = nb::object(array_class.attr("__array_ufunc__")).release().ptr();
  numpy_array_function_method = nb::object(array_class.attr("__array_function__")).release().ptr();
  array_struct = nb::object(array_class.attr("__array_struct__")).release().ptr();
  array_dtype = nb::object(array_class.attr("dtype")).release().ptr();
  dtype_name = PyUnicode_InternFromString("dtype");
  for (int i = 0; i < kDTypeCount; ++i) {
    const auto t = static_cast<dtype>(i);
    if (t == dtype::bfloat16) continue;
    scalar_classes[scalar_class_count++] = {class_of(nb::handle(from_dtype(t)), "type"), t};
  }
  // C's long long is a class of its own beside int64.
  scalar_classes[scalar_class_count++] = {class_of(np, "longlong"), dtype::int64};
  scalar_classes[scalar_class_count++] = {class_of(np, "ulonglong"), dtype::uint64};
  for (int i = 0; i < scalar_class_count; ++i) look_behind_head(scalar_classes[i]);
  classes_by_type.fill();
}

bool is_numpy_array(PyObject* o) { return PyObject_TypeCheck(o, numpy_array_type); }

bool outranks_numpy(PyObject* o) {
  if (Py_TYPE(o) == numpy_array_type) return false;
  const nb::object rank = checked(PyObject_GetAttrString(o, "__array_priority__"));
  const double priority = PyFloat_AsDouble(rank.ptr());
  if (priority == -1.0 && PyErr_Occurred()) throw_python_error();
  return priority > 0;
}

PyObject* numpy_array_ufunc() { return numpy_array_ufunc_method; }
PyObject* numpy_array_function() { return numpy_array_function_method; }

bool is_numpy_number(PyObject* o) { return classes_by_type.find(Py_TYPE(o)) != nullptr; }

bool is_numpy_number_array(PyObject* o) {
  return Py_TYPE(o) == numpy_array_type && numpy_array_scalar(o).has_value();
}

bool is_numpy_scalar(PyObject* o) { return PyObject_TypeCheck(o, numpy_generic_type); }

std::optional<Scalar> numpy_scalar(PyObject* o) {
  const ScalarClass* known = classes_by_type.find(Py_TYPE(o));
  if (known && known->plain) return scalar_behind_head(o, known->t);
  if (!is_numpy_scalar(o)) return std::nullopt;
  for (int i = 0; i < scalar_class_count; ++i) {
    if (PyObject_TypeCheck(o, scalar_classes[i].type)) return scalar_from_bytes(o, scalar_classes[i].t);
  }
  nb::object type = checked(PyObject_GetAttr(o, dtype_name));
  nb::object name = checked(PyObject_GetAttrString(type.ptr(), "name"));
  if (PyUnicode_CompareWithASCIIString(name.ptr(), "bfloat16") != 0) return std::nullopt;
  const double v = PyFloat_AsDouble(o);
  if (v == -1.0 && PyErr_Occurred()) throw_python_error();
  return make_scalar(dtype::bfloat16, v);
}

std::optional<Scalar> numpy_array_scalar(PyObject* o) {
  if (!is_numpy_array(o) || outranks_numpy(o)) return std::nullopt;
  const nb::object capsule = attribute_of(array_struct, o);
  const auto* a = static_cast<const ArrayInterface*>(PyCapsule_GetPointer(capsule.ptr(), nullptr));
  if (!a) throw_python_error();
  const auto t = a->nd == 0 ? type_of(a->typekind, a->itemsize) : std::nullopt;
  if (!t || (a->flags & kNotSwapped) == 0) return std::nullopt;
  Scalar s;
  s.type = *t;
  std::memcpy(s.bytes, a->data, itemsize(*t));
  return s;
}

HostArray host_array(PyObject* o, const char* function) {
  HostArray h;
  h.capsule = attribute_of(array_struct, o);
  const auto* a = static_cast<const ArrayInterface*>(PyCapsule_GetPointer(h.capsule.ptr(), nullptr));
  if (!a) throw_python_error();
  const auto t = type_of(a->typekind, a->itemsize);
  // What the protocol's letters do not tell (bfloat16, objects, text, dates) the dtype itself does.
  h.type = t ? *t : to_dtype(attribute_of(array_dtype, o).ptr(), function);
  h.shape = Dims(a->shape, a->shape + a->nd);
  h.strides = Dims(a->strides, a->strides + a->nd);
  h.data = static_cast<std::byte*>(a->data);
  h.writeable = (a->flags & kWriteable) != 0;
  h.plain = (a->flags & kAligned) != 0 && (a->flags & kNotSwapped) != 0;
  return h;
}

nb::object empty_numpy(const Dims& shape, dtype t, char order, std::byte** data) {
  const char text[] = {order, '\0'};
  nb::object o =
      checked(PyObject_CallFunction(numpy_empty, "OOs", from_dims(shape).ptr(), from_dtype(t), text));
  *data = host_array(o.ptr(), "asnumpy").data;
  return o;
}

}  // namespace cuprum::python
