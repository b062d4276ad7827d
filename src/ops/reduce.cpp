// sum, prod, min, max, any, all and ufunc.reduce; argmin and argmax. One path: plan the axes, choose the loop as
// NumPy does, record, deliver.
#include "ops/reduce.h"

#include <bit>
#include <limits>
#include <string>

#include "core/layout.h"
#include "core/resolve.h"
#include "core/texts.h"
#include "ops/basic_index.h"
#include "ops/elementwise.h"
#include "ops/float_errors.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/reduce_plan.h"
#include "ops/scan.h"
#include "ops/search.h"
#include "ops/sort.h"
#include "ops/support.h"
#include "ops/value_checks.h"

namespace cuprum::ops {

// -- The plan -------------------------------------------------------------------------------------------

std::uint64_t axis_mask(const char* function, const std::optional<Dims>& axes, int ndim) {
  if (!axes) return ndim == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << ndim) - 1;
  if (ndim == 0 && axes->size() == 1 && ((*axes)[0] == 0 || (*axes)[0] == -1)) return 0;
  for (std::int64_t axis : *axes) normalize_axis(function, axis, ndim);  // told before a repetition
  std::uint64_t mask = 0;
  for (std::int64_t axis : *axes) {
    const std::uint64_t bit = std::uint64_t{1} << normalize_axis(function, axis, ndim);
    if (mask & bit)
      throw ValueError(prefix(function) + "duplicate value in 'axis', given " + to_string(*axes));
    mask |= bit;
  }
  return mask;
}

ReducePlan::ReducePlan(const char* function, const Array& a, const std::optional<Dims>& which)
    : axes(axis_mask(function, which, a.ndim())) {
  for (int d = 0; d < a.ndim(); ++d) {
    const bool reduced = axes >> d & 1;
    if (reduced) {
      count *= a.shape()[d];
    } else {
      kept.push_back(a.shape()[d]);
    }
    full.push_back(reduced ? 1 : a.shape()[d]);
  }
}

bool ReducePlan::empty() const {
  for (std::int64_t d : kept) {
    if (d == 0) return true;
  }
  return false;
}

namespace {

/// 'F' where the dimensions that are kept lie in Fortran order, as a reduction would leave them.
char kept_order(const ReducePlan& plan, const Array& a) {
  Dims strides;
  for (int d = 0; d < a.ndim(); ++d) {
    if (!(plan.axes >> d & 1)) strides.push_back(a.strides()[d]);
  }
  const Dims* votes[] = {&strides};
  return is_f_contiguous(plan.kept, result_strides(plan.kept, votes, 1, 'K'), 1) ? 'F' : 'C';
}

}  // namespace

Array reduce_planned(const ReducePlan& plan, const ReduceSpec& spec, const Array& a, const Scalar& identity) {
  if (plan.count == 0 || plan.empty())
    return record_full(a.backend(), plan.kept, identity, kept_order(plan, a));
  return record_reduction(spec, a, plan.axes);
}

void check_out(const char* function, const char* ufunc, const Array& out, const Dims& expected) {
  if (out.shape() == expected) return;
  if (out.shape().size() != expected.size()) {
    throw ValueError(prefix(function) + "output parameter for reduction operation " + ufunc +
                     " has the wrong number of dimensions: Found " + std::to_string(out.ndim()) +
                     " but expected " + std::to_string(expected.size()) + "; give an out of shape " +
                     to_string(expected));
  }
  throw ValueError(prefix(function) + "output parameter for reduction operation " + ufunc + " has shape " +
                   to_string(out.shape()) + " but the result has shape " + to_string(expected));
}

Array finish_reduction(const char* function, const char* ufunc, const ReducePlan& plan, Array result,
                       const ReduceArgs& args) {
  if (args.keepdims && result.ndim() != static_cast<int>(plan.full.size()))
    result = reshape(result, plan.full);
  if (args.out) {
    check_out(function, ufunc, *args.out, result.shape());
    assign(*args.out, Input(result));  // NumPy's reductions cast to `out` without asking
    return *args.out;
  }
  return value_if_0d(std::move(result));
}

void check_where(const char* function, const Array& a, const Array& where) {
  if (!is_bool(where.type())) {
    throw TypeError(prefix(function) + "Cannot cast array data from dtype('" + name(where.type()) +
                    "') to dtype('bool') according to the rule 'safe'; where= takes a bool array");
  }
  const Dims shapes[] = {a.shape(), where.shape()};
  const Dims common = broadcast_shapes(function, shapes, 2);
  if (!(common == a.shape())) {
    throw ValueError(prefix(function) + "operands could not be broadcast together: 'where' of shape " +
                     to_string(where.shape()) + " does not broadcast to the array of shape " +
                     to_string(a.shape()));
  }
}

