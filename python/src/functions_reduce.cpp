// Reductions and cumulative functions, as methods of ndarray and as functions of the module:
//   sum prod min max any all mean var std ptp count_nonzero argmin argmax trace
//   nansum nanprod nanmin nanmax nanmean nanvar nanstd nanargmin nanargmax
//   cumsum cumprod nancumsum nancumprod cumulative_sum cumulative_prod
#include <cmath>

#include "core/resolve.h"
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
    if (at.keepdims >= 0) args_.keepdims = args[at.keepdims] && to_keepdims(args[at.keepdims], function);
    if (at.initial >= 0 && given(args[at.initial])) args_.initial = to_value(args[at.initial], function, 0);
    args_.where = where_.get();
  }

  const Array& operand() const { return *operand_; }
  /// NumPy's warning of elements, or sums of them, whose imaginary parts get lost.
  void warn_of_real_result(bool of_out = true) const {
    if (args_.type) return warn_of_lost_imaginary(operand_->type(), *args_.type);
    if (of_out && args_.out) warn_of_lost_imaginary(operand_->type(), args_.out->type());
  }
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

template <Name kName, Reduction R>
PyObject* like_sum(PyObject* const* args) {
  const ReduceCall call(args, {.dtype = 2, .out = 3, .keepdims = 4, .initial = 5, .where = 6}, kName);
  call.warn_of_real_result();
  return deliver(R(call.operand(), call.args()), call.out());
}

template <Name kName, Reduction R>
PyObject* like_min(PyObject* const* args) {
  const ReduceCall call(args, {.out = 2, .keepdims = 3, .initial = 4, .where = 5}, kName);
  call.warn_of_real_result();
  return deliver(R(call.operand(), call.args()), call.out());
}

template <Name kName, Reduction R>
PyObject* like_any(PyObject* const* args) {
  const ReduceCall call(args, {.out = 2, .keepdims = 3, .where = 4}, kName);
  return deliver(R(call.operand(), call.args()), call.out());
}

/// NumPy's warning where the shape tells that no more than `few` elements are reduced. How many a mask or NaN leave would
/// have to be asked of the device.
void warn_of_few(const ReduceCall& call, double few, const char* text) {
  const std::int64_t count = ops::ReducePlan("", call.operand(), call.args().axes).count;
  const bool told = !call.args().where && static_cast<double>(count) <= few;
  if (told && PyErr_WarnEx(PyExc_RuntimeWarning, text, program_level()) < 0) throw_python_error();
}

template <Name kName, Reduction R>
PyObject* like_mean(PyObject* const* args) {
  const ReduceCall call(args, {.dtype = 2, .out = 3, .keepdims = 4, .where = 5}, kName);
  const Array result = R(call.operand(), call.args());
  call.warn_of_real_result();
  if (call.operand().size() == 0) warn_of_few(call, 0, "Mean of empty slice");
  return deliver(result, call.out());
}

using Spread = Array (*)(const Array&, const ops::ReduceArgs&, double, const Value*);

double ddof_argument(PyObject* ddof, PyObject* correction, const char* function) {
  if (given(correction) && ddof && !(PyLong_CheckExact(ddof) && PyLong_AsLong(ddof) == 0)) {
    throw ValueError(std::string("cuprum.") + function +
                     ": ddof and correction can't be provided simultaneously; write one of them");
  }
  PyObject* o = given(correction) ? correction : ddof;
  if (!o) return 0;
  const double value = PyFloat_AsDouble(o);
  if (value == -1 && PyErr_Occurred()) throw_named_error(function, "ddof");
  if (std::isnan(value))
    throw ValueError(std::string("cuprum.") + function + ": ddof must be a number, given nan");
  return value;
}

/// Deviations of real elements from a complex mean are complex, and so is what NumPy calls their squares; `nanvar` keeps
/// them in the dtype of the elements.
void warn_of_complex_mean(const ReduceCall& call, bool skips_nan, dtype mean) {
  const dtype of = call.operand().type();
  if (is_complex(of) || is_bool(of)) return;
  if (is_floating(of) && skips_nan) return warn_of_lost_imaginary(mean, of);
  const ops::ReduceArgs& args = call.args();
  warn_of_lost_imaginary(mean, args.type             ? *args.type
                               : args.out            ? args.out->type()
                               : mean_type(of) == of ? mean
                                                     : dtype::float64);
}

