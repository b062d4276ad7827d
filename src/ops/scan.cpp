#include "ops/scan.h"

#include <array>
#include <string>

#include "core/layout.h"
#include "core/resolve.h"
#include "core/texts.h"
#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"
#include "ops/value_checks.h"

namespace cuprum::ops {

namespace {

ScanOp scan_op(Op op) {
  switch (op) {
    case Op::add: return ScanOp::sum;
    case Op::multiply: return ScanOp::prod;
    case Op::minimum: return ScanOp::min;
    case Op::maximum: return ScanOp::max;
    default: return ScanOp::generic;
  }
}

/// The loop, as `reduce` chooses it.
Signature scan_loop(Op& op, const Array& a, const ScanArgs& args) {
  if (info(op).nin != 2)
    throw ValueError(prefix(info(op).name) + "accumulate only supported for binary functions");
  if (has(op, kLogical) && is_bool(args.type.value_or(dtype::bool_)))
    return *find_signature(op, dtype::bool_);
  const std::optional<dtype> out = args.out ? std::optional(args.out->type()) : std::nullopt;
  return resolve_reduce(op, a.type(), args.type, out);
}

/// The operand in the dtype of the loop; truth values for the logical operations.
Array operand_for(Op op, const Array& a, dtype type) {
  return has(op, kLogical) ? to_bool(a) : record_cast(a, type);
}

void check_scan_out(const char* function, const Array& out, const Dims& expected) {
  if (out.shape() == expected) return;
  throw ValueError(prefix(function) + "operands could not be broadcast together: out has shape " +
                   to_string(out.shape()) + ", the result " + to_string(expected));
}

/// The memory order of an array with the strides `like`, as NumPy's results have it.
Dims strides_as(const Dims& like, const Dims& shape, dtype type) {
  const Dims* operand[] = {&like};
  return result_strides(shape, operand, static_cast<std::int64_t>(itemsize(type)), 'K');
}

Array scan_along(const char* function, Op op, const Array& a, int axis, const ScanArgs& args) {
  const Signature loop = scan_loop(op, a, args);
  const dtype type = loop.in[1];
  if (args.out) check_scan_out(function, *args.out, a.shape());
  const Array operand = operand_for(op, a, type);
  if (looks_at_values(op)) {
    const IndexItem rest[] = {IndexItem::ellipsis(), IndexItem::range(1, IndexItem::kEnd)};
    check_folded(op, basic_index(move_last(operand, axis), rest), nullptr);
  }
  const Dims strides = strides_as(a.strides(), a.shape(), type);
  const Array result = a.size() == 0
                           ? make_array(a.backend(), type, a.shape())
                           : record_along(Scan{scan_op(op), op}, operand, axis, type, a.shape(), strides);
  if (!args.out) return result;
  assign(*args.out, Input(result));
  return *args.out;
}

/// cumsum and cumprod: without axis of the flattened array.
Array cumulative(const char* function, Op op, const Array& a, const ScanArgs& args) {
  if (!args.axis) return scan_along(function, op, ravel(a), 0, args);
  const Array row = a.ndim() == 0 ? reshape(a, Dims{1}) : a;
  return scan_along(function, op, row, normalize_axis(function, *args.axis, row.ndim()), args);
}

Array without_nan(const Array& a, Op replace) {
  return is_floating(a.type()) || is_complex(a.type()) ? apply(replace, a.type(), a) : a;
}

Array cumulative_with_initial(const char* function, Op op, const Array& a, const ScanArgs& args,
                              bool include_initial) {
  if (a.ndim() == 0) return cumulative_with_initial(function, op, reshape(a, Dims{1}), args, include_initial);
  if (!args.axis && a.ndim() != 1) {
    throw ValueError(
        prefix(function) +
        "For arrays which have more than one dimension ``axis`` argument is required, given shape " +
        to_string(a.shape()));
  }
  const int axis = args.axis ? normalize_axis(function, *args.axis, a.ndim()) : 0;
  if (!include_initial) return scan_along(function, op, a, axis, args);
  Op same = op;
  const dtype type = scan_loop(same, a, args).in[1];
  Dims shape = a.shape();
  ++shape[axis];
  if (args.out) check_scan_out(function, *args.out, shape);
  const Array result =
      args.out ? *args.out : make_array(a.backend(), type, shape, strides_as(a.strides(), shape, type));
  const Array ends_first = move_last(result, axis);
  const IndexItem first[] = {IndexItem::ellipsis(), IndexItem::range(0, 1)};
  const IndexItem rest[] = {IndexItem::ellipsis(), IndexItem::range(1, IndexItem::kEnd)};
  ScanArgs inner = args;
  inner.out = nullptr;
  inner.type = type;
  const Array tail = scan_along(function, op, a, axis, inner);
  assign(basic_index(ends_first, first), Input(make_scalar(type, std::int64_t{op == Op::multiply})));
  assign(basic_index(ends_first, rest), Input(move_last(tail, axis)));
  return result;
}

}  // namespace

Array cumsum(const Array& a, const ScanArgs& args) { return cumulative("cumsum", Op::add, a, args); }

Array cumprod(const Array& a, const ScanArgs& args) { return cumulative("cumprod", Op::multiply, a, args); }

Array nancumsum(const Array& a, const ScanArgs& args) {
  return cumulative("nancumsum", Op::add, without_nan(a, Op::nan_to_zero), args);
}

Array nancumprod(const Array& a, const ScanArgs& args) {
  return cumulative("nancumprod", Op::multiply, without_nan(a, Op::nan_to_one), args);
}

Array cumulative_sum(const Array& a, const ScanArgs& args, bool include_initial) {
  return cumulative_with_initial("cumulative_sum", Op::add, a, args, include_initial);
}

Array cumulative_prod(const Array& a, const ScanArgs& args, bool include_initial) {
  return cumulative_with_initial("cumulative_prod", Op::multiply, a, args, include_initial);
}

Array accumulate(Op op, const Array& a, const ScanArgs& args) {
  const char* function = info(op).name;
  if (a.ndim() == 0) throw TypeError(prefix(function) + "cannot accumulate on a scalar");
  return scan_along(function, op, a, normalize_axis(function, args.axis.value_or(0), a.ndim()), args);
}

Array reduceat(Op op, const Array& a, const Array& indices, const ScanArgs& args) {
  const char* function = info(op).name;
  if (a.ndim() == 0) throw TypeError(prefix(function) + "cannot reduceat on a scalar");
  if (indices.ndim() != 1) throw ValueError(prefix(function) + "reduceat needs a 1-d array of indices");
  const int axis = normalize_axis(function, args.axis.value_or(0), a.ndim());
  const dtype type = scan_loop(op, a, args).in[1];
  const std::int64_t n = a.shape()[axis];
  const std::vector<std::int64_t> at = to_integers(indices);
  for (std::int64_t i : at) {
    if (i < 0 || i >= n) {
      throw IndexError("index " + std::to_string(i) + " out-of-bounds in " + function + ".reduceat [0, " +
                       std::to_string(n) + ")");
    }
  }
  Dims shape = a.shape();
  shape[axis] = static_cast<std::int64_t>(at.size());
  if (args.out) check_scan_out(function, *args.out, shape);
  Dims like = a.strides();
  like[axis] = 0;  // says nothing of the memory order, as in NumPy
  const Array result =
      args.out ? *args.out : make_array(a.backend(), type, shape, strides_as(like, shape, type));
  const Array from = move_last(operand_for(op, args.out ? detached(a, result) : a, type), axis);
  const Array to = move_last(result, axis);
  ReduceArgs along;
  along.axes = Dims{-1};
  along.type = type;
  along.identity = false;
  for (std::size_t k = 0; k < at.size(); ++k) {
    const std::int64_t stop = k + 1 < at.size() ? at[k + 1] : n;
    const IndexItem part[] = {IndexItem::ellipsis(), IndexItem::range(at[k], std::max(stop, at[k] + 1))};
    const IndexItem place[] = {IndexItem::ellipsis(), IndexItem::at(static_cast<std::int64_t>(k))};
    assign(basic_index(to, place), Input(reduce(op, basic_index(from, part), along)));
  }
  return result;
}

}  // namespace cuprum::ops
