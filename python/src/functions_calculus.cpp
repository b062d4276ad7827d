// Differences, derivatives and integrals, as functions of the module:
//   diff ediff1d gradient trapezoid unwrap
#include <deque>
#include <numbers>

#include "errors.h"
#include "function.h"
#include "ops/calculus.h"

namespace cuprum::python {

namespace {

PyObject* diff(PyObject* const* args) {
  const ArrayArgument a(args[0], "diff", 1);
  const std::int64_t n = int_argument(args[1], "diff", "n", 1);
  if (n == 0 && is_ndarray(args[0])) return Py_NewRef(args[0]);
  const BesideArray prepend(args[3], "diff", 4), append(args[4], "diff", 5);
  return wrap_raw(ops::diff(*a, n, int_argument(args[2], "diff", "axis", -1), prepend.get(), append.get()));
}

PyObject* ediff1d(PyObject* const* args) {
  const ArrayArgument a(args[0], "ediff1d", 1);
  const BesideArray to_end(args[1], "ediff1d", 2), to_begin(args[2], "ediff1d", 3);
  return wrap_raw(ops::ediff1d(*a, to_end.get(), to_begin.get()));
}

PyObject* gradient(PyObject* const* args) {
  const ArrayArgument f(args[0], "gradient", 1);
  const nb::object given_spacings = checked(PySequence_Tuple(args[1]));
  std::deque<ParameterValue> kept;
  std::vector<Value> spacings;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given_spacings.ptr()); ++i) {
    kept.emplace_back(PyTuple_GET_ITEM(given_spacings.ptr(), i), "gradient", static_cast<int>(i) + 2);
    spacings.push_back(*kept.back());
  }
  const std::vector<Array> results =
      ops::gradient(*f, spacings, axis_set_argument(args[2], "gradient", f->ndim()),
                    int_argument(args[3], "gradient", "edge_order", 1));
  return results.size() == 1 ? wrap_raw(results[0]) : to_tuple(results);
}

PyObject* trapezoid(PyObject* const* args) {
  const ArrayArgument y(args[0], "trapezoid", 1);
  const BesideArray x(args[1], "trapezoid", 2);
  std::optional<ParameterValue> dx;
  if (args[2]) dx.emplace(args[2], "trapezoid", 3);
  return wrap_raw(ops::trapezoid(*y, x.get(), dx ? **dx : Value::floating(1.0),
                                 int_argument(args[3], "trapezoid", "axis", -1)));
}

/// A number of the host: a value of a reduction too.
Value number_argument(PyObject* o, const char* parameter) {
  const Array* a = try_unwrap(o);
  if (a && a->ndim() == 0) return to_value(nb::object(nb::handle(o).attr("item")()).ptr(), "unwrap", 1);
  const std::optional<Value> value = PySequence_Check(o) ? std::nullopt : try_value(o, "unwrap", 1);
  if (!value || value->is_array() || is_complex(value->type()))
    throw TypeError(std::string("cuprum.unwrap: ") + parameter + " must be a real number, given a " +
                    type_name(o));
  return *value;
}

PyObject* unwrap(PyObject* const* args) {
  const ArrayArgument p(args[0], "unwrap", 1);
  std::optional<Value> discont;
  if (given(args[1])) discont = number_argument(args[1], "discont");
  const Value period = args[3] ? number_argument(args[3], "period") : Value::floating(2 * std::numbers::pi);
  return wrap_raw(ops::unwrap(*p, discont, int_argument(args[2], "unwrap", "axis", -1), period));
}

constinit Function kDiff = {"diff", "a, n=1, axis=-1, prepend=None, append=None", &diff,
                            "Differences between neighbours along an axis, taken n times."};
constinit Function kEdiff1d = {"ediff1d", "ary, to_end=None, to_begin=None", &ediff1d,
                               "Differences of neighbours in the flattened array."};
constinit Function kGradient = {"gradient", "f, spacings, axis=None, edge_order=1", &gradient,
                                "The derivative along axes, by differences."};
constinit Function kTrapezoid = {"trapezoid", "y, x=None, dx=1.0, axis=-1", &trapezoid,
                                 "The integral by the trapezoidal rule."};
constinit Function kUnwrap = {"unwrap", "p, discont=None, axis=-1, *, period=6.283185307179586", &unwrap,
                              "Phases without jumps of more than half a period.", ResultClass::plain};

}  // namespace

void bind_calculus_functions(nb::module_& m) {
  add_functions(
      m, {entry<kDiff>(), entry<kEdiff1d>(), entry<kGradient>(), entry<kTrapezoid>(), entry<kUnwrap>()});
}

}  // namespace cuprum::python