template <Name kName, Spread S>
PyObject* like_var(PyObject* const* args) {
  const ReduceCall call(args, {.dtype = 2, .out = 3, .keepdims = 5, .where = 6}, kName);
  const double ddof = ddof_argument(args[4], args[8], kName);
  nb::object keep;
  std::optional<Value> mean;
  if (given(args[7])) mean = to_value(args[7], kName, 0, &keep);
  const Array result = S(call.operand(), call.args(), ddof, mean ? &*mean : nullptr);
  if (!mean) call.warn_of_real_result(false);  // of the mean alone: a variance is real
  if (mean && is_complex(mean->type())) warn_of_complex_mean(call, kName.text[0] == 'n', mean->type());
  warn_of_few(call, ddof, "Degrees of freedom <= 0 for slice");
  return deliver(result, call.out());
}

// -- The plain ones -------------------------------------------------------------------------------------

constinit Function kSum = {"sum", kSumParameters, &like_sum<"sum", &ops::sum>,
                           "Sum of the elements over axes."};
constinit Function kProd = {"prod", kSumParameters, &like_sum<"prod", &ops::prod>,
                            "Product of the elements over axes."};
constinit Function kMin = {"min", kMinParameters, &like_min<"min", &ops::min>, "Smallest element over axes."};
constinit Function kMax = {"max", kMinParameters, &like_min<"max", &ops::max>, "Largest element over axes."};
constinit Function kAny = {"any", kAnyParameters, &like_any<"any", &ops::any>,
                           "Whether any element over axes is true."};
constinit Function kAll = {"all", kAnyParameters, &like_any<"all", &ops::all>,
                           "Whether all elements over axes are true."};
constinit Function kMean = {"mean", kMeanParameters, &like_mean<"mean", &ops::mean>,
                            "Arithmetic mean over axes."};
constinit Function kVar = {"var", kVarParameters, &like_var<"var", &ops::var>, "Variance over axes."};
constinit Function kStd = {"std", kVarParameters, &like_var<"std", &ops::std>,
                           "Standard deviation over axes."};

// -- Without NaN ----------------------------------------------------------------------------------------

constinit Function kNansum = {"nansum", kSumParameters, &like_sum<"nansum", &ops::nansum>,
                              "Sum over axes, NaN counting as zero."};
constinit Function kNanprod = {"nanprod", kSumParameters, &like_sum<"nanprod", &ops::nanprod>,
                               "Product over axes, NaN counting as one."};
constinit Function kNanmin = {"nanmin", kMinParameters, &like_min<"nanmin", &ops::nanmin>,
                              "Smallest element over axes, leaving out NaN."};
constinit Function kNanmax = {"nanmax", kMinParameters, &like_min<"nanmax", &ops::nanmax>,
                              "Largest element over axes, leaving out NaN."};
constinit Function kNanmean = {"nanmean", kMeanParameters, &like_mean<"nanmean", &ops::nanmean>,
                               "Mean over axes, leaving out NaN."};
constinit Function kNanvar = {"nanvar", kVarParameters, &like_var<"nanvar", &ops::nanvar>,
                              "Variance over axes, leaving out NaN."};
constinit Function kNanstd = {"nanstd", kVarParameters, &like_var<"nanstd", &ops::nanstd>,
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
  const std::optional<dtype> type = to_optional_dtype(args[4], "trace");
  const Array* out = out_argument(args[5], "trace");
  if (type || out) warn_of_lost_imaginary(a->type(), type ? *type : out->type());
  return deliver(
      ops::trace(*a, int_argument(args[1], "trace", "offset", 0), int_argument(args[2], "trace", "axis1", 0),
                 int_argument(args[3], "trace", "axis2", 1), type, out),
      args[5]);
}

using ArgReduction = Array (*)(const Array&, const ops::ArgArgs&);

template <Name kName, ArgReduction R>
PyObject* like_argmax(PyObject* const* args) {
  const ArrayArgument a(args[0], kName, 1);
  const ops::ArgArgs with = {axis_argument(args[1], kName), out_argument(args[2], kName),
                             flag_argument(args[3])};
  return deliver(R(*a, with), args[2]);
}

