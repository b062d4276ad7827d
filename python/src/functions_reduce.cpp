// Reductions and cumulative functions, as methods of ndarray and as functions of the module:
//   sum prod min max any all mean var std ptp count_nonzero argmin argmax trace
//   nansum nanprod nanmin nanmax nanmean nanvar nanstd nanargmin nanargmax
//   cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod
#include <cmath>

#include "errors.h"
#include "function.h"
#include "ops/reduce.h"
#include "ops/reduce_plan.h"
#include "ops/scan.h"

namespace cuprum::python {

namespace {

/// The arguments that most reductions share; a position of -1: the function has no such parameter.
struct Positions {
  int dtype = -1, out = -1, keepdims = -1, initial = -1, where = -1;
};

using Reduction = Array (*)(const Array&, const ops::ReduceArgs&);

class ReduceCall {
 public:
  ReduceCall(PyObject* const* args, const Positions& at, const char* function)
      : operand_(args[0], function, 1), where_(at.where < 0 ? nullptr : args[at.where], function, 0, true) {
    args_.axes = axes_argument(args[1], function);
    if (at.dtype >= 0) args_.type = to_optional_dtype(args[at.dtype], function);
    if (at.out >= 0) out_ = args[at.out];
    args_.out = out_argument(out_, function);
    if (at.keepdims >= 0) args_.keepdims = flag_argument(args[at.keepdims]);
    if (at.initial >= 0 && given(args[at.initial])) args_.initial = to_value(args[at.initial], function, 0);
    args_.where = where_.get();
  }

  const Array& operand() const { return *operand_; }
  const ops::ReduceArgs& args() const { return args_; }
  PyObject* out() const { return out_; }

