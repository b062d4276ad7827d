#include "cuprum/reductions.h"

#include "api/handle.h"
#include "ops/reduce.h"
#include "ops/scan.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }
const Array* of(const std::optional<array>& a) { return a ? &a->implementation() : nullptr; }
std::optional<Dims> of(const axis_set& axes) {
  return axes.axes() ? std::optional<Dims>(to_dims(*axes.axes())) : std::nullopt;
}

template <class Options>
ops::ReduceArgs reduce_args(const Options& o) {
  ops::ReduceArgs args;
  args.axes = of(o.axis);
  args.type = o.dtype;
  args.keepdims = o.keepdims;
  args.out = of(o.out);
  args.where = of(o.where);
  return args;
}
ops::ArgArgs arg_args(const axis_options& o) { return {o.axis, of(o.out), o.keepdims}; }
ops::ScanArgs scan_args(const axis_options& o) { return {o.axis, o.dtype, of(o.out)}; }

}  // namespace

#define CUPRUM_REDUCTION(name)                                             \
  array name(const array& a, const reduce_options& options) {              \
    ops::ReduceArgs args = reduce_args(options);                           \
    if (options.initial) args.initial = Value::floating(*options.initial); \
    return array(ops::name(of(a), args));                                  \
  }
CUPRUM_REDUCTION(sum)
CUPRUM_REDUCTION(prod)
CUPRUM_REDUCTION(min)
CUPRUM_REDUCTION(max)
CUPRUM_REDUCTION(any)
CUPRUM_REDUCTION(all)
CUPRUM_REDUCTION(mean)
CUPRUM_REDUCTION(ptp)
CUPRUM_REDUCTION(count_nonzero)
CUPRUM_REDUCTION(nansum)
CUPRUM_REDUCTION(nanprod)
CUPRUM_REDUCTION(nanmin)
CUPRUM_REDUCTION(nanmax)
CUPRUM_REDUCTION(nanmean)
#undef CUPRUM_REDUCTION

#define CUPRUM_MOMENT(name)                                                                      \
  array name(const array& a, const moment_options& options) {                                    \
    std::optional<Value> mean;                                                                   \
    if (options.mean) mean = Value(of(*options.mean));                                           \
    return array(ops::name(of(a), reduce_args(options), options.ddof, mean ? &*mean : nullptr)); \
  }
CUPRUM_MOMENT(var)
CUPRUM_MOMENT(std)
CUPRUM_MOMENT(nanvar)
CUPRUM_MOMENT(nanstd)
#undef CUPRUM_MOMENT

#define CUPRUM_ALONG(name, args)                                                                             \
  array name(const array& a, const axis_options& options) { return array(ops::name(of(a), args(options))); } \
  array name(const array& a, std::int64_t axis) { return name(a, {.axis = axis}); }
CUPRUM_ALONG(argmin, arg_args)
CUPRUM_ALONG(argmax, arg_args)
CUPRUM_ALONG(nanargmin, arg_args)
CUPRUM_ALONG(nanargmax, arg_args)
CUPRUM_ALONG(cumsum, scan_args)
CUPRUM_ALONG(cumprod, scan_args)
CUPRUM_ALONG(nancumsum, scan_args)
CUPRUM_ALONG(nancumprod, scan_args)
#undef CUPRUM_ALONG

array trace(const array& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2) {
  return array(ops::trace(of(a), offset, axis1, axis2));
}

}  // namespace cuprum
