#include "ops/elementwise.h"

#include <algorithm>
#include <string>

#include "core/cast.h"
#include "core/inline_vector.h"
#include "core/resolve.h"
#include "expr/engine.h"
#include "ops/creation.h"
#include "ops/float_errors.h"
#include "ops/host_numbers.h"
#include "ops/value_checks.h"

namespace cuprum::ops {

namespace {

using Values = std::span<const Value>;

// -- Shapes ---------------------------------------------------------------------------------------------

/// The common shape of the arguments; of `extra` too where it is given (the mask of `where=`).
Dims common_shape(Op op, Values args, const Array* extra = nullptr) {
  const Dims* first = extra ? &extra->shape() : nullptr;
  bool uniform = true;
  for (const Value& v : args) {
    if (!v.is_array()) continue;
    if (!first) first = &v.array().shape();
    uniform = uniform && v.array().shape() == *first;
  }
  if (!first) return {};
  if (uniform) return *first;
  Dims shapes[kMaxInputs + 1];
  int n = 0;
  for (const Value& v : args) {
    if (v.is_array()) shapes[n++] = v.array().shape();
  }
  if (extra) shapes[n++] = extra->shape();
  return broadcast_shapes(info(op).name, shapes, n);
}

/// The result, of shape `shape`, must fit `out` without stretching `out`.
void check_out_shape(Op op, const Dims& shape, const Array& out) {
  if (shape == out.shape()) return;
  const Dims both[] = {shape, out.shape()};
  const Dims joint = broadcast_shapes(info(op).name, both, 2);
  if (joint == out.shape()) return;
  throw ValueError(std::string("cuprum.") + info(op).name + ": non-broadcastable output operand with shape " +
                   to_string(out.shape()) + " doesn't match the broadcast shape " + to_string(joint) +
                   "; give an output of that shape");
}

// -- Dtypes ---------------------------------------------------------------------------------------------

/// A Python number alone is the scalar that it would become: it has no company whose dtype it could take.
Value strong_if_alone(Values args) {
  const Value& v = args[0];
  const bool strong = args.size() != 1 || !v.is_weak() ||
                      (v.kind() == Value::Kind::weak_int && !v.fits(v.type()));  // beyond every dtype
  return strong ? v : Value(v.to_scalar(v.type()));
}

const Signature& resolve_values(Op& op, Values args, const UfuncOptions& options) {
  OperandType types[kMaxInputs];
  for (std::size_t i = 0; i < args.size(); ++i) types[i] = args[i].operand_type();
  return resolve_call(info(op).name, op, {types, args.size()}, options.type, options.casting);
}

/// A comparison with a Python integer that the loop's dtype cannot hold has the same answer everywhere.
std::optional<bool> constant_comparison(Op op, const Signature& signature, Values args) {
  if (!has(op, kComparison) || !is_integer(signature.in[0])) return std::nullopt;
  for (int i = 0; i < 2; ++i) {
    if (args[i].kind() != Value::Kind::weak_int || args[i].fits(signature.in[i])) continue;
    const Value& other = args[1 - i];
    if (other.is_weak() || is_bool(other.type()))
      continue;  // the loop's dtype is the integer's own: it must fit
    return compare_out_of_range(op, i == 0, !args[i].is_negative());
  }
  return std::nullopt;
}

/// Throws OverflowError for a Python integer that the loop's dtype cannot hold: NumPy's first complaint.
void check_integers(const Signature& signature, Values args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i].kind() == Value::Kind::weak_int) args[i].to_scalar(signature.in[i]);
  }
}

// -- Recording ------------------------------------------------------------------------------------------

/// Inputs for the engine: scalars converted to the loop's dtypes.
class Inputs {
 public:
  Inputs(const Signature& signature, Values args) : inputs_(args.size()) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (args[i].is_array())
        inputs_.emplace_back(args[i].array()).temporary = args[i].is_temporary();
      else
        inputs_.emplace_back(args[i].to_scalar(signature.in[i]));
    }
  }
  operator std::span<const Input>() const { return inputs_; }

 private:
  InlineVector<Input, kMaxInputs>
      inputs_;  // made where they are: copied at once, they would wait for their own stores
};

