#include "ops/sort.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/promotion.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/index.h"
#include "ops/index_mask.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/scan.h"
#include "ops/search.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

/// A 0-d array sorts as one of a single element.
Array sortable(const Array& a, std::optional<std::int64_t> axis) {
  return axis && a.ndim() > 0 ? a : ravel(a);
}

int sort_axis(const char* function, const Array& a, std::optional<std::int64_t> axis) {
  return normalize_axis(function, axis.value_or(-1), a.ndim());
}

/// Sorts or argsorts along `axis` into a new array.
Array sorted(const Array& a, int axis, bool indices) {
  if (a.size() == 0) return indices ? empty(a.shape(), dtype::int64, 'C', a.backend()) : empty_like(a);
  if (!indices) return record_along(Sort{}, a, axis, a.type(), a.shape(), strides_like(a));
  return record_along(Argsort{}, a, axis, dtype::int64, a.shape(), contiguous_strides(a.shape(), 8));
}

/// Numbers in the opposite order, NaN still last, nothing lost: its own inverse, so that a descending sort is an
/// ascending one between two of these. Integers are complemented, because the smallest has no negative.
Array turned(const Array& a) {
  return unary(is_floating(a.type()) || is_complex(a.type()) ? Op::negative : Op::invert, a);
}

/// Of an array without elements nothing is asked.
void check_kth(const char* function, const Dims& kth, const Array& a, int axis) {
  if (a.size() == 0) return;
  const std::int64_t n = a.shape()[axis];
  for (std::int64_t k : kth) {
    if (k < -n || k >= n) {
      throw ValueError(std::string("cuprum.") + function + ": kth(=" + std::to_string(k < 0 ? k + n : k) +
                       ") out of bounds (" + std::to_string(n) + ")");
    }
  }
}

/// The positions without repetition, in order; negative ones count from the end.
Dims sorted_positions(const Dims& kth, std::int64_t n) {
  std::vector<std::int64_t> positions;
  for (std::int64_t k : kth) positions.push_back(k < 0 ? k + n : k);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return Dims(positions.begin(), positions.end());
}

/// Partitions along `axis` into a new array.
Array partitioned(const Array& a, int axis, const Dims& kth) {
  if (a.size() == 0) return empty_like(a);
  return record_along(Partition{sorted_positions(kth, a.shape()[axis])}, a, axis, a.type(), a.shape(),
                      strides_like(a));
}

Array by_sorter(const Array& a, const Array& sorter) {
  try {
    return take(a, sorter);
  } catch (const IndexError&) {
    throw ValueError("cuprum.searchsorted: Sorter index out of range.");
  }
}

}  // namespace

Array sort(const Array& a, std::optional<std::int64_t> axis, bool descending) {
  if (descending) return turned(sort(turned(a), axis));
  const Array rows = axis ? a : ravel(a);
  return sorted(rows, sort_axis("sort", rows, axis), false);
}

Array argsort(const Array& a, std::optional<std::int64_t> axis, bool descending) {
  if (descending) return argsort(turned(a), axis);
  const Array rows = sortable(a, axis);
  return sorted(rows, sort_axis("argsort", rows, axis), true);
}

void sort_inplace(const Array& a, std::int64_t axis, bool descending) {
  const int d = normalize_axis("ndarray.sort", axis, a.ndim());
  if (!a.writeable()) throw ValueError("cuprum.ndarray.sort: sort array is read-only");
  assign(a, Input(descending ? sort(a, d, true) : sorted(a, d, false)));
}

Array partition(const Array& a, const Dims& kth, std::optional<std::int64_t> axis) {
  const Array rows = axis ? a : ravel(a);
  const int d = sort_axis("partition", rows, axis);
  check_kth("partition", kth, rows, d);
  return partitioned(rows, d, kth);
}

Array argpartition(const Array& a, const Dims& kth, std::optional<std::int64_t> axis) {
  const Array rows = sortable(a, axis);
  const int d = sort_axis("argpartition", rows, axis);
  check_kth("argpartition", kth, rows, d);
  return sorted(rows, d, true);
}

void partition_inplace(const Array& a, const Dims& kth, std::int64_t axis) {
  const int d = normalize_axis("ndarray.partition", axis, a.ndim());
  check_kth("ndarray.partition", kth, a, d);
  if (!a.writeable()) throw ValueError("cuprum.ndarray.partition: partition array is read-only");
  assign(a, Input(partitioned(a, d, kth)));
}

std::optional<Array> order_statistics(const Array& a, const Dims& kth) {
  if (a.size() == 0 || kth.empty()) return std::nullopt;
  Dims shape = a.shape();
  shape.back() = static_cast<std::int64_t>(kth.size());
  const Array found = make_array(a.backend(), a.type(), shape);
  BackendCall call({&a, &found});
  const View in = readable(a), out = writable(found);
  if (!call.order_statistics(in, kth, out)) return std::nullopt;
  return found;
}

