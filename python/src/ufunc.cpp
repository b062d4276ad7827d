// ufunc objects: calling them.
#include "ufunc.h"

#include <structmember.h>

#include <algorithm>
#include <vector>

#include "bindings.h"
#include "core/resolve.h"
#include "errors.h"
#include "numpy_interop.h"
#include "ops/elementwise.h"
#include "slots.h"
#include "subclass.h"

namespace cuprum::python {

namespace {

struct CallArguments {
  std::optional<Value> values[kMaxInputs];
  PyObject* outs[2] = {nullptr, nullptr};  // borrowed; null: none
  bool subok = true;
  ops::UfuncOptions options;
  nb::object where;  // keeps a mask that had to be made
  Array mask;
};

[[noreturn]] void throw_count(const PyUfunc& u, Py_ssize_t given) {
  const int most = u.nin + u.nout;
  throw TypeError(std::string(u.name) + "() takes from " + std::to_string(u.nin) + " to " +
                  std::to_string(most) + " positional arguments but " + std::to_string(given) +
                  (given == 1 ? " was given" : " were given"));
}

void read_outs(const PyUfunc& u, PyObject* o, CallArguments& a) {
  if (!o || o == Py_None) return;
  if (!PyTuple_Check(o)) {
    if (u.nout > 1) throw TypeError("'out' must be a tuple of arrays");
    a.outs[0] = o;
    return;
  }
  if (PyTuple_GET_SIZE(o) != u.nout) {
    throw ValueError("The 'out' tuple must have exactly one entry per ufunc output");
  }
  for (int i = 0; i < u.nout; ++i) {
    PyObject* item = PyTuple_GET_ITEM(o, i);
    a.outs[i] = item == Py_None ? nullptr : item;
  }
}

void read_where(const PyUfunc& u, PyObject* o, CallArguments& a) {
  if (!o || o == Py_True) return;
  const Value mask = stored_value(o, dtype::bool_, u.name, &a.where);  // a list of numbers is one of bools
  a.mask = mask.is_array() ? mask.array() : to_array(mask, mask.type(), default_backend());
  a.options.where = &a.mask;
}

void warn_of_missing_out() {
  const int status =
      PyErr_WarnEx(PyExc_UserWarning,
                   "'where' used without 'out', expect uninitialized memory in output. If this "
                   "is intended, use out=None.",
                   1);
  if (status < 0) throw_python_error();
}

Casting to_casting(PyObject* o, const char* function) {
  if (!PyUnicode_Check(o))
    throw TypeError(std::string("cuprum.") + function + ": casting must be str, not " + type_name(o));
  return parse_casting(to_utf8(o).c_str());
}

void read_keywords(const PyUfunc& u, PyObject* const* values, PyObject* names, bool positional_out,
                   CallArguments& a) {
  Keywords k(u.name, values, names);
  PyObject* out = k.take("out");
  if (out && positional_out)
    throw TypeError("cannot specify 'out' as both a positional and keyword argument");
  if (out != Py_Ellipsis) read_outs(u, out, a);  // `...` asks for an array, which every result is
  read_where(u, k.take("where"), a);
  if (a.options.where && !out && !positional_out) warn_of_missing_out();
  a.options.type = to_optional_dtype(k.take("dtype"), u.name);
  if (PyObject* casting = k.take("casting")) a.options.casting = to_casting(casting, u.name);
  if (PyObject* order = k.take("order")) a.options.order = to_order(order, u.name);
  if (PyObject* subok = k.take("subok")) a.subok = to_flag(subok);
  if (PyObject* signature = k.take("signature"); signature && signature != Py_None) {
    throw TypeError(std::string("cuprum.") + u.name +
                    ": signature= is not taken; write dtype= for the result's dtype");
  }
  k.finish();
}

/// Unsafe casts, of an operand to the dtype of the loop or of the result to `out`, may drop imaginary parts.
void warn_of_unsafe_casts(const PyUfunc& u, std::span<const Value> args, const ops::UfuncOptions& options) {
  OperandType types[kMaxInputs];
  for (std::size_t i = 0; i < args.size(); ++i) types[i] = args[i].operand_type();
  if (args.size() == 1) types[0] = {args[0].type()};  // a number alone is not weak
  Op op = u.pair ? u.pair->first : u.op;
  const Signature& s = resolve_call(u.name, op, {types, args.size()}, options.type, options.casting);
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!has(op, kLogical)) warn_of_lost_imaginary(args[i].type(), s.in[i]);
  }
  if (options.out) warn_of_lost_imaginary(s.out, options.out->type());
}

PyObject* call_one(const PyUfunc& u, std::span<const Value> args, CallArguments& a) {
  if (a.outs[0]) a.options.out = &to_out_array(a.outs[0], u.name);
  if (a.options.casting == Casting::unsafe) warn_of_unsafe_casts(u, args, a.options);
  Array result = ops::call(u.op, args, a.options);
  return a.outs[0] ? Py_NewRef(a.outs[0]) : wrap_raw(std::move(result));
}