/// A result without dimensions is a value, as NumPy returns a scalar.
Array finish(Array result) {
  if (result.ndim() == 0) result.set_value(true);
  return result;
}

char memory_order(char order, Values args) {
  if (order != 'A') return order;
  bool fortran = true, c = true;
  for (const Value& v : args) {
    if (!v.is_array()) continue;
    fortran = fortran && v.array().f_contiguous();
    c = c && v.array().c_contiguous();
  }
  return fortran && !c ? 'F' : 'C';
}

[[noreturn]] void throw_no_device(const char* function) {
  throw Error(std::string("cuprum.") + function + ": numbers alone are on no device");
}

Array record_result(Op op, const Signature& signature, Values args, const Dims& shape, char order,
                    Backend* device) {
  if (const auto constant = constant_comparison(op, signature, args)) {
    const Value& other = args[0].is_array() ? args[0] : args[1];
    // `x or true`, `x and false`: the constant, in the layout that any operation on x gives.
    const Op always = *constant ? Op::logical_or : Op::logical_and;
    const dtype type = other.is_array() ? other.array().type() : dtype::bool_;
    const Value operands[2] = {other.is_array() ? other : Value(Scalar::of(dtype::bool_, true)),
                               Value(Scalar::of(type, *constant))};
    return record_result(always, *find_signature(always, type), operands, shape, order, device);
  }
  const Inputs inputs(signature, args);
  const std::span<const Input> span = inputs;
  bool any_array = false;
  for (const Value& v : args) any_array = any_array || v.is_array();
  if (any_array) return record(op, signature, span, shape, order);
  // Scalars alone: the first one becomes an array, so that the engine knows where to compute.
  if (!device) throw_no_device(info(op).name);
  const Array first =
      device->is_cpu ? Array(span[0].scalar, *device) : record_full(*device, {}, span[0].scalar);
  Input mixed[kMaxInputs] = {first, Scalar(), Scalar()};
  for (std::size_t i = 1; i < span.size(); ++i) mixed[i] = span[i];
  return record(op, signature, {mixed, span.size()}, shape, order);
}

void check_mask(Op op, const Array& mask) {
  if (is_bool(mask.type())) return;
  throw TypeError(std::string("cuprum.") + info(op).name + ": Cannot cast array data from dtype('" +
                  name(mask.type()) +
                  "') to dtype('bool') according to the rule 'safe'; where= takes a bool array");
}

/// `out` keeps its values where the mask is false.
void assign_masked(const Array& out, const Array& mask, const Array& result) {
  const Signature& signature = *find_signature(Op::where, out.type());
  const Input inputs[] = {mask, result, out};
  assign(out, Op::where, signature, inputs);
}

void write_result(Op op, const Signature& signature, Values args, const Dims& shape,
                  const UfuncOptions& options) {
  const Array& out = *options.out;
  check_out_shape(op, shape, out);
  if (options.where) {
    assign_masked(out, *options.where, record_result(op, signature, args, shape, 'K', &out.backend()));
  } else if (const auto constant = constant_comparison(op, signature, args)) {
    assign(out, Scalar::of(dtype::bool_, *constant));
  } else {
    const Inputs inputs(signature, args);
    assign(out, op, signature, inputs);
  }
}

/// NumPy's loops of float32 and float64 take a root where the exponent is the number 0.5: of -inf NaN, of -0.0 -0.0.
bool is_root(const Signature& signature, Values args) {
  if (signature.key != dtype::float32 && signature.key != dtype::float64) return false;
  return !args[1].is_array() && args[1].to_scalar(dtype::float64).as<double>() == 0.5;
}

/// The operation that the operator `**` is with this exponent, `power` where it is none of the short ones.
Op power_shortcut(dtype t, const Value& exponent) {
  const bool integer = exponent.kind() == Value::Kind::weak_int;
  if (!integer && exponent.kind() != Value::Kind::weak_float) return Op::power;
  const bool inexact = is_floating(t) || is_complex(t);
  const double e = exponent.real();
  if ((inexact || integer) && e == 2) return Op::square;
  if ((inexact || integer) && e == 1 && !is_bool(t)) return Op::positive;
  if (inexact && e == 0.5) return Op::sqrt;
  if (inexact && e == -1) return Op::reciprocal;
  return Op::power;
}

