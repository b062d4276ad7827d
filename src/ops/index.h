// Indexing. A basic index (integers, slices, ellipsis, newaxis) gives a view; one with arrays gathers or
// scatters (index_advanced.h). Messages are NumPy's.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "core/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// One item between the brackets.
struct IndexItem {
  enum class Kind : std::uint8_t { integer, slice, newaxis, ellipsis, array };

  static constexpr std::int64_t kBegin = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kEnd = std::numeric_limits<std::int64_t>::max();

  Kind kind = Kind::ellipsis;
  std::int64_t start = 0;  // of a slice, or the integer
  std::int64_t stop = 0;
  std::int64_t step = 1;
  const Array* array = nullptr;  // of bools or integers

  static IndexItem at(std::int64_t i) { return {Kind::integer, i, 0, 1, nullptr}; }
  /// Bounds as Python's slice.indices clips them; kBegin and kEnd stand for beyond either end.
  static IndexItem range(std::int64_t start, std::int64_t stop, std::int64_t step = 1) {
    return {Kind::slice, start, stop, step, nullptr};
  }
  static IndexItem all() { return range(0, kEnd); }
  static IndexItem newaxis() { return {Kind::newaxis, 0, 0, 1, nullptr}; }
  static IndexItem ellipsis() { return {}; }
  static IndexItem by(const Array& a) { return {Kind::array, 0, 0, 1, &a}; }
};
using Index = std::span<const IndexItem>;

/// `a[index]`: a view, a value (0-d snapshot) when integers index every dimension, or a gathered copy.
Array get_item(const Array& a, Index index);

/// `a[index] = value`: broadcasts and casts. Throws ValueError when `a` is read-only.
void set_item(const Array& a, Index index, const Value& value);

/// Throws what `a[index] = value` does, whatever the value: `a` is read-only, or the items of the index do not fit it.
void check_target(const Array& a, Index index);

/// `view[...] = value` for a view that an index named: broadcasts and casts, with NumPy's texts.
void set_view(const Array& view, const Value& value);

/// The view that a basic index names; all integers give a 0-d view.
Array basic_index(const Array& a, Index index);

/// Do integers alone index every dimension, so that the result is one element?
bool names_element(const Array& a, Index index);

/// `a[start:stop:step]` and `a[i]`: the shortest way to a view.
Array slice_first(const Array& a, std::int64_t start, std::int64_t stop, std::int64_t step);
Array item_first(const Array& a, std::int64_t i);

/// `start`, `stop`, `step` clipped to an axis of length n: the first index and the number of elements.
struct Range {
  std::int64_t start, count;
};
Range clip_slice(std::int64_t start, std::int64_t stop, std::int64_t step, std::int64_t n);

/// The value semantics of NumPy's scalars: a recorded snapshot of a 0-d view.
Array as_value(const Array& view);

/// `i` made non-negative; throws IndexError with NumPy's text.
std::int64_t check_index(std::int64_t i, std::int64_t n, int axis);
[[noreturn]] void throw_too_many_indices(int ndim, std::int64_t given);
[[noreturn]] void throw_read_only();

}  // namespace cuprum::ops