PyObject* call_two(const PyUfunc& u, std::span<const Value> args, CallArguments& a) {
  const Array* outs[2] = {nullptr, nullptr};
  for (int i = 0; i < 2; ++i) {
    if (a.outs[i]) outs[i] = &to_out_array(a.outs[i], u.name);
  }
  if (a.options.casting == Casting::unsafe) warn_of_unsafe_casts(u, args, a.options);
  auto [first, second] = ops::call_pair(*u.pair, args, outs, a.options);
  nb::object results[2] = {a.outs[0] ? nb::borrow(a.outs[0]) : wrap(std::move(first)),
                           a.outs[1] ? nb::borrow(a.outs[1]) : wrap(std::move(second))};
  return nb::make_tuple(results[0], results[1]).release().ptr();
}

/// The results (stolen) as objects of the class that the operands decide; what was written into `out=` stays what it is.
PyObject* with_class(PyObject* self, PyObject* const* args, Py_ssize_t n, const CallArguments& a,
                     PyObject* results) {
  ClassChoice choice;
  for (Py_ssize_t i = 0; i < reinterpret_cast<PyUfunc*>(self)->nin; ++i) choice.consider(args[i]);
  if (!choice.like() || !a.subok || a.outs[0] || a.outs[1]) return results;
  return wrapped_by(results, choice.like(), self, args, n);
}

PyObject* ufunc_call(PyObject* self, PyObject* const* args, std::size_t nargsf, PyObject* names) noexcept {
  const PyUfunc& u = *reinterpret_cast<PyUfunc*>(self);
  const Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  return guarded([&]() -> PyObject* {
    const bool ordinary = std::all_of(args, args + n, is_ordinary);
    if (ordinary && !names && n == u.nin && u.nout == 1) {  // the usual call
      if (n == 1) {
        const Value a = to_value(args[0], u.name, 1);
        return wrap_raw(ops::unary(u.op, a, a.is_array() ? nullptr : &default_backend()));
      }
      if (n == 2) {
        if (PyObject* result = binary_of_plain(u.op, args[0], args[1])) return result;
        const Value a = to_value(args[0], u.name, 1), b = to_value(args[1], u.name, 2);
        return wrap_raw(ops::binary(u.op, a, b, a.is_array() || b.is_array() ? nullptr : &default_backend()));
      }
    }
    if (n < u.nin || n > u.nin + u.nout) throw_count(u, n);
    if (!ordinary || names) {
      if (PyObject* answer = try_override(self, "__call__", args, n, names)) return answer;
    }
    const OnDevice there(device_of_vectorcall([&] { return u.name; }, args, n, names));
    CallArguments a;
    a.options.device = &default_backend();
    for (Py_ssize_t i = u.nin; i < n; ++i) a.outs[i - u.nin] = args[i] == Py_None ? nullptr : args[i];
    read_keywords(u, args + n, names, n > u.nin, a);
    nb::object keep[kMaxInputs];
    Value values[kMaxInputs] = {Scalar(), Scalar(), Scalar()};
    for (int i = 0; i < u.nin; ++i) values[i] = to_value(args[i], u.name, i + 1, &keep[i]);
    const std::span<const Value> inputs(values, static_cast<std::size_t>(u.nin));
    PyObject* results = u.pair ? call_two(u, inputs, a) : call_one(u, inputs, a);
    return ordinary ? results : with_class(self, args, n, a, results);
  });
}

// -- NumPy's ufuncs over our arrays -----------------------------------------------------------------------

PyTypeObject* ufunc_type = nullptr;
PyObject* own_ufuncs = nullptr;  // a dict: NumPy's ufunc, ours. From the import until the interpreter ends

/// Ours of NumPy's ufunc where `ufunc.method(*operands)` needs nothing but its call: nobody else has a say. Borrowed; nullptr: no.
PyObject* simple_counterpart(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) {
  if (!own_ufuncs || names || n < 3 || !is_plain(self)) return nullptr;
  const auto is_number = [](PyObject* o) { return is_ordinary(o) || is_numpy_number_array(o); };
  if (!std::all_of(args + 2, args + n, is_number)) return nullptr;
  if (!PyUnicode_Check(args[1]) || PyUnicode_CompareWithASCIIString(args[1], "__call__") != 0) return nullptr;
  PyObject* own = PyDict_GetItemWithError(own_ufuncs, args[0]);
  if (!own && PyErr_Occurred()) PyErr_Clear();
  return own && reinterpret_cast<PyUfunc*>(own)->nin == n - 2 ? own : nullptr;
}

