#include "ops/contraction.h"

#include <algorithm>
#include <utility>

#include "ops/linalg.h"
#include "ops/manipulate.h"
#include "ops/reduce.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

std::int64_t size_of(const Term& term, std::int64_t label) {
  return term.array.shape()[static_cast<std::size_t>(position(term.labels, label))];
}
std::int64_t stride_of(const Term& term, std::int64_t label) {
  return term.array.strides()[static_cast<std::size_t>(position(term.labels, label))];
}

Labels chosen(const Labels& labels, auto&& wanted) {
  Labels some;
  for (const std::int64_t x : labels) {
    if (wanted(x)) some.push_back(x);
  }
  return some;
}

Labels joined(const Labels& a, const Labels& b) {
  Labels all = a;
  for (const std::int64_t x : b) all.push_back(x);
  return all;
}

/// The array with its axes where `labels` has them, of length 1 where it has none.
Array aligned(const Term& term, const Labels& labels) {
  const Labels own = chosen(labels, [&](std::int64_t x) { return contains(term.labels, x); });
  Array array = transposed(term, own);
  if (own.empty() || own.size() == labels.size()) return array;
  const std::int64_t first = position(labels, own[0]);  // the axes in front come by themselves
  Dims missing;
  for (std::int64_t i = first; i < static_cast<std::int64_t>(labels.size()); ++i) {
    if (!contains(own, labels[static_cast<std::size_t>(i)])) missing.push_back(i - first);
  }
  return missing.empty() ? array : expand_dims(array, missing);
}

/// Elementwise, and summed over `inner`: both recorded, so that one kernel does it.
Term multiply(const Term& a, const Term& b, const Labels& inner, const Labels& order) {
  const Labels kept = chosen(order, [&](std::int64_t x) {
    return (contains(a.labels, x) || contains(b.labels, x)) && !contains(inner, x);
  });
  const Labels labels = joined(kept, inner);
  const Array left = aligned(a, labels), right = aligned(b, labels);
  if (inner.empty()) return {apply(Op::multiply, a.array.type(), left, right), labels};
  Dims axes;
  for (std::size_t i = kept.size(); i < labels.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
  return {sum_of_products(left, right, axes), kept};
}

/// Do these axes, in this order, lie in memory as one?
bool merges(const Term& term, const Labels& labels) {
  std::int64_t expected = -1;  // the stride of an axis in front of those seen so far
  for (std::size_t i = labels.size(); i > 0; --i) {
    const std::int64_t n = size_of(term, labels[i - 1]), stride = stride_of(term, labels[i - 1]);
    if (n == 1) continue;
    if (expected != -1 && stride != expected) return false;
    expected = n * stride;
  }
  return true;
}

Labels by_stride(const Term& term, Labels labels) {
  std::stable_sort(labels.begin(), labels.end(), [&](std::int64_t x, std::int64_t y) {
    return std::abs(stride_of(term, x)) > std::abs(stride_of(term, y));
  });
  return labels;
}

/// The order of the result, unless only the one of memory spares a copy.
Labels merged_order(const Term& term, const Labels& labels, const Labels& order) {
  if (labels.size() < 2) return labels;
  Labels wanted = chosen(order, [&](std::int64_t x) { return contains(labels, x); });
  Labels memory = by_stride(term, labels);
  return merges(term, memory) && !merges(term, wanted) ? memory : wanted;
}

/// The order of the summed axes for which the fewest elements have to be copied.
Labels inner_order(const Term& a, const Term& b, const Labels& inner) {
  if (inner.size() < 2) return inner;
  const auto copied = [&](const Labels& labels) {
    return (merges(a, labels) ? 0 : a.array.size()) + (merges(b, labels) ? 0 : b.array.size());
  };
  Labels first = by_stride(a, inner), second = by_stride(b, inner);
  return copied(second) < copied(first) ? second : first;
}

/// The array with the axes of `batch`, then one for each of two groups.
Array grouped(const Term& term, const Labels& batch, const Labels& first, const Labels& second) {
  const Array array = transposed(term, joined(joined(batch, first), second));
  if (first.size() == 1 && second.size() == 1) return array;
  Dims shape;
  for (const std::int64_t x : batch) shape.push_back(size_of(term, x));
  for (const Labels* group : {&first, &second}) {
    std::int64_t length = 1;
    for (const std::int64_t x : *group) length *= size_of(term, x);
    shape.push_back(length);
  }
  return reshape(array, shape);
}

/// `rows` belong to a, `columns` to b, `batch` and `inner` to both; the inner ones are summed over.
Term multiply_matrices(const Term& a, const Term& b, const Labels& batch, Labels rows, Labels inner,
                       Labels columns, const Labels& order) {
  rows = merged_order(a, rows, order);
  columns = merged_order(b, columns, order);
  inner = inner_order(a, b, inner);
  const Array product = matmul(grouped(a, batch, rows, inner), grouped(b, batch, inner, columns));
  Term result{product, joined(joined(batch, rows), columns)};
  if (rows.size() != 1 || columns.size() != 1) {
    Dims shape;
    for (const std::int64_t x : result.labels) shape.push_back(size_of(contains(a.labels, x) ? a : b, x));
    result.array = reshape(product, shape);
  }
  return result;
}

/// Where the last of the labels stands; nothing stands first, as a vector's missing axis.
std::int64_t last_position(const Labels& order, const Labels& labels) {
  std::int64_t last = -1;
  for (const std::int64_t x : labels) last = std::max(last, position(order, x));
  return last;
}

}  // namespace

