// mean, var and std, and the reductions that leave out NaN. The plain mean and variance are reductions of their own (one
// pass). With a mask, a mean that is given, or a dtype that cannot hold fractions, they are NumPy's steps, one by one: a sum in
// that dtype, divided by the number of elements and cast back. The engine fuses the steps.
#include <algorithm>
#include <limits>
#include <optional>
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
std::optional<Array> counted(const char* function, const Array& a, const Array* where, bool skip_nan) {
  if (where) check_where(function, a, *where);
  if (!skip_nan) return where ? std::optional(*where) : std::nullopt;
  const Array good = apply(Op::logical_not, dtype::bool_, apply(Op::isnan, a.type(), a));
  return where ? apply(Op::logical_and, dtype::bool_, good, *where) : good;
}

/// How many elements of `a` are reduced to one, less `ddof` but not negative: an array under a mask, with the reduced axes kept.
class Divisor {
 public:
  Divisor(const Array& a, const std::optional<Array>& mask, const ReduceArgs& args, double ddof = 0) {
    if (mask) {
      each_ = count_nonzero(broadcast_to(*mask, a.shape()), keep_axes(args));
      if (ddof == 0) return;
      const Array left = binary(Op::subtract, *each_, Scalar::of(dtype::float64, ddof));
      each_ = binary(Op::maximum, left, Scalar::of(dtype::float64, 0.0));
    } else {
      all_ = std::max(static_cast<double>(ReducePlan("", a, args.axes).count) - ddof, 0.0);
    }
  }
  Value value() const { return each_ ? Value(*each_) : Value(Scalar::of(dtype::float64, all_)); }
  const Array& each() const { return *each_; }

 private:
  std::optional<Array> each_;
  double all_ = 0;
};

/// Sum of the elements under the mask in dtype `type`; reduced axes kept.
Array sum_kept(const char* function, const Array& a, const std::optional<Array>& mask, dtype type,
               const ReduceArgs& args) {
  ReduceArgs inner = keep_axes(args);
  inner.type = type;
  inner.where = mask ? &*mask : nullptr;
  return reduce(Op::add, a, inner, function);
}

/// a / b, cast to the dtype of `a`.
Array divided(const Array& a, const Value& b) { return record_cast(binary(Op::divide, a, b), a.type()); }

/// The dtype that NumPy's steps sum in.
dtype sum_type(const Array& a, const ReduceArgs& args) { return args.type.value_or(mean_type(a.type())); }

/// The mean by steps, with the reduced axes kept: the sum in `type`, in the dtype `held` before it is divided.
Array mean_by_steps(const char* function, const Array& a, const std::optional<Array>& mask, dtype type,
                    dtype held, const ReduceArgs& args) {
  const Divisor count(a, mask, args);
  return divided(record_cast(sum_kept(function, a, mask, type, args), held), count.value());
}

/// What a result is kept in while it is computed: `out`, or the dtype of the sum.
dtype held_type(dtype type, const ReduceArgs& args) { return args.out ? args.out->type() : type; }

Array mean_of(const char* function, const Array& a, const ReduceArgs& args, bool skip_nan) {
  if (!args.where && !skip_nan) check_axes(function, a, args);
  const std::optional<Array> mask = counted(function, a, args.where, skip_nan);
  const dtype type = sum_type(a, args), held = held_type(type, args);
  if (mask || !has_nan(type) || !has_nan(held)) {
    const bool half = !skip_nan && !args.type && (type == dtype::float16 || type == dtype::bfloat16);
    const dtype wide = half ? dtype::float32 : type;  // sums of halves overflow, their mean does not
    const Array kept = mean_by_steps(function, a, mask, wide, args.out ? held : wide, args);
    return finish_kept(function, "divide", a, args.out ? kept : record_cast(kept, held), args);
  }
  const ReducePlan plan(function, a, args.axes);
  const ReduceSpec spec = {ReduceOp::mean, Op::count_, type, type, 0};
  return finish_reduction(function, "divide", plan, reduce_planned(plan, spec, a, nan_of(type)), args);
}

/// The standard deviation, in the dtype of the variance, which must be one that a root may be cast to.
Array root_of(const Array& variance, const ReducePlan& plan, const ReduceArgs& args) {
  const bool is_number =
      (args.keepdims ? plan.full : plan.kept).empty();  // NumPy casts a scalar without asking
  Op op = Op::sqrt;
  const Array root = apply(op, resolve(op, {variance.type()})->key, variance);
  if (root.type() == variance.type()) return root;
  if (args.out || !is_number) check_output_cast("sqrt", root.type(), variance.type(), Casting::same_kind);
  return record_cast(root, variance.type());
}

/// Variance and standard deviation: what all ways to them take.
struct SpreadArgs {
  const char* function;
  const ReduceArgs& args;
  double ddof;
  const Value* mean;  // given by the caller
  bool root;          // the standard deviation
  bool skip_nan;
};

/// |x|^2 of deviations x of elements of dtype `from`. NumPy's square of those of real elements from a complex mean is z * z.
Array squares_of(const Array& x, dtype from) {
  if (!is_complex(x.type()) || (!is_complex(from) && !is_bool(from))) return unary(Op::square, x);
  return apply(Op::real, x.type(), apply(Op::multiply, x.type(), x, apply(Op::conjugate, x.type(), x)));
}