/// ndarray.__array_ufunc__(ufunc, method, *operands, **keywords): `np.float64(2) * x` comes here too.
PyObject* array_ufunc(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
  if (PyObject* own = simple_counterpart(self, args, n, names))
    return ufunc_call(own, args + 2, n - 2, nullptr);
  return guarded([&] {
    const Py_ssize_t named = names ? PyTuple_GET_SIZE(names) : 0;
    std::vector<PyObject*> all{self};
    all.insert(all.end(), args, args + n + named);
    const nb::object body = nb::module_::import_("cuprum._dispatch").attr("array_ufunc");
    return checked(PyObject_Vectorcall(body.ptr(), all.data(), static_cast<std::size_t>(n + 1), names))
        .release()
        .ptr();
  });
}

PyMethodDef array_ufunc_method = {
    "__array_ufunc__", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(&array_ufunc)),
    METH_FASTCALL | METH_KEYWORDS, "NumPy's ufuncs over arrays are answered here."};

void set_own_ufuncs(nb::dict table) {
  for (auto [theirs, own] : table) {
    if (Py_TYPE(own.ptr()) != ufunc_type) throw TypeError("cuprum: the table has ufuncs of ours");
  }
  own_ufuncs = table.release().ptr();
}

}  // namespace

void forget_own_ufuncs() { Py_CLEAR(own_ufuncs); }

namespace {

PyObject* ufunc_repr(PyObject* self) noexcept {
  return PyUnicode_FromFormat("<ufunc '%s'>", reinterpret_cast<PyUfunc*>(self)->name);
}

void ufunc_dealloc(PyObject* self) noexcept {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyTypeObject* make_type() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(PyUfunc, vectorcall), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr},
  };
  static PyType_Slot slots[] = {
      {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
      {Py_tp_repr, reinterpret_cast<void*>(&ufunc_repr)},
      {Py_tp_dealloc, reinterpret_cast<void*>(&ufunc_dealloc)},
      {Py_tp_members, members},
      {Py_tp_methods, ufunc_methods},
      {Py_tp_getset, ufunc_getset},
      {0, nullptr},
  };
  static PyType_Spec spec = {
      "cuprum.ufunc", sizeof(PyUfunc), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  auto* type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
  if (!type) throw_python_error();
  return type;
}

nb::object make_ufunc(PyTypeObject* type, Op op, const PairUfunc* pair) {
  auto* u = PyObject_New(PyUfunc, type);
  if (!u) throw_python_error();
  u->vectorcall = &ufunc_call;
  u->op = op;
  u->pair = pair;
  u->name = pair ? pair->name : info(op).name;
  u->doc = pair ? pair->doc : info(op).doc;
  u->nin = info(pair ? pair->first : op).nin;
  u->nout = pair ? 2 : 1;
  return nb::steal(reinterpret_cast<PyObject*>(u));
}

}  // namespace

void Keywords::finish() const {
  if (!names_) return;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names_); ++i) {
    if (i < kMost && (taken_ >> i & 1)) continue;
    throw TypeError(std::string(function_) + "() got an unexpected keyword argument '" +
                    to_utf8(PyTuple_GET_ITEM(names_, i)) + "'");
  }
}

const Array& to_out_array(PyObject* o, const char* function) {
  if (const Array* a = try_unwrap(o)) return *a;
  throw TypeError(std::string("cuprum.") + function + ": return arrays must be of ArrayType; out= is a " +
                  type_name(o) + ", it must be a cuprum.ndarray" +
                  (is_numpy_array(o) ? "; to fill a NumPy array write a.get(out=...)" : ""));
}

PyObject* to_out(PyObject* o, const char* function) {
  if (!o || o == Py_None || o == Py_Ellipsis) return nullptr;
  if (!PyTuple_Check(o)) return o;
  if (PyTuple_GET_SIZE(o) != 1) throw ValueError("The 'out' tuple must have exactly one entry");
  PyObject* item = PyTuple_GET_ITEM(o, 0);
  return item == Py_None ? nullptr : item;
}

void bind_ufuncs(nb::module_& m) {
  PyTypeObject* type = make_type();
  ufunc_type = type;
  nb::handle(reinterpret_cast<PyObject*>(ndarray_type)).attr("__array_ufunc__") =
      checked(PyDescr_NewMethod(ndarray_type, &array_ufunc_method));
  m.def("set_own_ufuncs", &set_own_ufuncs);
  m.attr("ufunc") = nb::steal(reinterpret_cast<PyObject*>(type));  // its dict leads to all of the package
  for (int i = 0; i < kOpCount; ++i) {
    const auto op = static_cast<Op>(i);
    if (!has(op, kInternal)) m.attr(info(op).name) = make_ufunc(type, op, nullptr);
  }
  for (const PairUfunc& pair : pair_ufuncs()) m.attr(pair.name) = make_ufunc(type, Op::count_, &pair);
}

}  // namespace cuprum::python
