// Signals and how variables vary together, as functions of the module:
//   convolve correlate bartlett blackman hamming hanning kaiser i0 sinc angle cov corrcoef
#include "errors.h"
#include "function.h"
#include "ops/convolution.h"
#include "ops/covariance.h"
#include "ops/numeric.h"
#include "ops/windows.h"

namespace cuprum::python {

namespace {

ops::Overlap overlap_argument(PyObject* o, const char* function, ops::Overlap otherwise) {
  if (!o) return otherwise;
  if (PyUnicode_Check(o)) return ops::parse_overlap(function, to_utf8(o));
  const nb::object mode = nb::steal(PyNumber_Index(o));
  if (!mode.is_valid()) throw_named_error(function, "mode");
  return ops::parse_overlap(function, to_int(mode.ptr(), function, "mode"));
}

template <Name kName, Array (*function)(const Array&, const Array&, ops::Overlap), ops::Overlap kDefault>
PyObject* slide(PyObject* const* args) {
  const ArrayArgument a(args[0], kName, 1, beside(args[1])), v(args[1], kName, 2, beside(args[0]));
  return wrap_raw(function(*a, *v, overlap_argument(args[2], kName, kDefault)));
}

double float_argument(PyObject* o, const char* function, const char* parameter) {
  const double x = PyFloat_AsDouble(o);
  if (x == -1 && PyErr_Occurred()) throw_named_error(function, parameter);
  return x;
}

template <Name kName, Array (*function)(double, Backend&)>
PyObject* window(PyObject* const* args) {
  return wrap_raw(function(float_argument(args[0], kName, "M"), default_backend()));
}

PyObject* kaiser(PyObject* const* args) {
  const double m = float_argument(args[0], "kaiser", "M, beta");
  return wrap_raw(ops::kaiser(m, float_argument(args[1], "kaiser", "M, beta"), default_backend()));
}

PyObject* i0(PyObject* const* args) { return wrap_raw(ops::i0(*ArrayArgument(args[0], "i0", 1))); }
PyObject* sinc(PyObject* const* args) { return wrap_raw(ops::sinc(*ArrayArgument(args[0], "sinc", 1))); }
PyObject* angle(PyObject* const* args) {
  return wrap_raw(ops::angle(*ArrayArgument(args[0], "angle", 1), flag_argument(args[1])));
}

PyObject* cov(PyObject* const* args) {
  ops::CovarianceArgs options;
  if (given(args[4])) options.ddof = float_argument(args[4], "cov", "ddof");
  const ArrayArgument m(args[0], "cov", 1);
  std::optional<ArrayArgument> y;
  if (given(args[1])) options.y = y.emplace(args[1], "cov", 2).get();
  const BesideArray fweights(args[5], "cov", 6), aweights(args[6], "cov", 7);
  options.rowvar = flag_argument(args[2], true);
  options.bias = flag_argument(args[3]);
  options.fweights = fweights.get();
  options.aweights = aweights.get();
  options.type = to_optional_dtype(args[7], "cov");
  return wrap_raw(ops::cov(*m, options));
}

PyObject* corrcoef(PyObject* const* args) {
  const ArrayArgument x(args[0], "cov", 1);
  std::optional<ArrayArgument> y;
  if (given(args[1])) y.emplace(args[1], "cov", 2);
  return wrap_raw(ops::corrcoef(*x, y ? y->get() : nullptr, flag_argument(args[2], true),
                                to_optional_dtype(args[3], "corrcoef")));
}

constinit Function kConvolve = {"convolve", "a, v, mode='full'",
                                &slide<"convolve", &ops::convolve, ops::Overlap::full>,
                                "The discrete convolution of two vectors.", ResultClass::plain};
constinit Function kCorrelate = {"correlate", "a, v, mode='valid'",
                                 &slide<"correlate", &ops::correlate, ops::Overlap::valid>,
                                 "The cross-correlation of two vectors.", ResultClass::plain};
constinit Function kBartlett = {"bartlett", "M", &window<"bartlett", &ops::bartlett>, "The Bartlett window."};
constinit Function kBlackman = {"blackman", "M", &window<"blackman", &ops::blackman>, "The Blackman window."};
constinit Function kHamming = {"hamming", "M", &window<"hamming", &ops::hamming>, "The Hamming window."};
constinit Function kHanning = {"hanning", "M", &window<"hanning", &ops::hanning>, "The Hann window."};
constinit Function kKaiser = {"kaiser", "M, beta", &kaiser, "The Kaiser window."};
constinit Function kI0 = {"i0", "x", &i0, "The modified Bessel function of the first kind, of order 0.",
                          ResultClass::inherited_arrays};
constinit Function kSinc = {"sinc", "x", &sinc, "sin(pi x) / (pi x), which is 1 at 0."};
constinit Function kAngle = {"angle", "z, deg=False", &angle, "The angle of complex numbers."};
constinit Function kCov = {
    "cov", "m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None", &cov,
    "The covariance matrix of variables.", ResultClass::plain};
constinit Function kCorrcoef = {"corrcoef", "x, y=None, rowvar=True, *, dtype=None", &corrcoef,
                                "The correlation coefficients of variables.", ResultClass::plain};

}  // namespace

void bind_signal_functions(nb::module_& m) {
  add_functions(m, {entry<kConvolve>(), entry<kCorrelate>(), entry<kBartlett>(), entry<kBlackman>(),
                    entry<kHamming>(), entry<kHanning>(), entry<kKaiser>(), entry<kI0>(), entry<kSinc>(),
                    entry<kAngle>(), entry<kCov>(), entry<kCorrcoef>()});
}

}  // namespace cuprum::python
