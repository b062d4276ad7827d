// Conversion: asarray and array from everything that holds numbers, and the ways back to the host.
#include <algorithm>

#include "bindings.h"
#include "casters.h"
#include "containers.h"
#include "core/promotion.h"
#include "errors.h"
#include "expr/engine.h"
#include "function.h"
#include "host.h"
#include "number_rows.h"
#include "numpy_interop.h"
#include "ops/assign.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "runtime/capture.h"
#include "streams.h"
#include "subclass.h"
#include "transfer_guard.h"

namespace cuprum::python {

namespace {

struct Request {
  const char* function;
  std::optional<dtype> type = std::nullopt;
  char order = 'K';
  std::optional<bool> copy = std::nullopt;  // unset: only where needed
  bool subok = false;                       // classes derived from ndarray pass through
};

[[noreturn]] void throw_copy_needed(const Request& r, const char* why) {
  throw ValueError(std::string("cuprum.") + r.function +
                   ": Unable to avoid copy while creating an array as requested: " + why +
                   "; write copy=None to allow a copy");
}

bool has_order(const Array& a, char order) {
  return order == 'C' ? a.c_contiguous() : order == 'F' ? a.f_contiguous() : true;
}

nb::object from_ndarray(PyObject* o, const Request& r) {
  const Array& a = contents(o).array();
  const dtype t = r.type.value_or(a.type());
  const char order = r.order == 'A' ? (a.f_contiguous() && !a.c_contiguous() ? 'F' : 'C') : r.order;
  const bool fits = t == a.type() && has_order(a, order);
  warn_of_lost_imaginary(a.type(), t);
  if (r.copy.value_or(!fits)) {
    Array copied = record_copy(a, t, order);
    return r.subok ? nb::steal(wrap_like_raw(std::move(copied), o)) : wrap(std::move(copied));
  }
  if (!fits) throw_copy_needed(r, "dtype or order differ");
  if (a.is_value()) return wrap(record_copy(a, t));  // NumPy makes an array of a scalar
  if (is_plain(o) || r.subok) return nb::borrow(o);
  return nb::steal(wrap_view_as(Array(a), o, ndarray_type));
}

nb::object from_host(PyObject* o, const Request& r) {
  if (r.copy == false) {
    Array shared = share_numpy(o, r.function);
    if (r.type.value_or(shared.type()) != shared.type() || !has_order(shared, r.order)) {
      throw_copy_needed(r, "dtype or order differ");
    }
    return nb::steal(make_object(ndarray_type, std::move(shared), o));
  }
  return wrap(from_numpy(o, r.type, r.order, r.function));
}

[[noreturn]] void throw_no_numbers(PyObject* o, const Request& r) {
  throw TypeError(
      std::string("cuprum.") + r.function + ": a " + type_name(o) +
      " is not an array of numbers (NumPy would make one of dtype object); Cuprum holds bool, integers, "
      "floating-point and complex numbers");
}

nb::object from_number(PyObject* o, const Value& v, const Request& r) {
  if (r.copy == false) throw_copy_needed(r, "a Python number has no memory to share");
  if (!r.type && v.kind() == Value::Kind::weak_int && !v.fits(dtype::int64) && !v.fits(dtype::uint64)) {
    throw_no_numbers(o, r);
  }
  const dtype t = r.type.value_or(v.type());
  check_stored(v, t);
  return wrap(record_full(default_backend(), {}, v.to_scalar(t)));
}

/// An array of another library that is neither a list nor a number: such leaves of a list are read here, not by NumPy.
bool is_foreign_leaf(PyObject* o) {
  const bool known = PyList_Check(o) || PyTuple_Check(o) || PyFloat_Check(o) || PyLong_Check(o) ||
                     PyComplex_Check(o) || is_numpy_array(o) || numpy_scalar(o);
  return !known && is_device_array(o);
}

/// What stands in a nested list, beside lists: numbers of Python's alone, other things too, or arrays among them.
enum class Leaves { numbers, others, arrays };

void check_depth(int depth, const char* function) {
  if (depth > kMaxDims)
    throw ValueError(std::string("cuprum.") + function +
                     ": setting an array element with a sequence. The requested array would exceed the "
                     "maximum number of dimension of 64.");
}

bool is_row(PyObject* o) { return PyList_CheckExact(o) || PyTuple_CheckExact(o); }

/// Looking at a leaf may run its code, which may change the list: items are held, the length is asked each time, and no more are
/// looked at than there were. A list that contains itself is too deep as well.
Leaves leaves_of(PyObject* o, int depth, const char* function) {
  if (is_ndarray(o)) return Leaves::arrays;
  if (!is_row(o)) return is_foreign_leaf(o) ? Leaves::arrays : Leaves::others;
  check_depth(depth, function);
  Leaves found = Leaves::numbers;
  const Items items(o);
  const Py_ssize_t n = items.size();
  for (Py_ssize_t i = 0; i < n && i < items.size(); ++i) {
    PyObject* item = items[i];
    if (PyFloat_CheckExact(item) || PyLong_CheckExact(item) || PyBool_Check(item) ||
        PyComplex_CheckExact(item))
      continue;
    found = std::max(found, leaves_of(nb::borrow(item).ptr(), depth + 1, function));
    if (found == Leaves::arrays) break;
  }
  return found;
}

/// A copy of the nested list for NumPy to read. NumPy borrows the items of lists, which must not change while code of their
/// leaves runs. Arrays become NumPy's, so that it can make one array of the whole.
nb::object for_numpy(PyObject* o, int depth, Leaves leaves, const char* function) {
  if (is_ndarray(o)) return to_numpy(contents(o).array());
  if (leaves == Leaves::arrays && is_foreign_leaf(o)) {  // by now it may say otherwise
    if (const nb::object shared = device_array(o, function); shared.is_valid())
      return to_numpy(contents(shared.ptr()).array());
  }
  if (!is_row(o)) return nb::borrow(o);
  check_depth(depth, function);
  nb::list copy;
  const Items items(o);
  const Py_ssize_t n = items.size();
  for (Py_ssize_t i = 0; i < n && i < items.size(); ++i) {
    const nb::object item = nb::borrow(items[i]);
    copy.append(for_numpy(item.ptr(), depth + 1, leaves, function));
  }
  return copy;
}

/// The arrays of a nested list, joined on their device; nothing where numbers or other things stand between them: NumPy
/// knows what to make of those.
std::optional<Array> stacked(PyObject* o, int depth) {
  if (is_ndarray(o)) return contents(o).array();
  if (depth > kMaxDims || !is_row(o)) return std::nullopt;
  std::vector<Array> rows;
  const Items items(o);
  for (Py_ssize_t i = 0; i < items.size(); ++i) {
    std::optional<Array> row = stacked(items[i], depth + 1);
    if (!row ||
        (i > 0 && (row->shape() != rows[0].shape() || !same_device(row->backend(), rows[0].backend()))))
      return std::nullopt;
    rows.push_back(std::move(*row));
  }
  if (rows.empty() || rows[0].ndim() >= kMaxDims) return std::nullopt;
  return ops::stack(rows);
}

/// The NumPy array of lists, buffers and whatever else NumPy can read.
nb::object as_numpy(PyObject* o, Leaves leaves, const Request& r) {
  const nb::object source =
      leaves == Leaves::numbers ? Items(o).whole() : for_numpy(o, 0, leaves, r.function);
  const nb::object np_asarray = nb::module_::import_("numpy").attr("asarray");
  PyObject* type = r.type && numpy_has(*r.type) ? from_dtype(*r.type) : Py_None;
  const nb::object host =
      nb::steal(PyObject_CallFunctionObjArgs(np_asarray.ptr(), source.ptr(), type, nullptr));
  if (!host.is_valid()) throw_named_error(r.function);
  const char kind = to_utf8(host.attr("dtype").attr("kind").ptr())[0];
  if (kind == 'O') throw_no_numbers(o, r);
  return host;
}

/// A conversion whose object asks for conversions itself, by a protocol that NumPy calls. NumPy forgets the error of one
/// protocol and tries the next, so that objects which convert themselves would double the work at every level.
class Nested {
 public:
  Nested() {
    if (depth_ >= kMost) {
      PyErr_SetString(PyExc_RecursionError,
                      "cuprum: an object's conversion to an array asks for its own conversion");
      throw_python_error();
    }
    ++depth_;
  }
  ~Nested() { --depth_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;

 private:
  static constexpr int kMost = 10;
  static inline thread_local int depth_ = 0;
};

nb::object through_numpy(PyObject* o, const Request& r) {
  if (r.copy == false && (PyList_Check(o) || PyTuple_Check(o)))
    throw_copy_needed(r, "a list has no memory to share");
  if (!r.type && r.order != 'F') {
    if (std::optional<Array> numbers = array_of_numbers(o)) return wrap(*std::move(numbers));
  }
  const Leaves leaves = leaves_of(o, 0, r.function);
  if (const std::optional<Array> joined = leaves == Leaves::arrays ? stacked(o, 0) : std::nullopt) {
    Request again = r;
    again.copy = std::nullopt;  // it is one
    again.order = r.order == 'F' ? 'F' : 'C';
    return from_ndarray(wrap(*joined).ptr(), again);
  }
  const Nested nested;
  const OnDevice there(leaves == Leaves::arrays ? device_within(o) : nullptr);
  return from_host(as_numpy(o, leaves, r).ptr(), r);
}

/// A tensor of another library that NumPy cannot read, because it is not in host memory.
bool is_on_device(PyObject* o) {
  const nb::object method = attribute(o, "__dlpack_device__");
  if (!method.is_valid()) return false;
  nb::object where;
  try {
    where = method();
  } catch (const nb::python_error& e) {
    if (is_final(e)) throw;
    return false;
  }
  if (!PyTuple_Check(where.ptr()) || PyTuple_GET_SIZE(where.ptr()) != 2) return false;
  constexpr long kHost = 1, kPinnedHost = 3;  // kDLCPU, kDLCUDAHost
  const long type = PyLong_AsLong(PyTuple_GET_ITEM(where.ptr(), 0));
  PyErr_Clear();
  return type != kHost && type != kPinnedHost;
}

/// The memory of another library's tensor, through DLPack; none: it must be read another way. What has a buffer NumPy
/// reads best. What refuses DLPack (a tensor that records gradients, a dtype that DLPack does not have) may still have an
/// __array__.
nb::object share_tensor(PyObject* o, const Request& r) {
  if (!attribute(o, "__dlpack__").is_valid()) return nb::object();
  if (is_on_device(o)) return from_dlpack(o, r.function);
  if (PyObject_CheckBuffer(o)) return nb::object();
  if (!attribute(o, "__array__").is_valid()) return from_dlpack(o, r.function);
  try {
    return from_dlpack(o, r.function);
  } catch (const nb::python_error& e) {
    if (is_final(e)) throw;
  } catch (const Error&) {
  }
  return nb::object();
}

/// A copy of shared memory, on the device that new arrays live on, unless `copy=False` asks for the memory itself.
nb::object from_shared(nb::object shared, const Request& r) {
  Request again = r;
  if (!again.copy) again.copy = true;
  const Array& a = contents(shared.ptr()).array();
  if (*again.copy && !same_device(a.backend(), default_backend())) {
    shared = wrap(on_backend(a, default_backend()));
    again.copy = std::nullopt;  // it is one
  }
  return from_ndarray(shared.ptr(), again);
}

/// NumPy knows no __array__ that gives an array of ours: it is asked where NumPy has refused it.
nb::object from_other(PyObject* o, const Request& r) {
  try {
    return through_numpy(o, r);
  } catch (const ValueError&) {
    const nb::object give = attribute(o, "__array__");
    if (!give.is_valid()) throw;
    const nb::object own = give();
    if (!is_ndarray(own.ptr())) throw;
    return from_ndarray(own.ptr(), r);
  }
}

nb::object convert(PyObject* o, const Request& r) {
  if (is_ndarray(o)) return from_ndarray(o, r);
  if (is_numpy_array(o)) return from_host(o, r);
  if (PyList_Check(o) || PyTuple_Check(o)) return through_numpy(o, r);
  if (const auto v = try_value(o, r.function, 1)) return from_number(o, *v, r);
  if (const nb::object tensor = share_tensor(o, r); tensor.is_valid()) return from_shared(tensor, r);
  if (nb::object shared = device_array(o, r.function); shared.is_valid())
    return from_ndarray(shared.ptr(), r);
  return from_other(o, r);
}

nb::object with_ndmin(nb::object o, int ndmin) {
  const Array& a = contents(o.ptr()).array();
  if (a.ndim() >= ndmin) return o;
  if (ndmin > kMaxDims)
    throw ValueError("cuprum.array: ndmin bigger than allowable number of dimensions NPY_MAXDIMS (=64)");
  Dims shape(static_cast<std::size_t>(ndmin - a.ndim()), 1);
  for (std::int64_t d : a.shape()) shape.push_back(d);
  return wrap_view(ops::reshape(a, shape), o.ptr());
}

std::optional<bool> to_copy(nb::handle h) {
  if (h.is_none()) return std::nullopt;
  return to_flag(h.ptr());
}

void check_ndmax(PyObject* o, const Array& a, std::int64_t ndmax) {
  if (ndmax == 0 || a.ndim() <= ndmax || !(PyList_Check(o) || PyTuple_Check(o))) return;
  throw ValueError("cuprum.array: the data have " + std::to_string(a.ndim()) +
                   " dimensions, more than ndmax=" + std::to_string(ndmax));
}

PyObject* array(PyObject* const* args) {
  if (args[2] && PyUnicode_Check(args[2]))
    throw ValueError(
        "cuprum.array: strings are not allowed for 'copy' keyword. Use True/False/None instead.");
  const std::int64_t ndmin = int_argument(args[5], "array", "ndmin", 0),
                     ndmax = int_argument(args[6], "array", "ndmax", 0);
  if (ndmax < 0 || ndmax > kMaxDims)
    throw ValueError("cuprum.array: ndmax must be in the range [0, NPY_MAXDIMS (64)], given " +
                     std::to_string(ndmax));
  const Request r{"array", to_optional_dtype(args[1], "array"), to_order(args[3], "array"),
                  args[2] ? to_copy(args[2]) : true, flag_argument(args[4])};
  nb::object result = with_ndmin(convert(args[0], r), static_cast<int>(ndmin));
  check_ndmax(args[0], contents(result.ptr()).array(), ndmax);
  return result.release().ptr();
}

PyObject* asarray(PyObject* const* args) {
  const bool as_it_is = !given(args[1]) && !given(args[2]) && !given(args[3]) && !given(args[4]);
  if (as_it_is && is_plain(args[0]) && !contents(args[0]).array().is_value()) return Py_NewRef(args[0]);
  const OnDevice there(args[3], "asarray");
  const Request r{"asarray", to_optional_dtype(args[1], "asarray"), to_order(args[2], "asarray"),
                  given(args[4]) ? to_copy(args[4]) : std::nullopt, flag_argument(args[5])};
  nb::object result = convert(args[0], r);
  const Array& a = contents(result.ptr()).array();
  if (!given(args[3]) || same_device(a.backend(), default_backend())) return result.release().ptr();
  if (r.copy == false) throw_copy_needed(r, "it is on another device");
  return wrap_raw(on_backend(a, default_backend()));
}

constinit Function kArray = {"array",
                             "object, dtype=None, copy=True, order='K', subok=False, ndmin=0, ndmax=0",
                             &array, "A new array with the given contents.", ResultClass::plain};
constinit Function kAsarray = {"asarray", "a, dtype=None, order=None, *, device=None, copy=None, subok=False",
                               &asarray, "The array itself, or an array made of it.", ResultClass::plain};

/// An argument of a function that is written in Python, taken as those in C++ take theirs.
nb::object as_array(nb::handle o, const Text& called, int position, bool parameter) {
  if (is_ndarray(o.ptr())) return nb::borrow(o);
  const HostRole role = parameter ? HostRole::parameter : HostRole::operand;
  if (is_numpy_array(o.ptr())) admit_host_array(o.ptr(), role, called.c_str(), position);
  if (answers_functions(o.ptr())) throw_not_array(o.ptr(), called.c_str(), position);
  return as_ndarray(o.ptr(), called.c_str());
}

/// A NumPy array with the contents of an array, `out` where it is given.
nb::object array_to_host(const Array& a, char order, nb::handle out, Fetch fetch) {
  if (out.is_none()) return to_numpy(a, order, fetch);
  if (std::byte* data = memory_for(a, out.ptr())) {
    copy_to_host(a, data, fetch);
  } else {
    fetch.waits = true;
    nb::module_::import_("numpy").attr("copyto")(out, to_numpy(a, order, fetch));
  }
  return nb::borrow(out);
}

/// The same of anything. Without `blocking` the bytes are there when the stream has got so far, and the stream keeps their memory
/// until then.
nb::object to_host(nb::handle o, nb::handle given, nb::handle order, nb::handle out, bool blocking) {
  const char layout = order.is_none() ? 'C' : to_order(order.ptr(), "asnumpy");
  const nb::object a = is_ndarray(o.ptr()) ? nb::borrow(o) : device_array(o.ptr(), "asnumpy");
  if (!a.is_valid()) {
    const nb::module_ np = nb::module_::import_("numpy");
    const nb::object host = np.attr("asarray")(o, nb::arg("order") = std::string(1, layout));
    if (out.is_none()) return host;
    np.attr("copyto")(out, host);
    return nb::borrow(out);
  }
  const Array& array = contents(a.ptr()).array();
  Stream* stream = stream_given(given, "asnumpy");
  if (stream && &stream->device != &array.backend().known_as())
    throw ValueError(std::string("cuprum.asnumpy: the stream is on ") + stream->device.name() +
                     ", the array on " + array.backend().name());
  return on_stream(stream, [&] {
    nb::object host = array_to_host(array, layout, out, {stream || !blocking, blocking});
    if (!blocking) {
      const std::shared_ptr<PyObject> kept(Py_NewRef(host.ptr()), &release_python_object_soon);
      launch_host(current_stream(array.backend()), [kept] {});
    }
    return host;
  });
}

nb::object get(nb::handle self, nb::handle stream, nb::handle order, nb::handle out, nb::handle blocking) {
  return to_host(self, stream, order, out, to_flag(blocking.ptr()));
}

nb::object asnumpy(nb::handle o, nb::handle stream, nb::handle order, nb::handle out, nb::handle blocking) {
  return to_host(o, stream, order, out, to_flag(blocking.ptr()));
}

void set(nb::handle self, nb::handle host, nb::handle stream) {
  const Array& target = contents(self.ptr()).array();
  const OnDevice there(&target.backend());
  on_stream(stream_given(stream, "ndarray.set"), [&] {
    const nb::object source = convert(host.ptr(), Request{"ndarray.set", target.type()});
    ops::assign_value("ndarray.set", target, contents(source.ptr()).array());
    return nullptr;
  });
}

nb::object frombuffer(nb::handle buffer, nb::handle t, nb::handle count, nb::handle offset) {
  const dtype element = t.is_none() ? dtype::float64 : to_dtype(t.ptr(), "frombuffer");
  if (!numpy_has(element)) throw TypeError("cuprum.frombuffer: bfloat16 needs the package ml_dtypes");
  const nb::object read = nb::module_::import_("numpy").attr("frombuffer");
  const nb::object host = nb::steal(PyObject_CallFunctionObjArgs(
      read.ptr(), buffer.ptr(), from_dtype(element), count.ptr(), offset.ptr(), nullptr));
  if (!host.is_valid()) throw_named_error("frombuffer");
  Request r{"frombuffer", element};
  if (current_device().host_accessible() && host_array(host.ptr(), "frombuffer").plain) r.copy = false;
  return from_host(host.ptr(), r);
}

}  // namespace

nb::object as_ndarray(PyObject* o, const char* function, std::optional<dtype> t) {
  return convert(o, Request{function, t, 'K', std::nullopt, true});
}

bool is_host_sequence(PyObject* o, const char* function) {
  if (PyList_Check(o) || PyTuple_Check(o)) return leaves_of(o, 0, function) != Leaves::arrays;
  return PyObject_CheckBuffer(o) != 0 && !is_ndarray(o);
}

nb::object host_sequence(PyObject* o, const char* function) {
  return as_numpy(o, leaves_of(o, 0, function), Request{function});
}

nb::object ndarray_over_buffer(const Dims& shape, dtype t, nb::handle buffer, nb::handle offset,
                               nb::handle strides, nb::handle order) {
  nb::object host = nb::module_::import_("numpy").attr("ndarray")(from_dims(shape), nb::handle(from_dtype(t)),
                                                                  buffer, offset, strides, order);
  return from_host(host.ptr(), Request{"ndarray", t, 'K', false});
}

void bind_conversion(nb::module_& m, NdarrayClass& c) {
  add_functions(m, {entry<kArray>(), entry<kAsarray>()});
  m.def("as_array", &as_array, nb::arg("x").none(), nb::arg("function"), nb::arg("position"),
        nb::arg("parameter") = false,
        "as_array(x, function, position, parameter=False)\n\nAn argument as an array; errors name the "
        "function and the "
        "argument.");
  m.def(
      "dims",
      [](nb::handle x, const Text& function, const Text& parameter) {
        return from_dims(to_dims(x.ptr(), function.c_str(), parameter.c_str()));
      },
      nb::arg("x").none(), nb::arg("function"), nb::arg("parameter"));
  m.def("asnumpy", &asnumpy, nb::arg("a").none(), nb::arg("stream") = nb::none(),
        nb::arg("order").none() = "C", nb::arg("out") = nb::none(), nb::kw_only(), nb::arg("blocking") = true,
        "asnumpy(a, stream=None, order='C', out=None, *, blocking=True)\n\nA NumPy array with the contents "
        "of `a`.");
  m.def("frombuffer", &frombuffer, nb::arg("buffer").none(), nb::arg("dtype") = nb::none(),
        nb::arg("count") = -1, nb::arg("offset") = 0,
        "frombuffer(buffer, dtype=float, count=-1, offset=0)\n\nA 1-d array over the bytes of a buffer.");
  c.def("get", &get, nb::arg("stream") = nb::none(), nb::arg("order").none() = "C",
        nb::arg("out") = nb::none(), nb::arg("blocking") = true,
        "A NumPy array with the contents of this one.");
  c.def("set", &set, nb::arg("arr").none(), nb::arg("stream") = nb::none(),
        "Fills this array with the contents of a NumPy array.");
}

}  // namespace cuprum::python