Array masked_operand(const char* function, const Array& a, const Array& where, const Scalar& replacement) {
  check_where(function, a, where);
  return choose_by(where, a, replacement, a.type());
}

// -- ufunc.reduce ---------------------------------------------------------------------------------------

namespace {

/// What starts a fold of `op` in dtype `type`; nullopt: its first element.
std::optional<Scalar> identity_of(Op op, dtype type) {
  switch (info(op).identity) {
    case Identity::none: return std::nullopt;
    case Identity::zero: return make_scalar(type, std::int64_t{0});
    case Identity::one: return make_scalar(type, std::int64_t{1});
    case Identity::minus_one: return make_scalar(type, std::int64_t{-1});
    case Identity::true_: return make_scalar(type, std::int64_t{1});
    case Identity::false_: return make_scalar(type, std::int64_t{0});
    case Identity::minus_inf: return make_scalar(type, -std::numeric_limits<double>::infinity());
  }
  return std::nullopt;
}

/// The reduction that folds `op` over elements of dtype `type`. Of bools, + and max are `or`, * and min are `and`.
ReduceOp reduce_op(Op op, dtype type) {
  const bool b = is_bool(type);
  switch (op) {
    case Op::add: return b ? ReduceOp::any : ReduceOp::sum;
    case Op::multiply: return b ? ReduceOp::all : ReduceOp::prod;
    case Op::maximum: return b ? ReduceOp::any : ReduceOp::max;
    case Op::minimum: return b ? ReduceOp::all : ReduceOp::min;
    case Op::fmax: return b ? ReduceOp::any : is_integer(type) ? ReduceOp::max : ReduceOp::fmax;
    case Op::fmin: return b ? ReduceOp::all : is_integer(type) ? ReduceOp::min : ReduceOp::fmin;
    case Op::logical_or: return ReduceOp::any;
    case Op::logical_and: return ReduceOp::all;
    case Op::bitwise_or: return b ? ReduceOp::any : ReduceOp::bitwise_or;
    case Op::bitwise_and: return b ? ReduceOp::all : ReduceOp::bitwise_and;
    case Op::bitwise_xor: return b ? ReduceOp::logical_xor : ReduceOp::bitwise_xor;
    case Op::logical_xor: return ReduceOp::logical_xor;
    default: return ReduceOp::generic;
  }
}

/// The loop: truth values for the logical ones whatever the elements are, NumPy's choice for the rest.
Signature reduce_loop(Op& op, const Array& a, const ReduceArgs& args) {
  if (has(op, kLogical) && is_bool(args.type.value_or(dtype::bool_)))
    return *find_signature(op, dtype::bool_);
  const std::optional<dtype> out = args.out ? std::optional(args.out->type()) : std::nullopt;
  return resolve_reduce(op, a.type(), args.type, out);
}

/// `a` with one more element, `initial`, in front of an axis.
Array with_first(const Array& a, const Scalar& initial, int axis) {
  Dims shape = a.shape();
  shape[axis] = 1;
  const Array both[] = {record_full(a.backend(), shape, initial), a};
  return concatenate(both, axis);
}

/// Where the order counts, elements fold one after the other along the one reduced axis, `initial` before the first. Those that
/// the mask leaves out may not take part at all, for nothing is neutral: the others move to the front, and the fold is the
/// running one where they end.
Array fold_under_mask(const ReducePlan& plan, Op op, const Array& a, const Array& where,
                      const Scalar& initial) {
  if (!plan.axes) return choose_by(where, apply(op, a.type(), initial, a), initial, a.type());
  const int axis = std::countr_zero(plan.axes);
  const Array mask = broadcast_to(where, a.shape());
  const Array order = argsort(apply(Op::logical_not, dtype::bool_, mask), axis);
  ScanArgs along;
  along.axis = axis;
  along.type = a.type();
  const Array zeroed =
      choose_by(mask, a, Scalar::of(a.type(), 0), a.type());  // what is left out is not looked at
  const Array running =
      accumulate(op, with_first(take_along_axis(zeroed, order, axis), initial, axis), along);
  ReduceArgs count;
  count.axes = Dims{axis};
  count.keepdims = true;
  return reshape(take_along_axis(running, count_nonzero(mask, count), axis), plan.kept);
}

void check_reducible(const char* function, Op op, const ReducePlan& plan) {
  if (info(op).nin != 2) throw ValueError(prefix(function) + "reduce only supported for binary functions");
  if (!has(op, kReorderable) && (plan.axes & (plan.axes - 1)) != 0) {
    throw ValueError(prefix(function) + "reduction operation '" + info(op).name +
                     "' is not reorderable, so at most one axis may be specified");
  }
}

Scalar initial_of(const char* function, const ReduceArgs& args, dtype type) {
  if (args.initial->is_array()) {
    throw TypeError(prefix(function) + "'initial' must be a scalar, given an array; write initial.item()");
  }
  check_element(*args.initial, type);
  return args.initial->to_scalar(type);
}

/// The folds that may be regrouped.
inline Array fold_in_any_order(const ReducePlan& plan, const ReduceSpec& spec, const Array& a,
                               const Scalar& start, const std::optional<Scalar>& identity,
                               const std::optional<Scalar>& initial) {
  Array result = reduce_planned(plan, spec, a, start);
  // One element alone still meets the identity: gcd(0, -4) is 4.
  if (spec.op == ReduceOp::generic && identity && plan.count == 1)
    result = apply(spec.fold, spec.type, *identity, result);
  if (initial) return apply(spec.fold, spec.type, *initial, result);
  return result;
}

/// Looks at the elements that a fold takes as second operand: all but the first along the axis, unless `initial` comes before.
void check_elements(const ReducePlan& plan, Op op, const Array& a, bool with_initial, const Array* where) {
  if (with_initial) return check_folded(op, a, where);
  if (!plan.axes) return;
  const IndexItem rest[] = {IndexItem::ellipsis(), IndexItem::range(1, IndexItem::kEnd)};
  check_folded(op, basic_index(move_last(a, std::countr_zero(plan.axes)), rest), where);
}

/// The others, along one axis at most.
Array fold_in_order(const ReducePlan& plan, const ReduceSpec& spec, const Array& a,
                    const std::optional<Scalar>& initial, const Array* where) {
  if (looks_at_values(spec.fold)) check_elements(plan, spec.fold, a, initial.has_value(), where);
  if (where) return fold_under_mask(plan, spec.fold, a, *where, *initial);
  if (!initial) return reduce_planned(plan, spec, a, Scalar::of(spec.type, 0));
  if (!plan.axes) return apply(spec.fold, spec.type, *initial, a);
  return reduce_planned(plan, spec, with_first(a, *initial, std::countr_zero(plan.axes)), *initial);
}

}  // namespace

