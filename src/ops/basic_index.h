// What stands between the brackets, and the part of it that is arithmetic on shape, strides and offset: integers, slices,
// ellipsis and newaxis. Everything that indexes reads them here. Messages are NumPy's.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "expr/array.h"
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

/// The view that a basic index names; all integers give a 0-d view.
Array basic_index(const Array& a, Index index);

/// `a[start:stop:step]`: the shortest way to a view.
Array slice_first(const Array& a, std::int64_t start, std::int64_t stop, std::int64_t step);

/// `a[index] = value` for a basic index. Throws ValueError when `a` is read-only.
void set_basic(const Array& a, Index index, const Value& value);

/// `view[...] = value` for a view that an index named: broadcasts and casts, with NumPy's texts.
void set_view(const Array& view, const Value& value);
/// The same for an expression that ends with the call: it is computed straight into the view.
void set_view(const Array& view, Array&& expression);

/// An array that its holder lets go of: where no other handle names it, nobody will ask for its elements again.
Value passing(const Array& a);

/// Do integers alone index every dimension, so that the result is one element?
bool names_element(const Array& a, Index index);
/// Where that element lies in the storage.
std::int64_t element_offset(const Array& a, Index index);
std::int64_t element_offset(const Array& a, std::span<const std::int64_t> index);
/// `a[i, j] = value` for an element at an offset of the storage.
void set_element(const Array& a, std::int64_t offset, const Value& value);

/// `start`, `stop`, `step` clipped to an axis of length n: the first index and the number of elements.
struct Range {
  std::int64_t start, count;
};
Range clip_slice(std::int64_t start, std::int64_t stop, std::int64_t step, std::int64_t n);

/// `i` made non-negative; throws IndexError with NumPy's text.
std::int64_t check_index(std::int64_t i, std::int64_t n, int axis);
[[noreturn]] void throw_too_many_indices(int ndim, std::int64_t given);
/// Throws IndexError where the result of an index would have too many dimensions.
void check_result_ndim(std::size_t ndim);

/// How many dimensions the ellipsis, or the end of a short index, stands for. Throws IndexError for more than one ellipsis,
/// for more items than dimensions, and for arrays that are no indices.
int dimensions_left(const Array& a, Index index);

/// Reads an index from left to right. What basic items leave of the dimensions is kept in `shape`, `strides` and `offset`;
/// a dimension that an array indexes is its visitor's, who moves `axis` past it.
struct IndexReader {
  explicit IndexReader(const Array& array) : a(array), offset(array.offset()) {}

  /// `visit` sees every item before it is applied.
  template <class F>
  void read(Index index, F&& visit) {
    const int left = dimensions_left(a, index);
    for (const IndexItem& item : index) {
      visit(item);
      apply(item, left);
    }
    keep(a.ndim() - axis);
  }

  const Array& a;
  Dims shape, strides;
  std::int64_t offset;
  int axis = 0;

 private:
  void apply(const IndexItem& item, int left);
  void keep(int count);
};

}  // namespace cuprum::ops
