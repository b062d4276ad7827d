// Comparing arrays as wholes, and asking what their elements are, as functions of the module:
//   isclose allclose array_equal array_equiv isposinf isneginf isreal iscomplex nan_to_num real_if_close sort_complex
#include "errors.h"
#include "function.h"
#include "ops/logic.h"
#include "ops/numeric.h"

namespace cuprum::python {

namespace {

PyObject* to_bool(bool truth) { return Py_NewRef(truth ? Py_True : Py_False); }

/// The operands of a comparison by nearness: Python's numbers stay as they are, weak.
class CloseCall {
 public:
  explicit CloseCall(PyObject* const* args) {
    const bool is_number = is_plain_number(args[0]) && is_plain_number(args[1]);
    for (int i = 0; i < 4; ++i) {
      if (!args[i]) continue;
      if (is_plain_number(args[i]) && !(i == 0 && is_number)) {
        values_[i] = to_value(args[i], "isclose", i + 1);
        if (PyBool_Check(args[i])) values_[i] = Value::integer(args[i] == Py_True);
      } else {
        arrays_[i].emplace(args[i], "isclose", i + 1);
        values_[i] = Value(**arrays_[i]);
      }
    }
    if (values_[2]) closeness_.rtol = *values_[2];
    if (values_[3]) closeness_.atol = *values_[3];
    closeness_.equal_nan = flag_argument(args[4]);
    if (values_[0]->is_weak() && values_[1]->is_weak()) throw TypeError("cuprum.isclose: an array is needed");
  }

  const Value& a() const { return *values_[0]; }
  const Value& b() const { return *values_[1]; }
  const ops::Closeness& closeness() const { return closeness_; }

 private:
  static bool is_plain_number(PyObject* o) {
    return PyFloat_CheckExact(o) || PyLong_Check(o) || PyComplex_CheckExact(o);
  }

  std::optional<ArrayArgument> arrays_[4];
  std::optional<Value> values_[4];
  ops::Closeness closeness_;
};

PyObject* isclose(PyObject* const* args) {
  const CloseCall call(args);
  return wrap_raw(ops::isclose(call.a(), call.b(), call.closeness()));
}
PyObject* allclose(PyObject* const* args) {
  const CloseCall call(args);
  return to_bool(ops::allclose(call.a(), call.b(), call.closeness()));
}

PyObject* array_equal(PyObject* const* args) {
  const ArrayArgument a(args[0], "array_equal", 1), b(args[1], "array_equal", 2);
  return to_bool(ops::array_equal(*a, *b, flag_argument(args[2])));
}
PyObject* array_equiv(PyObject* const* args) {
  const ArrayArgument a(args[0], "array_equiv", 1), b(args[1], "array_equiv", 2);
  return to_bool(ops::array_equiv(*a, *b));
}

template <Name kName, Array (*function)(const Array&, const Array*)>
PyObject* is_infinite(PyObject* const* args) {
  const ArrayArgument x(args[0], kName, 1);
  return deliver(function(*x, out_argument(args[1], kName)), args[1]);
}

template <Name kName, Array (*function)(const Array&)>
PyObject* of_one(PyObject* const* args) {
  return wrap_raw(function(*ArrayArgument(args[0], kName, 1)));
}

PyObject* nan_to_num(PyObject* const* args) {
  const bool copy = flag_argument(args[1], true);
  if (!copy && !is_ndarray(args[0])) {
    throw ValueError(
        "cuprum.nan_to_num: with copy=False the array is written; write x = cp.asarray(x) before");
  }
  const ArrayArgument x(args[0], "nan_to_num", 1);
  std::optional<ParameterValue> nan, posinf, neginf;
  ops::Replacements by;
  if (args[2]) by.nan = *nan.emplace(args[2], "nan_to_num", 3);
  if (given(args[3])) by.posinf = *posinf.emplace(args[3], "nan_to_num", 4);
  if (given(args[4])) by.neginf = *neginf.emplace(args[4], "nan_to_num", 5);
  Array result = ops::nan_to_num(*x, copy, by);
  if (!copy && result.ndim() > 0) return Py_NewRef(args[0]);
  result.set_value(result.ndim() == 0);
  return wrap_raw(std::move(result));
}

PyObject* real_if_close(PyObject* const* args) {
  const ArrayArgument a(args[0], "real_if_close", 1);
  double tol = 100;
  if (args[1]) {
    tol = PyFloat_AsDouble(args[1]);
    if (tol == -1 && PyErr_Occurred()) throw_named_error("real_if_close", "tol");
  }
  if (std::optional<Array> real = ops::real_if_close(*a, tol)) return wrap_from(*std::move(real), args[0]);
  return is_ndarray(args[0]) ? Py_NewRef(args[0]) : wrap_raw(*a);
}

constexpr const char* kCloseParameters = "a, b, rtol=1e-05, atol=1e-08, equal_nan=False";
constinit Function kIsclose = {"isclose", kCloseParameters, &isclose, "Where elements are close."};
constinit Function kAllclose = {"allclose", kCloseParameters, &allclose, "Whether all elements are close."};
constinit Function kArrayEqual = {"array_equal", "a1, a2, equal_nan=False", &array_equal,
                                  "Whether two arrays have one shape and equal elements."};
constinit Function kArrayEquiv = {"array_equiv", "a1, a2", &array_equiv,
                                  "Whether two arrays broadcast together and are then equal."};
constinit Function kIsposinf = {"isposinf", "x, out=None", &is_infinite<"isposinf", &ops::isposinf>,
                                "Where elements are positive infinity."};
constinit Function kIsneginf = {"isneginf", "x, out=None", &is_infinite<"isneginf", &ops::isneginf>,
                                "Where elements are negative infinity."};
constinit Function kIsreal = {"isreal", "x", &of_one<"isreal", &ops::isreal>,
                              "Where the imaginary part is zero."};
constinit Function kIscomplex = {"iscomplex", "x", &of_one<"iscomplex", &ops::iscomplex>,
                                 "Where the imaginary part is not zero.", ResultClass::plain};
constinit Function kNanToNum = {"nan_to_num", "x, copy=True, nan=0.0, posinf=None, neginf=None", &nan_to_num,
                                "NaN and infinities replaced by numbers.", ResultClass::inherited_arrays};
constinit Function kRealIfClose = {"real_if_close", "a, tol=100", &real_if_close,
                                   "The real parts, where the imaginary ones are next to nothing."};
constinit Function kSortComplex = {"sort_complex", "a", &of_one<"sort_complex", &ops::sort_complex>,
                                   "A sorted copy in a complex dtype.", ResultClass::plain};

}  // namespace

void bind_logic_functions(nb::module_& m) {
  add_functions(m, {entry<kIsclose>(), entry<kAllclose>(), entry<kArrayEqual>(), entry<kArrayEquiv>(),
                    entry<kIsposinf>(), entry<kIsneginf>(), entry<kIsreal>(), entry<kIscomplex>(),
                    entry<kNanToNum>(), entry<kRealIfClose>(), entry<kSortComplex>()});
}

}  // namespace cuprum::python
