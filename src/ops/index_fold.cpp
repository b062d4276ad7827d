// ufunc.at: operations at an index, one after the other. Where the dtypes agree a backend folds in place; where every
// step has to be cast back, the occurrences of an element are taken in rounds.
#include <array>
#include <string>

#include "core/resolve.h"
#include "expr/engine.h"
#include "ops/assign.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/index_advanced.h"
#include "ops/index_mask.h"
#include "ops/index_plan.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/scan.h"
#include "ops/search.h"
#include "ops/sort.h"
#include "ops/support.h"
#include "ops/value_checks.h"

namespace cuprum::ops {

namespace {

/// The loop of ufunc.at: a Python number counts as the array that it would become.
Signature fold_loop(Op& op, dtype type, const Value* value) {
  OperandType operands[2] = {{type}, {}};
  if (value) operands[1] = {value->type()};
  return resolve_call(info(op).name, op, {operands, value ? 2u : 1u}, {}, Casting::unsafe);
}

/// Sums and products of integers may wait for the end to wrap around.
bool may_cast_late(Op op, dtype type, const Signature& loop) {
  return is_integer(type) && is_integer(loop.out) &&
         (op == Op::add || op == Op::subtract || op == Op::multiply);
}

/// How often the element that each position names has been named before: 0 for the first time.
Array occurrence(const Plan& plan, Backend& backend) {
  Array flat = zeros(plan.broadcast, dtype::int64, 'C', backend);
  for (std::size_t k = 0; k < plan.index.size(); ++k) {
    const Scalar n = Scalar::of(dtype::int64, plan.view.shape()[k]);
    const Array wrapped = apply(Op::remainder, dtype::int64, plan.index[k], n);
    flat = apply(Op::add, dtype::int64, apply(Op::multiply, dtype::int64, flat, n), wrapped);
  }
  const Array order = argsort(ravel(flat)), position = arange(std::int64_t{0}, order.size(), 1, backend);
  const Array sorted_flat = take(ravel(flat), order);
  const Array same = apply(Op::equal, dtype::int64, slice_first(sorted_flat, 1, IndexItem::kEnd, 1),
                           slice_first(sorted_flat, 0, order.size() - 1, 1));
  const Array first = record_copy(position, dtype::int64);
  masked_fill(slice_first(first, 1, IndexItem::kEnd, 1), same, Value::integer(0));
  const Array start = accumulate(Op::maximum, first, {});
  const Array result = make_array(backend, dtype::int64, Dims{order.size()});
  set_advanced(result, std::array{IndexItem::by(order)}, apply(Op::subtract, dtype::int64, position, start));
  return result;
}

/// Round after round, each with the next occurrence of every element: gather, operate, cast back, scatter.
void fold_in_rounds(const Plan& plan, const Array& a, Op op, const Value* value) {
  const std::int64_t n = element_count(plan.broadcast);
  const Array rank = occurrence(plan, a.backend());
  Dims rows{n};
  for (int d = static_cast<int>(plan.index.size()); d < plan.view.ndim(); ++d)
    rows.push_back(plan.view.shape()[d]);
  const Array v = value ? reshape(plan.seen_first(plan.value_for(a, *value, value->type())), rows) : Array();
  const std::int64_t rounds = to_integer(max(rank)) + 1;
  for (std::int64_t r = 0; r < rounds; ++r) {
    const Array now = flatnonzero(apply(Op::equal, dtype::int64, rank, Scalar::of(dtype::int64, r)));
    std::vector<Array> index;
    std::vector<IndexItem> items;
    for (const Array& i : plan.index) index.push_back(take(ravel(i), now));
    for (const Array& i : index) items.push_back(IndexItem::by(i));
    const Array old = get_advanced(plan.view, items);
    UfuncOptions options;
    options.casting = Casting::unsafe;
    const Array fresh = value ? call(op, std::array{Value(old), Value(take(v, now, 0))}, options)
                              : call(op, std::array{Value(old)}, options);
    set_advanced(plan.view, items, fresh);
  }
}

}  // namespace

void fold_at(const Array& a, Index given, Op op, const Value* value) {
  if (!a.writeable()) throw_read_only();
  const Op asked = op;
  const Signature loop = fold_loop(op, a.type(), value);
  const bool direct = loop.in[0] == a.type() && loop.out == a.type();
  if (!direct && may_cast_late(op, a.type(), loop)) {
    const Array work = record_copy(a, loop.out);
    const Array v = to_array(*value, loop.in[1], a.backend());
    const Value strong(v);
    fold_at(work, given, asked, &strong);
    return assign(a, Input(work));
  }
  const ScalarsRead read(given);
  const Index index = read;
  if (!is_advanced(index)) {  // nothing is named twice
    const Array view = basic_index(a, index);
    UfuncOptions options;
    options.out = &view;
    options.casting = Casting::unsafe;
    if (!value) return static_cast<void>(call(asked, std::array{Value(view)}, options));
    const Array v = to_array(*value, value->type(), a.backend());
    return static_cast<void>(call(asked, std::array{Value(view), Value(v)}, options));
  }
  bring_together(a, index, value);
  Plan plan = make_plan(a, index);
  const Array v = value ? plan.value_for(a, *value, loop.in[1]) : Array();
  plan.check_known(a, "ufunc.at");
  if (element_count(plan.broadcast) == 0) return;
  if (plan.index.empty()) {
    return fold_at(plan.plain_view(), std::array{IndexItem::ellipsis()}, asked, value);
  }
  plan.detach_index(a);
  if (value && looks_at_values(op)) check_folded(op, v, nullptr);
  if (!direct) return fold_in_rounds(plan, a, asked, value);
  BackendCall run(plan.arrays(value ? &v : nullptr));
  const std::vector<View> in = plan.readable_with_index(value ? plan.seen_first(v) : Array());
  const View to = writable(plan.view);
  plan.check(run(ScatterFold{op, loop.key, plan.site("ufunc.at")}, in, to), "ufunc.at");
}

}  // namespace cuprum::ops