Term make_term(Array array, Labels labels) {
  for (std::size_t second = 1; second < labels.size();) {
    const std::int64_t label = labels[second];
    const std::int64_t first = position(labels, label);
    if (first == static_cast<std::int64_t>(second)) {
      ++second;
      continue;
    }
    const bool writeable = array.writeable();
    array = diagonal(array, 0, first, static_cast<std::int64_t>(second));
    array.set_writeable(writeable);
    Labels left;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i] != label || (i != second && static_cast<std::int64_t>(i) != first))
        left.push_back(labels[i]);
    }
    left.push_back(label);  // the diagonal is the last axis
    labels = std::move(left);
    second = 1;
  }
  return {std::move(array), std::move(labels)};
}

Array transposed(const Term& term, const Labels& labels) {
  if (labels == term.labels) return term.array;
  Dims axes;
  for (const std::int64_t x : labels) axes.push_back(position(term.labels, x));
  return transpose(term.array, axes);
}

Term summed(Term term, const Labels& keep) {
  ReduceArgs args;
  args.axes.emplace();
  args.type = term.array.type();
  for (std::size_t i = 0; i < term.labels.size(); ++i) {
    if (!contains(keep, term.labels[i])) args.axes->push_back(static_cast<std::int64_t>(i));
  }
  if (args.axes->empty()) return term;
  return {sum(term.array, args), chosen(term.labels, [&](std::int64_t x) { return contains(keep, x); })};
}

Array sum_of_products(const Array& a, const Array& b, const Dims& axes) {
  const dtype type = a.type();
  const bool half = type == dtype::float16 || type == dtype::bfloat16;
  const Array product = apply(Op::multiply, half ? dtype::float32 : type, a, b);
  ReduceArgs args;
  args.axes = axes;
  args.type = product.type();
  return record_cast(sum(product, args), type);
}

Term contract(Term a, Term b, const Labels& keep, const Labels& order) {
  a = summed(std::move(a), joined(keep, b.labels));
  b = summed(std::move(b), joined(keep, a.labels));
  const auto in = [](const Term& term) {
    return [&term](std::int64_t x) { return contains(term.labels, x); };
  };
  const Labels both = chosen(a.labels, in(b));
  const Labels inner = chosen(both, [&](std::int64_t x) { return !contains(keep, x); });
  const Labels free_a = chosen(a.labels, [&](std::int64_t x) { return !contains(b.labels, x); }),
               free_b = chosen(b.labels, [&](std::int64_t x) { return !contains(a.labels, x); });
  if (inner.empty() || (free_a.empty() && free_b.empty())) return multiply(a, b, inner, order);
  const Labels batch =
      chosen(order, [&](std::int64_t x) { return contains(both, x) && !contains(inner, x); });
  if (last_position(order, free_a) > last_position(order, free_b))
    return multiply_matrices(b, a, batch, free_b, inner, free_a, order);
  return multiply_matrices(a, b, batch, free_a, inner, free_b, order);
}

}  // namespace cuprum::ops