std::optional<HostNumber> compute_at_once(Op op, const Signature& signature, Values args) {
  Numerals numbers;
  for (const Value& v : args) {
    if (!numbers.add(v)) return std::nullopt;
  }
  return compute_numbers(op, signature, numbers);
}

Array simple_call(Op op, const Signature& signature, Values args, Backend* device) {
  if (const auto number = compute_at_once(op, signature, args)) return Array::value(*number);
  const Dims shape = common_shape(op, args);
  if (looks_at_values(op)) check_values(op, signature, args, shape, nullptr);
  Array result = finish(record_result(op, signature, args, shape, 'K', device));
  if (watches_float_errors()) report_float_errors(op, args, result);
  return result;
}

/// `roots`: a power by 0.5 is a root, unlike those of NumPy's scalars.
Array binary_call(Op op, const Value& a, const Value& b, bool roots, Backend* device) {
  const Signature* signature = resolve(op, a.operand_type(), b.operand_type());
  const Value args[] = {a, b};
  if (!signature) {
    const OperandType types[] = {a.operand_type(), b.operand_type()};
    throw_no_loop(info(op).name, op, types);
  }
  if (op == Op::power && roots && is_root(*signature, args))
    return simple_call(Op::sqrt, *find_signature(Op::sqrt, signature->key), {args, 1}, device);
  return simple_call(op, *signature, args, device);
}

}  // namespace

Array call(Op op, Values given, const UfuncOptions& options) {
  const Op asked = op;
  const Value alone = strong_if_alone(given);
  Values args = given.size() == 1 ? Values(&alone, 1) : given;
  const Signature* loop = &resolve_values(op, args, options);
  if (op == Op::power && is_root(*loop, args)) {
    op = Op::sqrt;
    loop = find_signature(op, loop->key);
    args = args.first(1);
  }
  const Signature& signature = *loop;
  if (options.out) {
    if (!has(asked, kComparison)) check_integers(signature, args);
    check_output_cast(info(asked).name, signature.out, options.out->type(), options.casting);
  }
  if (options.where) check_mask(asked, *options.where);
  const Dims shape = common_shape(asked, args, options.where);
  if (looks_at_values(op)) check_values(op, signature, args, shape, options.where);
  if (options.out) {
    if (watches_float_errors()) {  // before the write, which may be to an operand
      const Array result = record_result(op, signature, args, shape, 'K', &options.out->backend());
      report_float_errors(op, args, result, options.where);
    }
    write_result(op, signature, args, shape, options);
    return *options.out;
  }
  const char order = memory_order(options.order, args);
  Array result = record_result(op, signature, args, shape, order, options.device);
  if (watches_float_errors()) report_float_errors(op, args, result, options.where);
  if (options.where) {
    // NumPy leaves the other elements undefined; zeros are the same on every run.
    result = where(*options.where, result, Scalar{signature.out});
  }
  return finish(std::move(result));
}

Array unary(Op op, const Value& a, Backend* device) {
  const Signature* signature = resolve(op, a.operand_type());
  if (!signature) {
    const OperandType type = a.operand_type();
    throw_no_loop(info(op).name, op, {&type, 1});
  }
  return simple_call(op, *signature, {&a, 1}, device);
}

Array binary(Op op, const Value& a, const Value& b, Backend* device) {
  return binary_call(op, a, b, true, device);
}

