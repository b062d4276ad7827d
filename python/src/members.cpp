// The methods of ndarray that copy, convert or show it.
#include "bindings.h"
#include "casters.h"
#include "core/promotion.h"
#include "errors.h"
#include "expr/engine.h"
#include "function.h"
#include "host.h"
#include "number_rows.h"
#include "ops/assign.h"
#include "ops/basic_index.h"
#include "ops/index.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"
#include "runtime/lock.h"
#include "subclass.h"
#include "transfer_guard.h"

namespace cuprum::python {

namespace {

const Array& array_of(nb::handle self) { return contents(self.ptr()).array(); }

PyObject* astype(PyObject* const* args) {
  constexpr const char* kName = "ndarray.astype";
  const OnDevice there(args[6], kName);
  const Array& a = array_of(args[0]);
  const dtype to = to_dtype(args[1], kName);
  const char layout = to_order(args[2], kName);
  if (args[3] == Py_None) throw TypeError("cuprum.ndarray.astype: casting must be str, not NoneType");
  const std::string casting = text_argument(args[3], kName, "casting", "unsafe");
  const bool subok = flag_argument(args[4], true), copy = flag_argument(args[5], true);
  if (!can_cast(a.type(), to, parse_casting(casting.c_str()))) {
    throw TypeError(std::string("cuprum.ndarray.astype: Cannot cast array data from dtype('") +
                    name(a.type()) + "') to dtype('" + name(to) + "') according to the rule '" + casting +
                    "'");
  }
  warn_of_lost_imaginary(a.type(), to);
  const bool ordered = layout == 'C' ? a.c_contiguous() : layout == 'F' ? a.f_contiguous() : true;
  const bool there_already = !given(args[6]) || same_device(a.backend(), default_backend());
  if (!copy && a.type() == to && ordered && there_already) return Py_NewRef(args[0]);
  Array result = record_copy(a, to, layout);
  if (!there_already) result = on_backend(result, default_backend());
  result.set_value(a.is_value());
  return subok && !is_plain(args[0]) ? wrap_like_raw(std::move(result), args[0])
                                     : wrap_raw(std::move(result));
}

PyObject* copy_in_order(PyObject* self, char order) {
  const Array& a = array_of(self);
  Array result = record_copy(a, a.type(), order);
  result.set_value(a.is_value());
  return wrap_like_raw(std::move(result), self);
}

PyObject* copy(PyObject* const* args) {
  return copy_in_order(args[0], args[1] ? to_order(args[1], "ndarray.copy") : 'C');
}

constinit Function kAstype = {"astype",
                              "self, dtype, order='K', casting='unsafe', subok=True, copy=True, device=None",
                              &astype, "A copy converted to another dtype.", ResultClass::plain};
constinit Function kCopy = {"copy", "self, order='C'", &copy, "A copy.", ResultClass::plain};

bool is_array_class(nb::handle o) {
  return PyType_Check(o.ptr()) && PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(o.ptr()), ndarray_type);
}

/// view(dtype), view(type), view(dtype, type).
nb::object view(nb::handle self, nb::handle t, nb::handle type) {
  const Array& a = array_of(self);
  if (is_array_class(t)) {
    if (!type.is_none()) throw ValueError("cuprum.ndarray.view: Cannot specify output type twice.");
    return view(self, nb::none(), t);
  }
  if (!type.is_none() && !is_array_class(type))
    throw ValueError("cuprum.ndarray.view: Type must be a subtype of cuprum.ndarray, given " +
                     to_utf8(nb::repr(type).ptr()));
  Array seen =
      t.is_none() ? a.view(a.shape(), a.strides()) : ops::view_as(a, to_dtype(t.ptr(), "ndarray.view"));
  auto* to = type.is_none() ? Py_TYPE(self.ptr()) : reinterpret_cast<PyTypeObject*>(type.ptr());
  return nb::steal(wrap_view_as(std::move(seen), self.ptr(), to));
}

void fill(nb::handle self, nb::handle value) {
  const Array& a = array_of(self);
  if (!a.writeable()) ops::throw_read_only();
  nb::object keep;
  const Value v = stored_value(value.ptr(), a.type(), "ndarray.fill", &keep);
  if (v.shape().size() > 0)
    throw ValueError("cuprum.ndarray.fill: the value must be a number or a 0-d array; write a[...] = x");
  if (v.kind() != Value::Kind::weak_complex) warn_of_lost_imaginary(v.type(), a.type());
  check_element(v, a.type());
  ops::assign_value("ndarray.fill", a, v);
}

/// The place in the storage of one element, by a flat index or by one index per dimension.
std::int64_t place_of_element(const Array& a, const Dims& index) {
  Dims at = index;
  if (index.size() == 1 && a.ndim() != 1) {
    std::int64_t flat = index[0];
    const std::int64_t n = a.size();
    if (flat < -n || flat >= n) {
      throw IndexError("index " + std::to_string(flat) + " is out of bounds for size " + std::to_string(n));
    }
    if (flat < 0) flat += n;
    at = Dims(static_cast<std::size_t>(a.ndim()));
    for (int d = a.ndim() - 1; d >= 0; --d) {
      at[d] = flat % a.shape()[d];
      flat /= a.shape()[d];
    }
  }
  if (static_cast<int>(at.size()) != a.ndim()) throw ValueError("incorrect number of indices for array");
  return ops::element_offset(a, {at.data(), at.size()});
}

/// item(*index), which names no parameters.
PyObject* item(PyObject* self, PyObject* const* args, Py_ssize_t n) noexcept {
  return guarded([&] {
    const Array& a = array_of(self);
    if (n == 0) {
      if (a.size() != 1) throw ValueError("can only convert an array of size 1 to a Python scalar");
      return element_of(a).release().ptr();
    }
    Dims index;
    if (n == 1) {
      index = to_dims(args[0], "ndarray.item", "index");
    } else {
      if (n > kMaxDims) throw ValueError("incorrect number of indices for array");
      for (Py_ssize_t i = 0; i < n; ++i)
        index.push_back(to_int(args[i], "ndarray.item", "index", PyExc_ValueError));
    }
    return element_of(a, place_of_element(a, index)).release().ptr();
  });
}

PyMethodDef item_method = {"item", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&item)),
                           METH_FASTCALL,
                           "item($self, /, *args)\n--\n\n"
                           "The element at an index, or the only one, as a Python number."};