Array reduce(Op op, const Array& a, const ReduceArgs& args, const char* function) {
  const char* ufunc = info(op).name;
  if (!function) function = ufunc;
  const ReducePlan plan(function, a, args.axes);
  const Signature loop = reduce_loop(op, a, args);
  check_reducible(function, op, plan);
  const dtype type = loop.in[1];
  const std::optional<Scalar> identity = args.identity ? identity_of(op, type) : std::nullopt;
  std::optional<Scalar> initial;
  if (args.initial) initial = initial_of(function, args, type);
  if (args.where) check_where(function, a, *args.where);
  if (plan.count == 0 && !identity && !initial) {
    throw ValueError(prefix(function) + "zero-size array to reduction operation " + ufunc +
                     " which has no identity");
  }
  if (args.where && !identity && !initial) {
    throw ValueError(prefix(function) + "reduction operation '" + ufunc +
                     "' does not have an identity, so to use a where mask one has to specify 'initial'");
  }
  const ReduceSpec spec = {reduce_op(op, type), op, type, loop.out, 0};
  const bool any_order = has(op, kReorderable);
  // What is neutral stands for the elements that a mask leaves out; or `initial`, of which a maximum does not mind many.
  const Scalar start = identity ? *identity : initial ? *initial : Scalar::of(type, 0);
  std::optional<Array> made;  // none: the elements of `a` as they are, without a copy of the array
  if (args.where && any_order)
    made = masked_operand(function, record_cast(a, type), *args.where, start);
  else if (!any_order)
    made = record_cast(a, type);
  const Array& operand = made ? *made : a;
  Array result = any_order ? fold_in_any_order(plan, spec, operand, start, identity, initial)
                           : fold_in_order(plan, spec, operand, initial, args.where);
  if ((op == Op::add || op == Op::multiply) && watches_float_errors())
    report_float_errors_of_fold(operand, result, args.axes);
  return finish_reduction(function, ufunc, plan, std::move(result), args);
}

