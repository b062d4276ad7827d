// mean, var and std, and the reductions that leave out NaN. Without a mask, mean and var are reductions of their own
// (one pass); with one they are composed from sums, which the engine fuses.
#include <cmath>
#include <limits>
#include <string>

#include "core/resolve.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/reduce_plan.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

bool has_nan(dtype type) { return is_floating(type) || is_complex(type); }

/// In both parts of a complex number.
Scalar nan_of(dtype type) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return Value::complex(nan, nan).to_scalar(type);
}

/// The same axes, kept, and nothing else.
ReduceArgs keep_axes(const ReduceArgs& args) {
  ReduceArgs inner;
  inner.axes = args.axes;
  inner.keepdims = true;
  return inner;
}

/// Unlike sums, NumPy's moments have no axis 0 in an array without dimensions.
void check_axes(const char* function, const Array& a, const ReduceArgs& args) {
  if (a.ndim() == 0 && args.axes && !args.axes->empty()) normalize_axis(function, (*args.axes)[0], 0);
}

/// Delivers a result that was computed with the reduced axes kept.
Array finish_kept(const char* function, const char* ufunc, const Array& a, const Array& kept,
                  const ReduceArgs& args) {
  const ReducePlan plan(function, a, args.axes);
  return finish_reduction(function, ufunc, plan, args.keepdims ? kept : reshape(kept, plan.kept), args);
}

/// The elements that count: `where`, not NaN, or both; broadcasts to `a`.
Array counted(const Array& a, const Array* where, bool skip_nan) {
  if (!skip_nan) return to_bool(*where);
  const Array good = apply(Op::logical_not, dtype::bool_, apply(Op::isnan, a.type(), a));
  return where ? apply(Op::logical_and, dtype::bool_, good, to_bool(*where)) : good;
}

/// Sum of the elements of dtype `type` under the mask, and how many they are; reduced axes kept.
struct Total {
  Array sum;
  Array count;  // of the real dtype of the sum
};
Total total_where(const char* function, const Array& a, const Array& mask, dtype type,
                  const ReduceArgs& args) {
  ReduceArgs inner = keep_axes(args);
  inner.type = type;
  const Array zeroed =
      masked_operand(function, record_cast(a, type), mask, make_scalar(type, std::int64_t{0}));
  ReduceArgs counting = keep_axes(args);
  const Array everywhere = broadcast_to(mask, a.shape());
  return {sum(zeroed, inner), record_cast(count_nonzero(everywhere, counting), real_type(type))};
}

Array mean_where(const char* function, const Array& a, const Array& mask, dtype type,
                 const ReduceArgs& args) {
  const Total t = total_where(function, a, mask, type, args);
  return apply(Op::divide, type, t.sum, t.count);
}

/// |z|^2 of the deviations, summed: two passes, as a mask leaves no closed form.
Array var_where(const char* function, const Array& a, const Array& mask, dtype type, double ddof,
                const ReduceArgs& args) {
  const dtype real = var_type(type);
  const Total t = total_where(function, a, mask, type, args);
  const Array deviation = apply(Op::subtract, type, a, apply(Op::divide, type, t.sum, t.count));
  const Array squares =
      is_complex(type)
          ? apply(Op::real, type, apply(Op::multiply, type, deviation, apply(Op::conjugate, type, deviation)))
          : apply(Op::multiply, type, deviation, deviation);
  const Total s = total_where(function, squares, mask, real, args);
  const Array left = apply(Op::subtract, real, t.count, make_scalar(real, ddof));
  return apply(Op::divide, real, s.sum, apply(Op::maximum, real, left, make_scalar(real, std::int64_t{0})));
}

/// The dtype to work in: `dtype=`, or floating-point for integers.
dtype moment_type(const Array& a, const ReduceArgs& args) { return mean_type(args.type.value_or(a.type())); }

/// What the caller gets: `dtype=` as given, even where the work was done in another.
Array as_asked(const Array& result, const ReduceArgs& args) {
  if (args.out || !args.type || has_nan(*args.type)) return result;
  return record_cast(result, *args.type);
}

/// A variance is complex where `dtype=` is: then what is not finite, a quotient by zero, has NaN as its imaginary part.
Array variance_as_asked(const Array& result, const ReduceArgs& args) {
  if (args.out || !args.type || !is_complex(*args.type)) return as_asked(result, args);
  const dtype type = *args.type;
  const Array finite = record_cast(apply(Op::isfinite, result.type(), result), type);
  return apply(Op::divide, type, record_cast(result, type), finite);
}

Array mean_of(const char* function, const Array& a, const ReduceArgs& args) {
  check_axes(function, a, args);
  const dtype type = moment_type(a, args);
  const ReducePlan plan(function, a, args.axes);
  const ReduceSpec spec = {ReduceOp::mean, Op::count_, type, type, 0};
  const Array result = reduce_planned(plan, spec, a, nan_of(type));
  return finish_reduction(function, "divide", plan, as_asked(result, args), args);
}

