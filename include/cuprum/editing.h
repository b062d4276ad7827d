// Arrays with other lengths and contents: elements taken out and put in, blocks put together, diagonals written.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "cuprum/options.h"

namespace cuprum {

/// Without the elements at an index, in a slice, or at the positions of an array, of an axis or of the flattened array
/// (numpy.delete; `delete` is a word of C++).
array delete_(const array& a, const index_item& where, std::optional<std::int64_t> axis = std::nullopt);
/// With `values` put in before the positions of an axis, or of the flattened array.
array insert(const array& a, const index_item& where, const operand& values,
             std::optional<std::int64_t> axis = std::nullopt);
/// The view without the zeros at the front ("f") and back ("b"), along all axes or some.
array trim_zeros(const array& a, const std::string& trim = "fb", const axis_set& axis = {});

/// A block, or a list of blocks and lists: `{{a, b}, {c, 5}}`.
class blocks {
 public:
  blocks(const array& block) : block_(block) {}
  template <class T>
  requires(element_type<T>) blocks(T number) : block_(array(number)) {}
  blocks(std::initializer_list<blocks> list) : list_(list) {}

  const std::optional<array>& block() const { return block_; }
  const std::vector<blocks>& list() const { return list_; }

 private:
  std::optional<array> block_;
  std::vector<blocks> list_;
};
/// One array of nested lists of blocks: the innermost are joined along the last axis, those around them along the one before.
array block(const blocks& arrays);

/// A matrix with the flattened array on a diagonal.
array diagflat(const array& v, std::int64_t k = 0);
/// Writes `value` on the main diagonal; `wrap` begins it anew below a square of a tall matrix.
void fill_diagonal(const array& a, const operand& value, bool wrap = false);
/// The powers of the elements of a vector, a row for each, of `columns` columns, or as many as elements.
array vander(const array& x, std::optional<std::int64_t> columns = std::nullopt, bool increasing = false);

}  // namespace cuprum
