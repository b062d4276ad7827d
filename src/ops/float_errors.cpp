#include "ops/float_errors.h"

#include <atomic>
#include <optional>

#include "core/op.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

std::atomic<int> watchers{0};
FloatErrorHandler handler;
thread_local bool looking = false;  // the operations that look are not looked at

struct Looking {
  Looking() { looking = true; }
  ~Looking() { looking = false; }
};

bool is_inexact(dtype type) { return is_floating(type) || is_complex(type); }

Array both(const Array& a, const Array& b) { return binary(Op::logical_and, a, b); }
Array negated(const Array& a) { return unary(Op::logical_not, a); }

/// Where any operand is what `test` asks (isnan, isinf); nothing if none can be.
std::optional<Array> any_operand(Op test, std::span<const Value> args, Backend& device) {
  std::optional<Array> found;
  for (const Value& v : args) {
    if (!is_inexact(v.type())) continue;
    const Array is = unary(test, v, &device);
    found = found ? binary(Op::logical_or, *found, is) : is;
  }
  return found;
}

/// Where the operation has a pole, so that an infinity is exact; nothing if it has none.
std::optional<Array> poles(Op op, std::span<const Value> args, Backend& device) {
  auto test = [&](Op how, const Value& v, int than) { return binary(how, v, Value::integer(than), &device); };
  if (has(op, kPoleAtZero)) return test(Op::equal, args.back(), 0);
  if (has(op, kPoleAtOne)) return test(Op::equal, unary(Op::absolute, args[0], &device), 1);
  if (has(op, kPoleAtMinusOne)) return test(Op::equal, args[0], -1);
  const bool is_real = !is_complex(args[0].type()) && !is_complex(args.back().type());
  if (!has(op, kPoleOfPower) || !is_real) return std::nullopt;
  return both(test(Op::equal, args[0], 0), test(Op::less, args[1], 0));
}

/// Is it true anywhere that counts?
bool anywhere(Array found, const Array* where) {
  if (where) found = both(found, *where);
  return to_truth(any(found));
}

/// Elements of `result` that are what `test` asks, though no operand is one of `excluded`.
Array fresh(Op test, const Array& result, const std::optional<Array>& excluded) {
  const Array is = unary(test, result);
  return excluded ? both(is, negated(*excluded)) : is;
}

unsigned look(Op op, std::span<const Value> args, const Array& result, const Array* where) {
  Backend& device = result.backend();
  if (has(op, kQuiet)) return 0;
  if (!is_inexact(result.type())) {  // integers know one error
    if (!has(op, kPoleAtZero) || !is_integer(result.type())) return 0;
    return anywhere(*poles(op, args, device), where) ? unsigned{kDivideByZero} : 0;
  }
  unsigned found = 0;
  const std::optional<Array> nan = any_operand(Op::isnan, args, device),
                             infinite = any_operand(Op::isinf, args, device);
  if (anywhere(fresh(Op::isnan, result, nan), where)) found |= kInvalidValue;
  const Array infinity = fresh(Op::isinf, result, infinite);
  if (!anywhere(infinity, where)) return found;
  const std::optional<Array> pole = poles(op, args, device);
  if (!pole) return found | kOverflow;
  if (anywhere(both(infinity, *pole), where)) found |= kDivideByZero;
  if (anywhere(both(infinity, negated(*pole)), where)) found |= kOverflow;
  return found;
}

}  // namespace

void set_float_error_handler(const FloatErrorHandler& new_handler) { handler = new_handler; }
void watch_float_errors(int change) { watchers += change; }
bool watches_float_errors() { return watchers.load(std::memory_order_relaxed) > 0 && !looking; }

namespace {

/// What `look()` finds of what is wanted goes to the handler.
template <class F>
void report(const char* operation, const Array& result, F&& look) {
  const unsigned wanted = handler.wanted ? handler.wanted() : 0;
  if (wanted == 0 || result.size() == 0) return;
  unsigned found = 0;
  {
    const Looking guard;
    found = look() & wanted;
  }
  if (found) handler.report(operation, found);
}

}  // namespace

void report_float_errors(Op op, std::span<const Value> args, const Array& result, const Array* where) {
  report(info(op).name, result, [&] { return look(op, args, result, where); });
}

void report_float_errors_of_fold(const Array& operand, const Array& result, const std::optional<Dims>& axes) {
  if (!is_inexact(result.type())) return;
  report("reduce", result, [&] {
    ReduceArgs along;
    along.axes = axes;
    auto any_along = [&](Op test) -> std::optional<Array> {
      if (!is_inexact(operand.type())) return std::nullopt;
      return any(unary(test, operand), along);
    };
    unsigned found = 0;
    if (anywhere(fresh(Op::isnan, result, any_along(Op::isnan)), nullptr)) found |= kInvalidValue;
    if (anywhere(fresh(Op::isinf, result, any_along(Op::isinf)), nullptr)) found |= kOverflow;
    return found;
  });
}

}  // namespace cuprum::ops