Array lexsort(std::span<const Array> keys, std::int64_t axis) {
  if (keys.empty()) throw TypeError("cuprum.lexsort: need sequence of keys with len > 0 in lexsort");
  for (const Array& key : keys) {
    if (!(key.shape() == keys[0].shape()))
      throw ValueError("cuprum.lexsort: all keys need to be the same shape");
  }
  if (keys[0].ndim() == 0 && (axis == 0 || axis == -1))
    return value_if_0d(zeros(Dims{}, dtype::int64, 'C', keys[0].backend()));
  const int d = normalize_axis("lexsort", axis, keys[0].ndim());
  // Stable sorts, the least important key first: each keeps the order of those before among its equals.
  Array order = sorted(keys[0], d, true);
  for (const Array& key : keys.subspan(1)) {
    order = take_along_axis(order, sorted(take_along_axis(key, order, d), d, true), d);
  }
  return order;
}

Array searchsorted(const Array& a, const Array& values, bool right, const Array* sorter) {
  if (a.ndim() != 1) {
    throw ValueError(std::string("cuprum.searchsorted: object ") +
                     (a.ndim() ? "too deep" : "of too small depth") +
                     " for desired array: the sorted array must be 1-d, given shape " + to_string(a.shape()));
  }
  if (sorter && sorter->ndim() != 1) {
    throw TypeError("cuprum.searchsorted: could not parse sorter argument: it must be 1-d, given shape " +
                    to_string(sorter->shape()));
  }
  if (sorter && !is_integer(sorter->type())) {
    throw TypeError("cuprum.searchsorted: sorter must only contain integers");
  }
  if (sorter && sorter->type() == dtype::uint64) {
    throw ValueError(
        "cuprum.searchsorted: could not parse sorter argument: uint64 is not cast to int64 safely");
  }
  if (sorter && !(sorter->shape() == a.shape())) {
    throw ValueError("cuprum.searchsorted: sorter.size must equal a.size, given " +
                     std::to_string(sorter->size()) + " and " + std::to_string(a.size()));
  }
  const dtype type = promote_types(a.type(), values.type());
  const Array row = record_cast(sorter ? by_sorter(a, *sorter) : a, type), wanted = record_cast(values, type);
  if (values.size() == 0) return empty(values.shape(), dtype::int64, 'C', a.backend());
  return value_if_0d(record_dense(Searchsorted{right}, {&row, &wanted}, dtype::int64, values.shape()));
}

Array is_among(const Array& row, const Array& values) {
  if (values.size() == 0) return empty(values.shape(), dtype::bool_, 'C', values.backend());
  return value_if_0d(record_dense(IsAmong{}, {&row, &values}, dtype::bool_, values.shape()));
}

Array count_between(const Array& edges, const Array& values) {
  dtype type = promote_types(edges.type(), values.type());
  if (itemsize(type) < 4) type = is_floating(type) ? dtype::float32 : dtype::int32;  // in the same order
  const Array row = record_cast(edges, type), counted = record_cast(values, type);
  const Dims shape{std::max<std::int64_t>(edges.size() - 1, 0)};
  if (shape[0] == 0) return empty(shape, dtype::int64, 'C', values.backend());
  return record_dense(CountBetween{}, {&row, &counted}, dtype::int64, shape);
}

// -- Distinct elements ----------------------------------------------------------------------------------

namespace {

/// True where a sorted 1-d array starts a new value.
Array starts_of(const Array& sorted_values, bool equal_nan) {
  const std::int64_t n = sorted_values.size();
  const dtype type = sorted_values.type();
  const Array starts = ones(Dims{n}, dtype::bool_, 'C', sorted_values.backend());
  if (n < 2) return starts;
  const Array next = slice_first(sorted_values, 1, n, 1), previous = slice_first(sorted_values, 0, n - 1, 1);
  Array differs = apply(Op::not_equal, type, next, previous);
  if (equal_nan && (is_floating(type) || is_complex(type))) {  // the second of two NaN starts nothing
    const Array both =
        apply(Op::logical_and, dtype::bool_, apply(Op::isnan, type, next), apply(Op::isnan, type, previous));
    differs = apply(Op::greater, dtype::bool_, differs, both);
  }
  assign(slice_first(starts, 1, n, 1), Input(differs));
  return starts;
}

}  // namespace

Unique unique(const Array& a, const UniqueArgs& args) {
  const Array flat = ravel(a);
  const std::int64_t n = flat.size();
  Backend& backend = a.backend();
  const Scalar one = Scalar::of(dtype::int64, std::int64_t{1});
  Unique result;
  Array order, values;
  if (args.index || args.inverse) {
    order = argsort(flat);
    values = take(flat, order);
  } else {
    values = sort(flat);
  }
  const Array starts = starts_of(values, args.equal_nan);
  result.values = select(values, starts);
  if (args.index) result.index = select(order, starts);
  if (args.inverse) {
    ScanArgs counting;
    counting.type = dtype::int64;
    const Array group = apply(Op::subtract, dtype::int64, cumsum(starts, counting), one);
    result.inverse = empty(Dims{n}, dtype::int64, 'C', backend);
    set_item(result.inverse, std::array{IndexItem::by(order)}, group);
  }
  if (args.counts) {
    const Array first = flatnonzero(starts);
    const Array ends[] = {first, from_integers(std::array{n}, backend)};
    const Array edges = concatenate(ends);
    const std::int64_t groups = first.size();
    result.counts = apply(Op::subtract, dtype::int64, slice_first(edges, 1, groups + 1, 1),
                          slice_first(edges, 0, groups, 1));
  }
  return result;
}

}  // namespace cuprum::ops