/// The variance by steps: the sum of the squared deviations from a mean, given or made by steps too.
Array var_by_steps(const SpreadArgs& s, const Array& a) {
  const std::optional<Array> mask = counted(s.function, a, s.args.where, s.skip_nan);
  const dtype type = sum_type(a, s.args);
  Array made;
  if (!s.mean) made = mean_by_steps(s.function, a, mask, type, type, s.args);
  const Value& mean = s.mean ? *s.mean : Value(made);
  const Value operands[] = {a, mean};
  Array x = call(Op::subtract, operands);
  if (s.skip_nan) {  // NumPy writes the deviations over its copy of the elements
    if (!(x.shape() == a.shape())) {
      throw ValueError(std::string("cuprum.") + s.function +
                       ": non-broadcastable output operand with shape " + to_string(a.shape()) +
                       " doesn't match the broadcast shape " + to_string(x.shape()));
    }
    x = record_cast(x, a.type());
  }
  const Array squares = squares_of(x, a.type());
  const dtype sum = s.args.type.value_or(has_nan(a.type()) ? squares.type() : dtype::float64);
  const dtype held = held_type(sum, s.args);
  const Divisor left(a, mask, s.args, s.ddof);
  Array result = divided(record_cast(sum_kept(s.function, squares, mask, sum, s.args), held), left.value());
  if (s.skip_nan) {  // NaN where too few elements are left, not infinity
    const Array enough = binary(Op::greater, left.each(), Scalar::of(dtype::float64, 0.0));
    result = choose_by(enough, result, make_scalar(held, std::numeric_limits<double>::quiet_NaN()), held);
  }
  const ReducePlan plan(s.function, squares, s.args.axes);
  if (s.args.out) check_out(s.function, "add", *s.args.out, s.args.keepdims ? plan.full : plan.kept);
  if (s.root) result = root_of(result, plan, s.args);
  return finish_kept(s.function, "divide", squares, result, s.args);
}

/// A variance is complex where `dtype=` is: then what is not finite, a quotient by zero, has NaN as its imaginary part.
Array as_complex(const Array& result, dtype type) {
  const Array finite = record_cast(apply(Op::isfinite, result.type(), result), type);
  return apply(Op::divide, type, record_cast(result, type), finite);
}

Array var_in_one_pass(const SpreadArgs& s, const Array& a) {
  const dtype type = sum_type(a, s.args), real = var_type(type);
  const ReducePlan plan(s.function, a, s.args.axes);
  const bool defined = static_cast<double>(plan.count) > s.ddof;
  const ReduceSpec spec = {ReduceOp::var, Op::count_, type, real, defined ? s.ddof : 0};
  Array result = reduce_planned(plan, spec, a, nan_of(real));
  if (!defined)
    result = apply(Op::divide, real, result, make_scalar(real, std::int64_t{0}));  // NaN or infinity
  if (s.root) result = root_of(result, plan, s.args);
  const bool complex = !s.args.out && s.args.type && is_complex(*s.args.type);
  return finish_reduction(s.function, "divide", plan, complex ? as_complex(result, *s.args.type) : result,
                          s.args);
}

Array spread(const SpreadArgs& s, const Array& a) {
  if (!s.args.where && !s.skip_nan) check_axes(s.function, a, s.args);
  const dtype type = sum_type(a, s.args);
  const bool one_pass = !s.args.where && !s.mean && !s.skip_nan && has_nan(type) &&
                        has_nan(held_type(type, s.args)) && (is_complex(type) || !is_complex(a.type()));
  return one_pass ? var_in_one_pass(s, a) : var_by_steps(s, a);
}

/// Where there may be NaN, the result must be able to be one.
bool skips_nan(const Array& a, const ReduceArgs& args) {
  if (!has_nan(a.type())) return false;
  if (args.type && !has_nan(*args.type)) throw TypeError("If a is inexact, then dtype must be inexact");
  if (args.out && !has_nan(args.out->type())) throw TypeError("If a is inexact, then out must be inexact");
  return true;
}

}  // namespace

Array mean(const Array& a, const ReduceArgs& args) { return mean_of("mean", a, args, false); }

Array var(const Array& a, const ReduceArgs& args, double ddof, const Value* mean) {
  return spread({"var", args, ddof, mean, false, false}, a);
}

Array std(const Array& a, const ReduceArgs& args, double ddof, const Value* mean) {
  return spread({"std", args, ddof, mean, true, false}, a);
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

Array nanmean(const Array& a, const ReduceArgs& args) {
  return mean_of("nanmean", a, args, skips_nan(a, args));
}

Array nanvar(const Array& a, const ReduceArgs& args, double ddof, const Value* mean) {
  return spread({"nanvar", args, ddof, mean, false, skips_nan(a, args)}, a);
}

Array nanstd(const Array& a, const ReduceArgs& args, double ddof, const Value* mean) {
  return spread({"nanstd", args, ddof, mean, true, skips_nan(a, args)}, a);
}

}  // namespace cuprum::ops
