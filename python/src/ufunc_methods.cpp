// The methods of a ufunc: reduce, accumulate, reduceat, outer, at.
#include <algorithm>

#include "bindings.h"
#include "core/resolve.h"
#include "errors.h"
#include "expr/engine.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "subclass.h"
#include "ufunc.h"

namespace cuprum::python {

namespace {

/// Arguments by position or by name; those not given are nullptr. Borrowed.
template <int n>
struct Parameters {
  PyObject* at[n] = {};

  Parameters(const std::string& function, const char* const (&names)[n], PyObject* const* args,
             Py_ssize_t nargs, PyObject* kwnames, int required) {
    if (nargs > n) {
      throw TypeError(function + "() takes at most " + std::to_string(n) + " positional arguments, " +
                      std::to_string(nargs) + " were given");
    }
    for (Py_ssize_t i = 0; i < nargs; ++i) at[i] = args[i];
    Keywords k(function.c_str(), args + nargs, kwnames);
    for (int i = 0; i < n; ++i) {
      PyObject* o = k.take(names[i]);
      if (!o) continue;
      if (at[i]) throw TypeError(function + "() got multiple values for argument '" + names[i] + "'");
      at[i] = o;
    }
    k.finish();
    for (int i = 0; i < required; ++i) {
      if (!at[i])
        throw TypeError(function + "() missing required argument '" + names[i] + "' (pos " +
                        std::to_string(i + 1) + ")");
    }
  }
  PyObject* operator[](int i) const { return at[i]; }
};

const PyUfunc& ufunc_of(PyObject* self) { return *reinterpret_cast<PyUfunc*>(self); }

void require_binary(const PyUfunc& u, const char* what) {
  if (u.nin != 2)
    throw ValueError(std::string(what) + " only supported for binary functions; " + u.name + " takes " +
                     std::to_string(u.nin) + " arguments");
  if (u.nout != 1)
    throw ValueError(std::string(what) + " only supported for binary functions returning a single value");
}

/// The operand of a method: an array, a list that becomes one, or a number as a 0-d one.
Array operand(PyObject* o, const std::string& function) {
  nb::object keep;
  const Value v = to_value(o, function.c_str(), 1, &keep);
  return v.is_array() ? v.array() : to_array(v, v.type(), default_backend());
}

PyObject* finish(Array result, PyObject* out) { return out ? Py_NewRef(out) : wrap_raw(std::move(result)); }

/// NumPy's warning of imaginary parts that a fold in a real dtype, or into a real array, loses.
void warn_of_real_fold(const PyUfunc& u, const Array& a, const std::optional<dtype>& type, const Array* out) {
  if (!has(u.op, kLogical) && (type || out)) warn_of_lost_imaginary(a.type(), type ? *type : out->type());
}

/// The number in an array of one element.
Value element_value(const Array& a, const std::string& function) {
  if (a.size() != 1)
    throw ValueError("cuprum." + function + ": initial must be a number, given an array of shape " +
                     to_string(a.shape()));
  Scalar s;
  s.type = a.type();
  copy_to_host(a, s.bytes);
  return s;
}

PyObject* reduce(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  return guarded([&]() -> PyObject* {
    const PyUfunc& u = ufunc_of(self);
    require_binary(u, "reduce");
    const std::string function = std::string(u.name) + ".reduce";
    constexpr const char* names[] = {"array", "axis", "dtype", "out", "keepdims", "initial", "where"};
    const Parameters<7> p(function, names, args, nargs, kwnames, 1);
    const Array a = operand(p[0], function);
    PyObject* out = to_out(p[3], function.c_str());
    ops::ReduceArgs r;
    nb::object zero = nb::int_(0);
    PyObject* axis = p[1] ? p[1] : zero.ptr();
    if (a.ndim() > 0 || axis == Py_None || PyTuple_Check(axis))
      r.axes = to_optional_axes(axis, a.ndim(), function.c_str());
    r.type = to_optional_dtype(p[2], function.c_str());
    if (out) r.out = &to_out_array(out, function.c_str());
    r.keepdims = p[4] && to_keepdims(p[4], function.c_str());
    nb::object keep_initial;
    if (p[5] == Py_None) {  // not even the identity: there must be a first element
      r.identity = false;
    } else if (p[5]) {
      r.initial = to_value_or_convert(p[5], function.c_str(), &keep_initial);
      if (r.initial->is_array()) r.initial = element_value(r.initial->array(), function);
    }
    Array mask;
    if (p[6] && p[6] != Py_True) {
      nb::object keep;
      const Value where = stored_value(p[6], dtype::bool_, function.c_str(), &keep);
      mask = where.is_array() ? where.array() : to_array(where, where.type(), a.backend());
      r.where = &mask;
    }
    const Array result = ops::reduce(u.op, a, r);
    warn_of_real_fold(u, a, r.type, r.out);
    return finish(result, out);
  });
}

/// axis, dtype and out of accumulate and reduceat.
ops::ScanArgs scan_args(const Array& a, PyObject* axis, PyObject* type, PyObject* out, const char* function) {
  ops::ScanArgs s;
  if (axis == Py_None && a.ndim() > 1)
    throw ValueError(std::string("cuprum.") + function + ": does not allow multiple axes; write axis=0");
  s.axis = axis && axis != Py_None ? to_int(axis, function, "axis") : 0;
  s.type = to_optional_dtype(type, function);
  if (out) s.out = &to_out_array(out, function);
  return s;
}

PyObject* accumulate(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  return guarded([&]() -> PyObject* {
    const PyUfunc& u = ufunc_of(self);
    require_binary(u, "accumulate");
    const std::string function = std::string(u.name) + ".accumulate";
    constexpr const char* names[] = {"array", "axis", "dtype", "out"};
    const Parameters<4> p(function, names, args, nargs, kwnames, 1);
    PyObject* out = to_out(p[3], function.c_str());
    const Array a = operand(p[0], function);
    if (a.ndim() == 0) throw TypeError("cannot accumulate on a scalar");
    const ops::ScanArgs s = scan_args(a, p[1], p[2], out, function.c_str());
    const Array result = ops::accumulate(u.op, a, s);
    warn_of_real_fold(u, a, s.type, s.out);
    return finish(result, out);
  });
}

PyObject* reduceat(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  return guarded([&]() -> PyObject* {
    const PyUfunc& u = ufunc_of(self);
    require_binary(u, "reduceat");
    const std::string function = std::string(u.name) + ".reduceat";
    constexpr const char* names[] = {"array", "indices", "axis", "dtype", "out"};
    const Parameters<5> p(function, names, args, nargs, kwnames, 2);
    PyObject* out = to_out(p[4], function.c_str());
    const Array a = operand(p[0], function);
    if (a.ndim() == 0) throw TypeError("cannot reduceat on a scalar");
    nb::object indices = as_ndarray(p[1], function.c_str());
    const Array at = record_cast(contents(indices.ptr()).array(), dtype::int64);
    const ops::ScanArgs s = scan_args(a, p[2], p[3], out, function.c_str());
    const Array result = ops::reduceat(u.op, a, at, s);
    warn_of_real_fold(u, a, s.type, s.out);
    return finish(result, out);
  });
}

/// `a` with `n` dimensions of size 1 behind its own.
nb::object with_trailing_ones(PyObject* o, int n, const std::string& function) {
  const Array a = operand(o, function);
  Dims shape = a.shape(), strides = a.strides();
  for (int i = 0; i < n; ++i) {
    shape.push_back(1);
    strides.push_back(0);
  }
  if (shape.size() > kMaxDims)
    throw ValueError("cuprum." + function + ": maximum supported dimension for an ndarray is currently 64");
  return wrap(a.view(std::move(shape), std::move(strides)));
}

PyObject* outer(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  return guarded([&]() -> PyObject* {
    const PyUfunc& u = ufunc_of(self);
    const std::string function = std::string(u.name) + ".outer";
    if (u.nin != 2) throw ValueError("outer product only supported for binary functions");
    if (nargs != 2)
      throw TypeError(function + "() takes exactly 2 positional arguments (" + std::to_string(nargs) +
                      " given)");
    // A number is the array that it would become, and not weak.
    nb::object keep;
    const Value y = to_value(args[1], function.c_str(), 2, &keep);
    if (!y.is_array()) keep = wrap(operand(args[1], function));
    const nb::object a = with_trailing_ones(args[0], static_cast<int>(y.shape().size()), function);
    std::vector<PyObject*> call(args, args + nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0));
    call[0] = a.ptr();
    if (keep) call[1] = keep.ptr();
    return PyObject_Vectorcall(self, call.data(), 2, kwnames);
  });
}

PyObject* at(PyObject* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) noexcept {
  return guarded([&]() -> PyObject* {
    const PyUfunc& u = ufunc_of(self);
    const std::string function = std::string(u.name) + ".at";
    constexpr const char* names[] = {"a", "indices", "b"};
    const Parameters<3> p(function, names, args, nargs, kwnames, 2);
    if (u.nout != 1) throw ValueError("Only single output ufuncs supported at this time");
    if (u.nin > 2) throw ValueError("Only unary and binary ufuncs supported at this time");
    if (!is_ndarray(p[0])) throw_not_array(p[0], function.c_str(), 1);
    if (u.nin == 2 && !p[2]) throw ValueError("second operand needed for ufunc");
    if (u.nin == 1 && p[2]) throw ValueError("second operand provided when ufunc is unary");
    const Array& a = contents(p[0]).array();
    nb::object keep;
    if (u.nin == 1) {
      ufunc_at(u.op, a, p[1], nullptr);
    } else {
      const Value b = to_value_or_convert(p[2], function.c_str(), &keep);
      Op op = u.op;
      const Signature* loop = resolve(op, {a.type()}, {b.type()});
      if (loop) warn_of_lost_imaginary(loop->out, a.type());
      ufunc_at(u.op, a, p[1], &b);
    }
    return Py_NewRef(Py_None);
  });
}

// -- Classes with a say in it ---------------------------------------------------------------------------

using Body = PyObject*(PyObject*, PyObject* const*, Py_ssize_t, PyObject*) noexcept;

constexpr char kReduce[] = "reduce", kAccumulate[] = "accumulate", kReduceat[] = "reduceat",
               kOuter[] = "outer", kAt[] = "at";

/// Is the result an argument, or in a tuple that is one: `out=`?
bool is_argument(PyObject* result, PyObject* const* args, Py_ssize_t n) {
  return std::any_of(args, args + n, [&](PyObject* o) {
    return o == result ||
           (PyTuple_CheckExact(o) && PyTuple_GET_SIZE(o) == 1 && PyTuple_GET_ITEM(o, 0) == result);
  });
}

/// The method, after operands that answer ufuncs themselves have been asked; the result in the operands' class.
template <Body* body, const char* name>
PyObject* with_classes(PyObject* self, PyObject* const* args, Py_ssize_t n, PyObject* names) noexcept {
  const Py_ssize_t all = n + (names ? PyTuple_GET_SIZE(names) : 0);
  return guarded([&]() -> PyObject* {
    const bool ordinary = std::all_of(args, args + all, is_ordinary);
    PyObject* answer = ordinary ? nullptr : try_override(self, name, args, n, names);
    if (answer) return answer;
    const auto method = [&] { return std::string(ufunc_of(self).name) + "." + name; };
    const OnDevice there(device_of_vectorcall(method, args, n, names));
    if (ordinary) return body(self, args, n, names);
    ClassChoice choice;
    for (Py_ssize_t i = 0; i < n; ++i) choice.consider(args[i]);
    nb::object result = nb::steal(body(self, args, n, names));
    if (!result.is_valid()) throw_python_error();
    if (!choice.like() || result.is_none() || is_argument(result.ptr(), args, all))
      return result.release().ptr();
    return wrapped_by(result.release().ptr(), choice.like(), self, args, n);
  });
}

template <class F>
PyCFunction as_method(F* f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}
constexpr int kFast = METH_FASTCALL | METH_KEYWORDS;

}  // namespace

PyMethodDef ufunc_methods[] = {
    {"reduce", as_method(&with_classes<&reduce, kReduce>), kFast,
     "reduce($self, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True)\n--\n\n"
     "Applies the ufunc along axes until one element is left of each."},
    {"accumulate", as_method(&with_classes<&accumulate, kAccumulate>), kFast,
     "accumulate($self, array, axis=0, dtype=None, out=None)\n--\n\n"
     "All intermediate results of reducing along an axis."},
    {"reduceat", as_method(&with_classes<&reduceat, kReduceat>), kFast,
     "reduceat($self, array, indices, axis=0, dtype=None, out=None)\n--\n\n"
     "Reduces the slices that begin at the indices."},
    {"outer", as_method(&with_classes<&outer, kOuter>), kFast,
     "outer($self, A, B, /, **kwargs)\n--\n\nApplies the ufunc to all pairs of elements."},
    {"at", as_method(&with_classes<&at, kAt>), kFast,
     "at($self, a, indices, b=None, /)\n--\n\n"
     "Applies the ufunc in place at the indices, as often as each occurs."},
    {"__reduce__", [](PyObject* self, PyObject*) { return PyUnicode_FromString(ufunc_of(self).name); },
     METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace cuprum::python
