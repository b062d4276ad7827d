#include "cuprum/statistics.h"

#include "api/handle.h"
#include "ops/covariance.h"
#include "ops/quantile.h"
#include "ops/weights.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }
const Array* of(const std::optional<array>& a) { return a ? &a->implementation() : nullptr; }

ops::MedianArgs median_args(const median_options& o) {
  return {to_axes(o.axis), of(o.out), o.overwrite_input, o.keepdims};
}
ops::QuantileArgs quantile_args(const quantile_options& o) {
  return {to_axes(o.axis), of(o.out), o.overwrite_input, o.method, o.keepdims, of(o.weights)};
}

}  // namespace

#define CUPRUM_MEDIAN(name)                                   \
  array name(const array& a, const median_options& options) { \
    return array(ops::name(of(a), median_args(options)));     \
  }
CUPRUM_MEDIAN(median)
CUPRUM_MEDIAN(nanmedian)
#undef CUPRUM_MEDIAN

#define CUPRUM_QUANTILE(name)                                                         \
  array name(const array& a, const operand& q, const quantile_options& options) {     \
    return array(ops::name(of(a), operand_access::value(q), quantile_args(options))); \
  }
CUPRUM_QUANTILE(quantile)
CUPRUM_QUANTILE(percentile)
CUPRUM_QUANTILE(nanquantile)
CUPRUM_QUANTILE(nanpercentile)
#undef CUPRUM_QUANTILE

array average(const array& a, const average_options& options) {
  return array(ops::average(of(a), to_axes(options.axis), of(options.weights), options.keepdims).mean);
}

array cov(const array& m, const cov_options& o) {
  return array(ops::cov(of(m), {of(o.y), o.rowvar, o.bias, o.ddof, of(o.fweights), of(o.aweights), o.dtype}));
}
array corrcoef(const array& x, const cov_options& o) {
  return array(ops::corrcoef(of(x), of(o.y), o.rowvar, o.dtype));
}

}  // namespace cuprum