/// NumPy writes the name of the class before the brackets.
nb::object repr(nb::handle self) {
  nb::object host = to_numpy(array_of(self));
  if (is_plain(self.ptr())) return nb::repr(host);
  nb::object base = nb::module_::import_("numpy").attr("ndarray");
  nb::object name = nb::handle(reinterpret_cast<PyObject*>(Py_TYPE(self.ptr()))).attr("__name__");
  nb::handle make(reinterpret_cast<PyObject*>(&PyType_Type));
  return nb::repr(host.attr("view")(make(name, nb::make_tuple(base), nb::dict())));
}
nb::object str(nb::handle self) { return nb::str(to_numpy(array_of(self))); }

/// Lets go of memory that nobody but `a` and the object that it belonged to names: whoever still reads it reads zeros.
void empty(const Array& a) {
  const EngineLock lock;
  const Storage& storage = *a.storage();
  if (storage.use_count() > 2 || storage.lent || storage.pinned() || !a.covers_storage()) return;
  Array whole = a;
  whole.set_writeable(true);
  assign(whole, Scalar{a.type()});
}

/// The object holds from now on what another one holds: its own views keep what they have.
void become(nb::handle self, nb::handle other) {
  unwrap(self.ptr(), "ndarray.resize", 0);
  Array array = unwrap(other.ptr(), "ndarray.resize", 0);
  array.set_value(false);
  const PyNdarray::State& before = contents(self.ptr()).now();
  const bool is_view = array.storage() == before.array.storage();  // of the same array as before
  const Array left = is_view ? Array() : before.array;
  contents(self.ptr()).become(std::move(array), is_view ? before.base : nullptr);
  if (left) empty(left);
}