/// The standard deviation, which unlike the variance must be of the kind of `out`.
Array root_of(const Array& variance, const ReducePlan& plan, const ReduceArgs& args) {
  const bool is_number =
      (args.keepdims ? plan.full : plan.kept).empty();  // NumPy casts a scalar without asking
  if (args.out || (args.type && !is_number)) {
    const dtype type = args.out ? args.out->type() : *args.type;
    check_output_cast("sqrt", variance.type(), type, Casting::same_kind);
  }
  return apply(Op::sqrt, variance.type(), variance);
}

/// sqrt of the variance if `root`.
Array var_of(const char* function, const Array& a, const ReduceArgs& args, double ddof, bool root) {
  check_axes(function, a, args);
  const dtype type = moment_type(a, args), real = var_type(type);
  const ReducePlan plan(function, a, args.axes);
  const bool defined = static_cast<double>(plan.count) > ddof;
  const ReduceSpec spec = {ReduceOp::var, Op::count_, type, real, defined ? ddof : 0};
  Array result = reduce_planned(plan, spec, a, nan_of(real));
  if (!defined)
    result = apply(Op::divide, real, result, make_scalar(real, std::int64_t{0}));  // NaN or infinity
  if (root) result = root_of(result, plan, args);
  return finish_reduction(function, "divide", plan, variance_as_asked(result, args), args);
}

Array masked_mean(const char* function, const Array& a, const ReduceArgs& args, bool skip_nan) {
  const Array mask = counted(a, args.where, skip_nan);
  const Array kept = mean_where(function, a, mask, moment_type(a, args), args);
  return finish_kept(function, "divide", a, as_asked(kept, args), args);
}

Array masked_var(const char* function, const Array& a, const ReduceArgs& args, double ddof, bool root,
                 bool skip_nan) {
  const dtype type = moment_type(a, args);
  const bool complex = !args.out && args.type && is_complex(*args.type);
  const Array mask = counted(a, args.where, skip_nan);
  Array kept = var_where(function, a, mask, type, ddof, args);
  if (skip_nan) {  // NaN where too few elements are left, not infinity
    const dtype real = var_type(type);
    const Array n =
        record_cast(count_nonzero(broadcast_to(mask, a.shape()), keep_axes(args)), dtype::float64);
    const Array enough = apply(Op::greater, dtype::float64, n, make_scalar(dtype::float64, ddof));
    kept = choose_by(enough, kept, nan_of(real), real);
  }
  if (root) kept = root_of(kept, ReducePlan(function, a, args.axes), args);
  return finish_kept(function, "divide", a,
                     skip_nan && complex ? record_cast(kept, *args.type) : variance_as_asked(kept, args),
                     args);
}

}  // namespace

Array mean(const Array& a, const ReduceArgs& args) {
  return args.where ? masked_mean("mean", a, args, false) : mean_of("mean", a, args);
}

namespace {

/// What the moments around the mean ask of `dtype=`.
void check_subtractable(const char* function, const Array& a, const ReduceArgs& args) {
  if (args.where) check_where(function, a, *args.where);
  if (!args.type || !is_bool(*args.type)) return;
  throw TypeError(
      "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or "
      "the "
      "logical_xor function instead.");
}

}  // namespace

Array var(const Array& a, const ReduceArgs& args, double ddof) {
  check_subtractable("var", a, args);
  return args.where ? masked_var("var", a, args, ddof, false, false) : var_of("var", a, args, ddof, false);
}

Array std(const Array& a, const ReduceArgs& args, double ddof) {
  check_subtractable("std", a, args);
  return args.where ? masked_var("std", a, args, ddof, true, false) : var_of("std", a, args, ddof, true);
}

// -- Without NaN ----------------------------------------------------------------------------------------

Array nansum(const Array& a, const ReduceArgs& args) {
  return reduce(Op::add, has_nan(a.type()) ? apply(Op::nan_to_zero, a.type(), a) : a, args, "nansum");
}

Array nanprod(const Array& a, const ReduceArgs& args) {
  return reduce(Op::multiply, has_nan(a.type()) ? apply(Op::nan_to_one, a.type(), a) : a, args, "nanprod");
}

Array nanmin(const Array& a, const ReduceArgs& args) { return reduce(Op::fmin, a, args, "nanmin"); }

Array nanmax(const Array& a, const ReduceArgs& args) { return reduce(Op::fmax, a, args, "nanmax"); }

namespace {

/// Where there may be NaN, the result must be able to be one.
bool skips_nan(const Array& a, const ReduceArgs& args) {
  if (!has_nan(a.type())) return false;
  if (args.type && !has_nan(*args.type)) throw TypeError("If a is inexact, then dtype must be inexact");
  if (args.out && !has_nan(args.out->type())) throw TypeError("If a is inexact, then out must be inexact");
  return true;
}

}  // namespace

Array nanmean(const Array& a, const ReduceArgs& args) {
  return skips_nan(a, args) ? masked_mean("nanmean", a, args, true) : mean(a, args);
}

Array nanvar(const Array& a, const ReduceArgs& args, double ddof) {
  return skips_nan(a, args) ? masked_var("nanvar", a, args, ddof, false, true) : var(a, args, ddof);
}

Array nanstd(const Array& a, const ReduceArgs& args, double ddof) {
  return skips_nan(a, args) ? masked_var("nanstd", a, args, ddof, true, true) : std(a, args, ddof);
}

}  // namespace cuprum::ops