Array sum(const Array& a, const ReduceArgs& args) { return reduce(Op::add, a, args, "sum"); }
Array prod(const Array& a, const ReduceArgs& args) { return reduce(Op::multiply, a, args, "prod"); }
Array min(const Array& a, const ReduceArgs& args) { return reduce(Op::minimum, a, args, "min"); }
Array max(const Array& a, const ReduceArgs& args) { return reduce(Op::maximum, a, args, "max"); }
Array any(const Array& a, const ReduceArgs& args) { return reduce(Op::logical_or, a, args, "any"); }
Array all(const Array& a, const ReduceArgs& args) { return reduce(Op::logical_and, a, args, "all"); }

Array ptp(const Array& a, const ReduceArgs& args) {
  ReduceArgs inner = args;
  inner.out = nullptr;
  UfuncOptions options;
  options.out = args.out;
  const Array high = reduce(Op::maximum, a, args, "ptp");  // in `out`, whose dtype counts in the difference
  const Array low = reduce(Op::minimum, a, inner, "ptp");
  const Value operands[] = {high, low};
  Array result = call(Op::subtract, operands, options);
  return args.out ? *args.out : value_if_0d(std::move(result));
}

Array count_nonzero(const Array& a, const ReduceArgs& args) {
  ReduceArgs inner = args;
  inner.type = dtype::int64;
  return reduce(Op::add, to_bool(a), inner, "count_nonzero");
}

Array trace(const Array& a, std::int64_t offset, std::int64_t axis1, std::int64_t axis2,
            std::optional<dtype> type, const Array* out) {
  ReduceArgs args;
  args.axes = Dims{-1};
  args.type = type;
  args.out = out;
  return reduce(Op::add, diagonal(a, offset, axis1, axis2), args, "trace");
}

// -- Positions ------------------------------------------------------------------------------------------

namespace {

Array arg_reduce(const char* function, ReduceOp op, const char* extreme, const Array& a,
                 const ArgArgs& args) {
  ReduceArgs shape;
  if (args.axis) shape.axes = Dims{*args.axis};
  shape.keepdims = args.keepdims;
  const ReducePlan plan(function, a, shape.axes);
  if (plan.count == 0) {
    throw ValueError(prefix(function) + "attempt to get " + extreme + " of an empty sequence");
  }
  const ReduceSpec spec = {op, Op::count_, a.type(), dtype::int64, 0};
  const Scalar zero = Scalar::of(dtype::int64, std::int64_t{0});
  Array result = reduce_planned(plan, spec, a, zero);
  if (args.out && !(args.out->shape() == (args.keepdims ? plan.full : plan.kept))) {
    throw ValueError(prefix(function) + "output array does not match result of np." + extreme +
                     ": given shape " + to_string(args.out->shape()) + ", the result has " +
                     to_string(args.keepdims ? plan.full : plan.kept));
  }
  if (args.out && !can_cast(args.out->type(), dtype::int64, Casting::safe)) {
    throw TypeError(prefix(function) + "Cannot cast array data from dtype('" + name(args.out->type()) +
                    "') to dtype('int64') according to the rule 'safe'; out= must be of integers");
  }
  shape.out = args.out;
  return finish_reduction(function, extreme, plan, std::move(result), shape);
}

Array nan_arg_reduce(const char* function, ReduceOp op, ReduceOp plain, const char* extreme, const Array& a,
                     const ArgArgs& args) {
  if (!is_floating(a.type()) && !is_complex(a.type())) return arg_reduce(function, plain, extreme, a, args);
  const Array result = arg_reduce(function, op, extreme, a, args);
  ReduceArgs along;
  if (args.axis) along.axes = Dims{*args.axis};
  const Array nothing = any(all(apply(Op::isnan, a.type(), a), along));
  const Array both[] = {result, nothing};
  evaluate(both, Reason::host_access);  // one pass over `a` for both
  if (to_truth(nothing)) throw ValueError(prefix(function) + "All-NaN slice encountered");
  return result;
}

}  // namespace

Array argmin(const Array& a, const ArgArgs& args) {
  return arg_reduce("argmin", ReduceOp::argmin, "argmin", a, args);
}
Array argmax(const Array& a, const ArgArgs& args) {
  return arg_reduce("argmax", ReduceOp::argmax, "argmax", a, args);
}
Array nanargmin(const Array& a, const ArgArgs& args) {
  return nan_arg_reduce("nanargmin", ReduceOp::nanargmin, ReduceOp::argmin, "argmin", a, args);
}
Array nanargmax(const Array& a, const ArgArgs& args) {
  return nan_arg_reduce("nanargmax", ReduceOp::nanargmax, ReduceOp::argmax, "argmax", a, args);
}

}  // namespace cuprum::ops