bool contains(nb::handle self, nb::handle value) {
  const nb::object of =
      is_array_like(value.ptr()) ? as_ndarray(value.ptr(), "ndarray.__contains__") : nb::borrow(value);
  const nb::object answer = checked(PyObject_RichCompare(self.ptr(), of.ptr(), Py_EQ));
  if (!is_ndarray(answer.ptr())) return to_flag(answer.ptr());
  return ops::to_truth(ops::any(array_of(answer)));
}

/// __array__, by which NumPy asks for the elements: the memory itself where the host can read it.
nb::object array_protocol(nb::handle self, nb::handle t, nb::handle copy) {
  const Array& a = array_of(self);
  const nb::object np_array = nb::module_::import_("numpy").attr("array");
  if (a.backend().known_as().host_accessible() && a.type() != dtype::bfloat16) {
    const nb::object memory = checked(PyMemoryView_FromObject(self.ptr()));
    return np_array(memory, nb::arg("dtype") = t, nb::arg("copy") = copy);
  }
  admit_download(a);
  if (!copy.is_none() && !to_flag(copy.ptr()))
    throw ValueError(
        std::string("cuprum: Unable to avoid copy while creating an array as requested: it is on ") +
        a.backend().name());
  return np_array(to_numpy(a, 'A'), nb::arg("dtype") = t, nb::arg("copy") = nb::none());
}

/// What `sys.getsizeof` asks for: the object, and the elements that are its own.
std::size_t size_of(nb::handle self) {
  const auto object = static_cast<std::size_t>(Py_TYPE(self.ptr())->tp_basicsize);
  return contents(self.ptr()).base() ? object : object + array_of(self).nbytes();
}

/// A method whose body is a function of the package: dispatch of NumPy's functions is natural in Python.
auto forward(const char* function) {
  return [function](nb::handle self, nb::args args, nb::kwargs kwargs) -> nb::object {
    return nb::module_::import_("cuprum._dispatch").attr(function)(self, *args, **kwargs);
  };
}

}  // namespace

void bind_members(nb::module_& m, NdarrayClass& c) {
  m.def("become", &become);
  add_methods(c, {entry<kAstype>(), entry<kCopy>()});
  c.def("__copy__", [](nb::handle self) { return nb::steal(copy_in_order(self.ptr(), 'K')); });
  c.def("__deepcopy__",
        [](nb::handle self, nb::handle) { return nb::steal(copy_in_order(self.ptr(), 'K')); });
  c.def("view", &view, nb::arg("dtype") = nb::none(), nb::arg("type") = nb::none(),
        "A view, as another dtype if given.");
  c.def("fill", &fill, nb::arg("value").none(), "Sets every element to a number.");
  c.attr("item") = checked(PyDescr_NewMethod(ndarray_type, &item_method));
  c.def(
      "tolist", [](nb::handle self) { return numbers_of(array_of(self)); },
      "The elements as nested lists of Python numbers.");
  c.def(
      "tobytes",
      [](nb::handle self, nb::handle order) { return to_numpy(array_of(self), 'A').attr("tobytes")(order); },
      nb::arg("order").none() = "C", "The bytes of the elements.");
  c.def("__repr__", &repr);
  c.def("__str__", &str);
  c.def("__contains__", &contains, nb::arg("key").none());
  c.def("__array__", &array_protocol, nb::arg("dtype") = nb::none(), nb::kw_only(),
        nb::arg("copy") = nb::none(), "The elements as a NumPy array, for NumPy.");
  c.def("__sizeof__", &size_of, "The bytes of the object, and of the elements unless it is a view.");
  c.def("__array_function__", forward("array_function"));
}

}  // namespace cuprum::python