constexpr const char* kArgParameters = "a, axis=None, out=None, *, keepdims=False";

constinit Function kArgmin = {"argmin", kArgParameters, &like_argmax<"argmin", &ops::argmin>,
                              "Index of the first smallest element along an axis.",
                              ResultClass::inherited_arrays};
constinit Function kArgmax = {"argmax", kArgParameters, &like_argmax<"argmax", &ops::argmax>,
                              "Index of the first largest element along an axis.",
                              ResultClass::inherited_arrays};
constinit Function kNanargmin = {"nanargmin", kArgParameters, &like_argmax<"nanargmin", &ops::nanargmin>,
                                 "Index of the first smallest element along an axis, leaving out NaN.",
                                 ResultClass::inherited_arrays};
constinit Function kNanargmax = {"nanargmax", kArgParameters, &like_argmax<"nanargmax", &ops::nanargmax>,
                                 "Index of the first largest element along an axis, leaving out NaN.",
                                 ResultClass::inherited_arrays};
constinit Function kPtp = {"ptp", "a, axis=None, out=None, keepdims=False", &ptp,
                           "Largest less smallest element over axes."};
constinit Function kCountNonzero = {"count_nonzero", "a, axis=None, *, keepdims=False", &count_nonzero,
                                    "Number of elements over axes that are not zero."};
constinit Function kTrace = {"trace", "a, offset=0, axis1=0, axis2=1, dtype=None, out=None", &trace,
                             "Sum along a diagonal.", ResultClass::plain};

// -- Cumulative -----------------------------------------------------------------------------------------

using Scan = Array (*)(const Array&, const ops::ScanArgs&);

ops::ScanArgs scan_arguments(const Array& a, PyObject* const* args, const char* function) {
  const ops::ScanArgs with = {axis_argument(args[1], function), to_optional_dtype(args[2], function),
                              out_argument(args[3], function)};
  if (with.type || with.out) warn_of_lost_imaginary(a.type(), with.type ? *with.type : with.out->type());
  return with;
}

template <Name kName, Scan S>
PyObject* like_cumsum(PyObject* const* args) {
  const ArrayArgument a(args[0], kName, 1);
  const ops::ScanArgs with = scan_arguments(*a, args, kName);
  return deliver(S(*a, with), args[3]);
}

using ScanFrom = Array (*)(const Array&, const ops::ScanArgs&, bool);

template <Name kName, ScanFrom S>
PyObject* like_cumulative_sum(PyObject* const* args) {
  const ArrayArgument a(args[0], kName, 1);
  const ops::ScanArgs with = scan_arguments(*a, args, kName);
  return deliver(S(*a, with, flag_argument(args[4])), args[3]);
}

constexpr const char* kScanParameters = "a, axis=None, dtype=None, out=None";
constexpr const char* kScanFromParameters = "x, /, *, axis=None, dtype=None, out=None, include_initial=False";

constinit Function kCumsum = {"cumsum", kScanParameters, &like_cumsum<"cumsum", &ops::cumsum>,
                              "Cumulative sum along an axis."};
constinit Function kCumprod = {"cumprod", kScanParameters, &like_cumsum<"cumprod", &ops::cumprod>,
                               "Cumulative product along an axis."};
constinit Function kNancumsum = {"nancumsum", kScanParameters, &like_cumsum<"nancumsum", &ops::nancumsum>,
                                 "Cumulative sum along an axis, NaN counting as zero."};
constinit Function kNancumprod = {"nancumprod", kScanParameters, &like_cumsum<"nancumprod", &ops::nancumprod>,
                                  "Cumulative product along an axis, NaN counting as one."};
constinit Function kCumulativeSum = {"cumulative_sum", kScanFromParameters,
                                     &like_cumulative_sum<"cumulative_sum", &ops::cumulative_sum>,
                                     "Cumulative sum along an axis, from zero on if asked."};
constinit Function kCumulativeProd = {"cumulative_prod", kScanFromParameters,
                                      &like_cumulative_sum<"cumulative_prod", &ops::cumulative_prod>,
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
