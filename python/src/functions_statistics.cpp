// Medians, quantiles and weighted means, as functions of the module:
//   median nanmedian quantile percentile nanquantile nanpercentile average
#include "errors.h"
#include "function.h"
#include "ops/quantile.h"
#include "ops/weights.h"

namespace cuprum::python {

namespace {

template <Name kName, Array (*function)(const Array&, const ops::MedianArgs&)>
PyObject* median_like(PyObject* const* args) {
  const ArrayArgument a(args[0], kName, 1);
  const ops::MedianArgs options = {axis_set_argument(args[1], kName, a->ndim()), out_argument(args[2], kName),
                                   flag_argument(args[3]), flag_argument(args[4])};
  return deliver(function(*a, options), args[2]);
}

template <Name kName, Array (*function)(const Array&, const Value&, const ops::QuantileArgs&)>
PyObject* quantile_like(PyObject* const* args) {
  const ArrayArgument a(args[0], kName, 1);
  const bool weak = PyFloat_CheckExact(args[1]) || PyLong_CheckExact(args[1]);
  std::optional<ArrayArgument> fractions;
  if (!weak) fractions.emplace(args[1], kName, 2, HostRole::parameter);
  const BesideArray weights(args[7], kName, 8);
  const ops::QuantileArgs options = {
      axis_set_argument(args[2], kName, a->ndim()),      out_argument(args[3], kName), flag_argument(args[4]),
      text_argument(args[5], kName, "method", "linear"), flag_argument(args[6]),       weights.get()};
  const Value q = weak ? to_value(args[1], kName, 2) : Value(**fractions);
  return deliver(function(*a, q, options), args[3]);
}

PyObject* average(PyObject* const* args) {
  const ArrayArgument a(args[0], "average", 1);
  const BesideArray weights(args[2], "average", 3);
  ops::Average result = ops::average(*a, axis_set_argument(args[1], "average", a->ndim()), weights.get(),
                                     flag_argument(args[4]));
  if (!flag_argument(args[3])) return wrap_raw(std::move(result.mean));
  return to_tuple({result.mean, result.weight});
}

constinit Function kMedian = {"median", "a, axis=None, out=None, overwrite_input=False, keepdims=False",
                              &median_like<"median", &ops::median>, "The middle of the sorted elements.",
                              ResultClass::inherited_arrays};
constinit Function kNanmedian = {"nanmedian", "a, axis=None, out=None, overwrite_input=False, keepdims=False",
                                 &median_like<"nanmedian", &ops::nanmedian>,
                                 "The median of the elements that are not NaN.",
                                 ResultClass::inherited_arrays};

constexpr const char* kQuantileParameters =
    "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None";
constinit Function kQuantile = {"quantile", kQuantileParameters, &quantile_like<"quantile", &ops::quantile>,
                                "Values below which fractions of the elements lie.",
                                ResultClass::inherited_arrays};
constinit Function kPercentile = {
    "percentile", kQuantileParameters, &quantile_like<"percentile", &ops::percentile>,
    "Values below which percentages of the elements lie.", ResultClass::inherited_arrays};
constinit Function kNanquantile = {
    "nanquantile", kQuantileParameters, &quantile_like<"nanquantile", &ops::nanquantile>,
    "Quantiles of the elements that are not NaN.", ResultClass::inherited_arrays};
constinit Function kNanpercentile = {
    "nanpercentile", kQuantileParameters, &quantile_like<"nanpercentile", &ops::nanpercentile>,
    "Percentiles of the elements that are not NaN.", ResultClass::inherited_arrays};
constinit Function kAverage = {"average", "a, axis=None, weights=None, returned=False, *, keepdims=False",
                               &average, "The weighted mean over axes, and the sum of the weights."};

}  // namespace

void bind_statistics_functions(nb::module_& m) {
  add_functions(m, {entry<kMedian>(), entry<kNanmedian>(), entry<kQuantile>(), entry<kPercentile>(),
                    entry<kNanquantile>(), entry<kNanpercentile>(), entry<kAverage>()});
}

}  // namespace cuprum::python