namespace {

struct Operator {
  Op op;
  const char* sign;
};
constexpr Operator kOperators[] = {
    {Op::add, "+"},           {Op::subtract, "-"},    {Op::multiply, "*"},    {Op::divide, "/"},
    {Op::floor_divide, "//"}, {Op::remainder, "%"},   {Op::power, "**"},      {Op::bitwise_and, "&"},
    {Op::bitwise_or, "|"},    {Op::bitwise_xor, "^"}, {Op::left_shift, "<<"}, {Op::right_shift, ">>"},
};

/// What to write where `target op= value` has a result that the array's dtype cannot hold; empty: that was not the mistake.
std::string inplace_advice(Op op, const Array& target, const Value& value) {
  const OperandType types[] = {{target.type()}, value.operand_type()};
  const Signature* signature = resolve(op, types);
  const auto* found = std::ranges::find(kOperators, op, &Operator::op);
  if (found == std::end(kOperators) || !signature ||
      can_cast(signature->out, target.type(), Casting::same_kind))
    return {};
  const std::string sign = found->sign;
  std::string text =
      "; an array keeps its dtype: write a = a " + sign + " b for a new one of dtype " + name(signature->out);
  if (op == Op::divide && is_integer(target.type()) && is_integer(value.type()))
    text += ", or a //= b for whole numbers";
  return text;
}

/// `target = op(args)`, which the program wrote as `target written= value`.
void call_in_place(Op op, Values args, Op written, const Array& target, const Value& value) {
  UfuncOptions options;
  options.out = &target;
  try {
    call(op, args, options);
  } catch (UFuncTypeError& error) {
    error.add_note(inplace_advice(written, target, value));
    throw;
  }
}

}  // namespace

void inplace(Op op, const Array& target, const Value& value) {
  const Value args[] = {target, value};
  call_in_place(op, args, op, target, value);
}

std::pair<Array, Array> call_pair(const PairUfunc& ufunc, Values args, const Array* const outs[2],
                                  const UfuncOptions& options) {
  Op ops[2] = {ufunc.first, ufunc.second};
  const Signature* signatures[2];
  OperandType types[kMaxInputs];
  for (std::size_t i = 0; i < args.size(); ++i) types[i] = args[i].operand_type();
  if (args.size() == 1) types[0] = strong_if_alone(args).operand_type();
  for (int i = 0; i < 2; ++i) {
    signatures[i] = &resolve_call(ufunc.name, ops[i], {types, args.size()}, options.type, options.casting);
    if (outs[i]) check_output_cast(ufunc.name, signatures[i]->out, outs[i]->type(), options.casting);
  }
  // Both are recorded before either output is written: an output may be an input.
  UfuncOptions plain = options;
  plain.out = nullptr;
  Array results[2] = {call(ufunc.first, args, plain), call(ufunc.second, args, plain)};
  for (int i = 0; i < 2; ++i) {
    if (!outs[i]) continue;
    check_out_shape(ops[i], results[i].shape(), *outs[i]);
  }
  for (int i = 0; i < 2; ++i) {
    if (!outs[i]) continue;
    if (options.where) {
      assign_masked(*outs[i], *options.where, results[i]);
    } else {
      assign(*outs[i], results[i]);
    }
    results[i] = *outs[i];
  }
  return {std::move(results[0]), std::move(results[1])};
}

Array power_operator(const Value& a, const Value& b) {
  Op op = a.is_array() ? power_shortcut(a.array().type(), b) : Op::power;
  // NumPy's scalars have no short way to a root, and the power of -inf is inf, its root NaN.
  if (op == Op::sqrt && a.array().is_value()) return binary_call(Op::power, a, b, false, nullptr);
  return op == Op::power ? binary(op, a, b) : unary(op, a);
}

void inplace_power(const Array& target, const Value& exponent) {
  const Op op = power_shortcut(target.type(), exponent);
  if (op == Op::power) return inplace(op, target, exponent);
  const Value args[] = {target};
  call_in_place(op, args, Op::power, target, exponent);
}

Array to_bool(const Array& a) { return record_cast(a, dtype::bool_); }

namespace {

/// A branch of `where`: an integer that the result's dtype cannot hold wraps around, as NumPy lets it here alone.
Value branch(const Value& v, dtype t) {
  if (v.kind() != Value::Kind::weak_int || !is_integer(t) || v.fits(t)) return v;
  return cast_scalar(v.to_scalar(v.type()), t);
}

}  // namespace

Array where(const Value& condition, const Value& a, const Value& b, Backend* device) {
  const OperandType types[] = {a.operand_type(), b.operand_type()};
  const dtype t = result_type(types);
  const Value args[] = {condition, branch(a, t), branch(b, t)};
  const Signature& signature = *find_signature(Op::where, t);
  return record_result(Op::where, signature, args, common_shape(Op::where, args), 'K',
                       device);  // 0-d too is an array here
}

}  // namespace cuprum::ops
