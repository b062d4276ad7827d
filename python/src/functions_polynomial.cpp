// Polynomials by their coefficients, and fits: polyadd polysub polymul polydiv polyder polyint polyval roots poly polyfit
// check_points fit_columns
#include "errors.h"
#include "function.h"
#include "ops/fitting.h"
#include "ops/polynomial.h"

namespace cuprum::python {

namespace {

template <Name kName, Array (*combine)(const Array&, const Array&)>
PyObject* of_two(PyObject* const* args) {
  return wrap_raw(combine(*ArrayArgument(args[0], kName, 1), *ArrayArgument(args[1], kName, 2)));
}

template <Name kName, Array (*find)(const Array&)>
PyObject* of_one(PyObject* const* args) {
  return wrap_raw(find(*ArrayArgument(args[0], kName, 1)));
}

PyObject* polydiv(PyObject* const* args) {
  const ops::PolyQuotient result =
      ops::polydiv(*ArrayArgument(args[0], "polydiv", 1), *ArrayArgument(args[1], "polydiv", 2));
  return to_tuple({result.quotient, result.remainder});
}

PyObject* polyder(PyObject* const* args) {
  return wrap_raw(
      ops::polyder(*ArrayArgument(args[0], "polyder", 1), int_argument(args[1], "polyder", "m", 1)));
}

PyObject* polyint(PyObject* const* args) {
  std::optional<ArrayArgument> k;
  if (given(args[2])) k.emplace(args[2], "polyint", 3);
  return wrap_raw(ops::polyint(*ArrayArgument(args[0], "polyint", 1),
                               int_argument(args[1], "polyint", "m", 1), k ? k->get() : nullptr));
}

PyObject* polyval(PyObject* const* args) {
  const ArrayArgument p(args[0], "polyval", 1, HostRole::parameter), x(args[1], "polyval", 2);
  return wrap_raw(ops::polyval(*p, *x));
}

constinit Function kPolyadd = {"polyadd", "a1, a2", &of_two<"polyadd", &ops::polyadd>,
                               "The sum of two polynomials."};
constinit Function kPolysub = {"polysub", "a1, a2", &of_two<"polysub", &ops::polysub>,
                               "The difference of two polynomials."};
constinit Function kPolymul = {"polymul", "a1, a2", &of_two<"polymul", &ops::polymul>,
                               "The product of two polynomials, without leading zeros.", ResultClass::plain};
constinit Function kPolydiv = {"polydiv", "u, v", &polydiv, "Quotient and remainder of two polynomials."};
constinit Function kPolyder = {"polyder", "p, m=1", &polyder, "The derivative of order m."};
constinit Function kPolyint = {"polyint", "p, m=1, k=None", &polyint, "The integral of order m."};
constinit Function kPolyval = {"polyval", "p, x", &polyval, "The values of a polynomial."};
constinit Function kRoots = {"roots", "p", &of_one<"roots", &ops::roots>, "The zeros of a polynomial."};
constinit Function kPoly = {"poly", "seq_of_zeros", &of_one<"poly", &ops::poly>,
                            "The polynomial with these zeros, or that of a matrix."};

// -- Fits -----------------------------------------------------------------------------------------------

double number_argument(PyObject* o, const char* function, const char* parameter) {
  const double v = PyFloat_AsDouble(o);
  if (v == -1.0 && PyErr_Occurred()) throw_named_error(function, parameter);
  return v;
}

PyObject* check_points(PyObject* const* args) {
  ops::check_points("", *ArrayArgument(args[0], "check_points", 1),
                    *ArrayArgument(args[1], "check_points", 2));
  return Py_NewRef(Py_None);
}

PyObject* fit_columns(PyObject* const* args) {
  const ArrayArgument left(args[0], "fit_columns", 1), right(args[1], "fit_columns", 2),
      norms(args[2], "fit_columns", 3);
  const ops::Fit fit =
      ops::fit_columns(*left, *right, *norms, number_argument(args[3], "fit_columns", "rcond"));
  return to_tuple({fit.c, fit.residuals, fit.rank, fit.singular_values});
}

/// Coefficients, residuals, rank, singular values, the cut-off, and the covariance or None.
PyObject* polyfit(PyObject* const* args) {
  const ArrayArgument x(args[0], "polyfit", 1), y(args[1], "polyfit", 2);
  std::optional<double> rcond;
  if (given(args[3])) rcond = number_argument(args[3], "polyfit", "rcond");
  std::optional<ArrayArgument> w;
  if (given(args[4])) w.emplace(args[4], "polyfit", 6, HostRole::parameter);
  const ops::PolyFit found =
      ops::polyfit(*x, *y, to_int(args[2], "polyfit", "deg"), rcond, w ? w->get() : nullptr);
  const std::string covariance = text_argument(args[5], "polyfit", "covariance", "");
  nb::object cov = nb::none();
  if (!covariance.empty()) cov = wrap(ops::polyfit_covariance(found, covariance == "scaled"));
  return nb::make_tuple(wrap(found.fit.c), wrap(found.fit.residuals), wrap(found.fit.rank),
                        wrap(found.fit.singular_values), found.rcond, cov)
      .release()
      .ptr();
}

constinit Function kCheckPoints = {"check_points", "x, y", &check_points,
                                   "Raises what a fit has against its points."};
constinit Function kFitColumns = {"fit_columns", "left, right, norms, rcond", &fit_columns,
                                  "Least squares with columns of norm one."};
constinit Function kPolyfit = {
    "polyfit", "x, y, deg, rcond=None, w=None, covariance=None", &polyfit,
    "The polynomial that fits points best, and all about it; covariance: 'scaled', 'unscaled'.",
    ResultClass::plain};

}  // namespace

void bind_polynomial_functions(nb::module_& m) {
  add_functions(m, {entry<kPolyadd>(), entry<kPolysub>(), entry<kPolymul>(), entry<kPolydiv>(),
                    entry<kPolyder>(), entry<kPolyint>(), entry<kPolyval>(), entry<kRoots>(), entry<kPoly>(),
                    entry<kCheckPoints>(), entry<kFitColumns>(), entry<kPolyfit>()});
}

}  // namespace cuprum::python