 private:
  ArrayArgument operand_;
  OptionalArray where_;
  ops::ReduceArgs args_;
  PyObject* out_ = nullptr;
};

// The bodies: the positions of a family's parameters stand beside its signature.

constexpr const char* kSumParameters =
    "a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True";
constexpr const char* kMinParameters = "a, axis=None, out=None, keepdims=False, initial=None, where=True";
constexpr const char* kAnyParameters = "a, axis=None, out=None, keepdims=False, *, where=True";
constexpr const char* kMeanParameters = "a, axis=None, dtype=None, out=None, keepdims=False, *, where=True";
constexpr const char* kVarParameters =
    "a, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None";

template <Reduction R, const char* const& Name>
PyObject* like_sum(PyObject* const* args) {
  const ReduceCall call(args, {.dtype = 2, .out = 3, .keepdims = 4, .initial = 5, .where = 6}, Name);
  return deliver(R(call.operand(), call.args()), call.out());
}

template <Reduction R, const char* const& Name>
PyObject* like_min(PyObject* const* args) {
  const ReduceCall call(args, {.out = 2, .keepdims = 3, .initial = 4, .where = 5}, Name);
  return deliver(R(call.operand(), call.args()), call.out());
}

template <Reduction R, const char* const& Name>
PyObject* like_any(PyObject* const* args) {
  const ReduceCall call(args, {.out = 2, .keepdims = 3, .where = 4}, Name);
  return deliver(R(call.operand(), call.args()), call.out());
}

/// NumPy's warning where the shape tells that no more than `few` elements are reduced. How many a mask or NaN leave would
/// have to be asked of the device.
void warn_of_few(const ReduceCall& call, double few, const char* text) {
  const std::int64_t count = ops::ReducePlan("", call.operand(), call.args().axes).count;
  const bool told = !call.args().where && static_cast<double>(count) <= few;
  if (told && PyErr_WarnEx(PyExc_RuntimeWarning, text, 2) < 0) throw_python_error();
}

template <Reduction R, const char* const& Name>
PyObject* like_mean(PyObject* const* args) {
  const ReduceCall call(args, {.dtype = 2, .out = 3, .keepdims = 4, .where = 5}, Name);
  const Array result = R(call.operand(), call.args());
  if (call.operand().size() == 0) warn_of_few(call, 0, "Mean of empty slice");
  return deliver(result, call.out());
}

using Spread = Array (*)(const Array&, const ops::ReduceArgs&, double);

double ddof_argument(PyObject* ddof, PyObject* correction, const char* function) {
  if (given(correction) && ddof && !(PyLong_CheckExact(ddof) && PyLong_AsLong(ddof) == 0)) {
    throw ValueError("ddof and correction can't be provided simultaneously.");
  }
  PyObject* o = given(correction) ? correction : ddof;
  if (!given(o)) return 0;
  const double value = PyFloat_AsDouble(o);
  if (value == -1 && PyErr_Occurred()) throw nb::python_error();
  if (std::isnan(value))
    throw ValueError(std::string("cuprum.") + function + ": ddof must be a number, given nan");
  return value;
}

template <Spread S, const char* const& Name>
PyObject* like_var(PyObject* const* args) {
  const ReduceCall call(args, {.dtype = 2, .out = 3, .keepdims = 5, .where = 6}, Name);
  // `mean=` would only save work that one pass does anyway.
  const double ddof = ddof_argument(args[4], args[8], Name);
  const Array result = S(call.operand(), call.args(), ddof);
  warn_of_few(call, ddof, "Degrees of freedom <= 0 for slice");
  return deliver(result, call.out());
}

// -- The plain ones -------------------------------------------------------------------------------------

constexpr const char* kSumName = "sum";
constexpr const char* kProdName = "prod";
constexpr const char* kMinName = "min";
constexpr const char* kMaxName = "max";
constexpr const char* kAnyName = "any";
constexpr const char* kAllName = "all";
constexpr const char* kMeanName = "mean";
constexpr const char* kVarName = "var";
constexpr const char* kStdName = "std";

constinit Function kSum = {kSumName, kSumParameters, &like_sum<&ops::sum, kSumName>,
                           "Sum of the elements over axes."};
constinit Function kProd = {kProdName, kSumParameters, &like_sum<&ops::prod, kProdName>,
                            "Product of the elements over axes."};
constinit Function kMin = {kMinName, kMinParameters, &like_min<&ops::min, kMinName>,
                           "Smallest element over axes."};
constinit Function kMax = {kMaxName, kMinParameters, &like_min<&ops::max, kMaxName>,
                           "Largest element over axes."};
constinit Function kAny = {kAnyName, kAnyParameters, &like_any<&ops::any, kAnyName>,
                           "Whether any element over axes is true."};
constinit Function kAll = {kAllName, kAnyParameters, &like_any<&ops::all, kAllName>,
                           "Whether all elements over axes are true."};
constinit Function kMean = {kMeanName, kMeanParameters, &like_mean<&ops::mean, kMeanName>,
                            "Arithmetic mean over axes."};
constinit Function kVar = {kVarName, kVarParameters, &like_var<&ops::var, kVarName>, "Variance over axes."};
constinit Function kStd = {kStdName, kVarParameters, &like_var<&ops::std, kStdName>,
                           "Standard deviation over axes."};

// -- Without NaN ----------------------------------------------------------------------------------------

constexpr const char* kNansumName = "nansum";
constexpr const char* kNanprodName = "nanprod";
constexpr const char* kNanminName = "nanmin";
constexpr const char* kNanmaxName = "nanmax";
constexpr const char* kNanmeanName = "nanmean";
constexpr const char* kNanvarName = "nanvar";
constexpr const char* kNanstdName = "nanstd";

constinit Function kNansum = {kNansumName, kSumParameters, &like_sum<&ops::nansum, kNansumName>,
                              "Sum over axes, NaN counting as zero."};
constinit Function kNanprod = {kNanprodName, kSumParameters, &like_sum<&ops::nanprod, kNanprodName>,
                               "Product over axes, NaN counting as one."};
constinit Function kNanmin = {kNanminName, kMinParameters, &like_min<&ops::nanmin, kNanminName>,
                              "Smallest element over axes, leaving out NaN."};
constinit Function kNanmax = {kNanmaxName, kMinParameters, &like_min<&ops::nanmax, kNanmaxName>,
                              "Largest element over axes, leaving out NaN."};
constinit Function kNanmean = {kNanmeanName, kMeanParameters, &like_mean<&ops::nanmean, kNanmeanName>,
                               "Mean over axes, leaving out NaN."};
constinit Function kNanvar = {kNanvarName, kVarParameters, &like_var<&ops::nanvar, kNanvarName>,
                              "Variance over axes, leaving out NaN."};
constinit Function kNanstd = {kNanstdName, kVarParameters, &like_var<&ops::nanstd, kNanstdName>,
                              "Standard deviation over axes, leaving out NaN."};

// -- Others ---------------------------------------------------------------------------------------------

PyObject* ptp(PyObject* const* args) {
  const ReduceCall call(args, {.out = 2, .keepdims = 3}, "ptp");
  return deliver(ops::ptp(call.operand(), call.args()), call.out());
}

PyObject* count_nonzero(PyObject* const* args) {
  const ReduceCall call(args, {.keepdims = 2}, "count_nonzero");
  return wrap_raw(ops::count_nonzero(call.operand(), call.args()));
}

PyObject* trace(PyObject* const* args) {
  const ArrayArgument a(args[0], "trace", 1);
  return deliver(
      ops::trace(*a, int_argument(args[1], "trace", "offset", 0), int_argument(args[2], "trace", "axis1", 0),
                 int_argument(args[3], "trace", "axis2", 1), to_optional_dtype(args[4], "trace"),
                 out_argument(args[5], "trace")),
      args[5]);
}

using ArgReduction = Array (*)(const Array&, const ops::ArgArgs&);

template <ArgReduction R, const char* const& Name>
PyObject* like_argmax(PyObject* const* args) {
  const ArrayArgument a(args[0], Name, 1);
  const ops::ArgArgs with = {axis_argument(args[1], Name), out_argument(args[2], Name),
                             flag_argument(args[3])};
  return deliver(R(*a, with), args[2]);
}

constexpr const char* kArgParameters = "a, axis=None, out=None, *, keepdims=False";
constexpr const char* kArgminName = "argmin";
constexpr const char* kArgmaxName = "argmax";
constexpr const char* kNanargminName = "nanargmin";
constexpr const char* kNanargmaxName = "nanargmax";

constinit Function kArgmin = {kArgminName, kArgParameters, &like_argmax<&ops::argmin, kArgminName>,
                              "Index of the first smallest element along an axis."};
constinit Function kArgmax = {kArgmaxName, kArgParameters, &like_argmax<&ops::argmax, kArgmaxName>,
                              "Index of the first largest element along an axis."};
constinit Function kNanargmin = {kNanargminName, kArgParameters,
                                 &like_argmax<&ops::nanargmin, kNanargminName>,
                                 "Index of the first smallest element along an axis, leaving out NaN."};
constinit Function kNanargmax = {kNanargmaxName, kArgParameters,
                                 &like_argmax<&ops::nanargmax, kNanargmaxName>,
                                 "Index of the first largest element along an axis, leaving out NaN."};
constinit Function kPtp = {"ptp", "a, axis=None, out=None, keepdims=False", &ptp,
                           "Largest less smallest element over axes."};
constinit Function kCountNonzero = {"count_nonzero", "a, axis=None, *, keepdims=False", &count_nonzero,
                                    "Number of elements over axes that are not zero."};
constinit Function kTrace = {"trace", "a, offset=0, axis1=0, axis2=1, dtype=None, out=None", &trace,
                             "Sum along a diagonal."};

// -- Cumulative -----------------------------------------------------------------------------------------

using Scan = Array (*)(const Array&, const ops::ScanArgs&);

template <Scan S, const char* const& Name>
PyObject* like_cumsum(PyObject* const* args) {
  const ArrayArgument a(args[0], Name, 1);
  const ops::ScanArgs with = {axis_argument(args[1], Name), to_optional_dtype(args[2], Name),
                              out_argument(args[3], Name)};
  return deliver(S(*a, with), args[3]);
}

using ScanFrom = Array (*)(const Array&, const ops::ScanArgs&, bool);

template <ScanFrom S, const char* const& Name>
PyObject* like_cumulative_sum(PyObject* const* args) {
  const ArrayArgument a(args[0], Name, 1);
  const ops::ScanArgs with = {axis_argument(args[1], Name), to_optional_dtype(args[2], Name),
                              out_argument(args[3], Name)};
  return deliver(S(*a, with, flag_argument(args[4])), args[3]);
}

constexpr const char* kScanParameters = "a, axis=None, dtype=None, out=None";
constexpr const char* kScanFromParameters = "x, /, *, axis=None, dtype=None, out=None, include_initial=False";
constexpr const char* kCumsumName = "cumsum";
constexpr const char* kCumprodName = "cumprod";
constexpr const char* kNancumsumName = "nancumsum";
constexpr const char* kNancumprodName = "nancumprod";
constexpr const char* kCumulativeSumName = "cumulative_sum";
constexpr const char* kCumulativeProdName = "cumulative_prod";

constinit Function kCumsum = {kCumsumName, kScanParameters, &like_cumsum<&ops::cumsum, kCumsumName>,
                              "Cumulative sum along an axis."};
constinit Function kCumprod = {kCumprodName, kScanParameters, &like_cumsum<&ops::cumprod, kCumprodName>,
                               "Cumulative product along an axis."};
constinit Function kNancumsum = {kNancumsumName, kScanParameters,
                                 &like_cumsum<&ops::nancumsum, kNancumsumName>,
                                 "Cumulative sum along an axis, NaN counting as zero."};
constinit Function kNancumprod = {kNancumprodName, kScanParameters,
                                  &like_cumsum<&ops::nancumprod, kNancumprodName>,
                                  "Cumulative product along an axis, NaN counting as one."};
constinit Function kCumulativeSum = {kCumulativeSumName, kScanFromParameters,
                                     &like_cumulative_sum<&ops::cumulative_sum, kCumulativeSumName>,
                                     "Cumulative sum along an axis, from zero on if asked."};
constinit Function kCumulativeProd = {kCumulativeProdName, kScanFromParameters,
                                      &like_cumulative_sum<&ops::cumulative_prod, kCumulativeProdName>,
                                      "Cumulative product along an axis, from one on if asked."};

}  // namespace

void bind_reduction_methods(NdarrayClass& c) {
  add_methods(c, {entry<kSum>(), entry<kProd>(), entry<kMin>(), entry<kMax>(), entry<kAny>(), entry<kAll>(),
                  entry<kMean>(), entry<kVar>(), entry<kStd>(), entry<kPtp>(), entry<kArgmin>(),
                  entry<kArgmax>(), entry<kTrace>(), entry<kCumsum>(), entry<kCumprod>()});
}

void bind_reduction_functions(nb::module_& m) {
  add_functions(
      m, {entry<kSum>(),           entry<kProd>(),      entry<kMin>(),          entry<kMax>(),
          entry<kAny>(),           entry<kAll>(),       entry<kMean>(),         entry<kVar>(),
          entry<kStd>(),           entry<kPtp>(),       entry<kCountNonzero>(), entry<kArgmin>(),
          entry<kArgmax>(),        entry<kNanargmin>(), entry<kNanargmax>(),    entry<kTrace>(),
          entry<kNansum>(),        entry<kNanprod>(),   entry<kNanmin>(),       entry<kNanmax>(),
          entry<kNanmean>(),       entry<kNanvar>(),    entry<kNanstd>(),       entry<kCumsum>(),
          entry<kCumprod>(),       entry<kNancumsum>(), entry<kNancumprod>(),   entry<kCumulativeSum>(),
          entry<kCumulativeProd>()});
}

}  // namespace cuprum::python
