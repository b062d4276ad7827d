// An index with arrays, made a plan:
//   1. boolean arrays become the integer arrays of their true positions;
//   2. integers, slices and newaxis are applied as a view, in which the dimensions that arrays index come first;
//   3. index arrays are broadcast together to the shape B.
// One gather or scatter over the view then does the work, for every mixture.
#pragma once

#include <utility>
#include <vector>

#include "core/small_vector.h"
#include "ops/basic_index.h"

namespace cuprum::ops {

struct Plan {
  Array view;                // dimensions: the indexed ones, then the others
  std::vector<Array> index;  // int64, each of shape `broadcast`
  Dims axes;                 // the axis of the array that each index stands for, for messages
  Dims broadcast;            // B
  int position = 0;          // where B stands among the other dimensions of the result
  Dims result;               // the shape of the result
  /// Of indices that the host knows, by axis, where the backend would find those out of bounds late.
  std::vector<std::pair<int, std::vector<std::int64_t>>> known;

  bool given = false;  // are there index arrays of the caller's, or only those of masks, which are in bounds?

  /// The strides of a new result, in C order or ('K') so that in memory B comes first, then the other dimensions in the
  /// order that they have in the indexed array, as in NumPy: rows are moved as they lie.
  Dims new_strides(char order) const;
  /// Dimensions of the result, or its strides, with those of B first, as gather and scatter want them.
  Dims seen_first(const Dims& dims) const;
  /// A result-shaped array seen so.
  Array seen_first(const Array& a) const { return a.view(seen_first(a.shape()), seen_first(a.strides())); }
  /// The view, the value if there is one, and the index arrays: what a call brings to one place.
  SmallVector<const Array*, 6> arrays(const Array* value = nullptr) const;
  /// The view with B's dimensions of stride 0, for indices of integers and 0-d masks alone.
  Array plain_view() const;
  /// `value` as an array of dtype `type` that broadcasts to the result and does not share memory with `target`.
  Array value_for(const Array& target, const Value& value, dtype type) const;
  /// Index arrays that lie in the storage about to be written are copied.
  void detach_index(const Array& target);
  /// What a backend is told of the call, for messages that come later.
  IndexSite site(const char* function) const;
  /// Throws IndexError for what the host knows of the indices of the array `indexed`.
  void check_known(const Array& indexed, const char* function) const;
  /// Looks at all indices now, if the device is one that says at once what it finds. True: they are in bounds, and the
  /// arrays still have the bytes that were looked at, until the lock is next let go. The graph's lock is held.
  bool check_now(const char* function) const;
  /// Throws IndexError for what a backend found.
  void check(const Fault& fault, const char* function) const;

  /// The operands of an indexed primitive: `first` (none: an empty view), then the index arrays.
  std::vector<View> readable_with_index(const Array& first) const;
};

/// `index` has at least one array. Throws IndexError with NumPy's texts. That a number to be stored does not fit the dtype
/// is found, as in NumPy, after an index that is none and before index arrays that do not fit each other; that an array
/// does not fit (`value_for`), before indices out of bounds.
Plan make_plan(const Array& a, Index index, const Value* stored = nullptr);

/// Throws what `make_plan` does, but for index arrays that do not fit each other or are out of bounds.
void check_items(const Array& a, Index index);

/// The index with 0-d integer arrays read: NumPy takes them for integers.
class ScalarsRead {
 public:
  explicit ScalarsRead(Index index);
  operator Index() const { return {items_.data(), items_.size()}; }

 private:
  SmallVector<IndexItem, 4> items_;
};

}  // namespace cuprum::ops
