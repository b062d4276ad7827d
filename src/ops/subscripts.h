// What einsum's subscripts mean: the labels of every operand's axes and of the result's.
//
// A label is the code of a letter; the axes that an ellipsis stands for are labelled by negative numbers, -1 the last, so that those
// of different operands broadcast from the right.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dims.h"

namespace cuprum::ops {

using Labels = Dims;

inline bool contains(const Labels& labels, std::int64_t label) {
  for (const std::int64_t x : labels) {
    if (x == label) return true;
  }
  return false;
}
/// Where a label stands; it is there.
inline std::int64_t position(const Labels& labels, std::int64_t label) {
  std::int64_t i = 0;
  while (labels[static_cast<std::size_t>(i)] != label) ++i;
  return i;
}

struct Subscripts {
  std::vector<Labels> inputs;  // one for each operand
  Labels output;
};

/// The labels of operands with these numbers of dimensions. Throws ValueError with NumPy's texts.
Subscripts parse_subscripts(std::string_view text, std::span<const int> ndims);

/// "index 'i'" or "the ellipsis".
std::string label_text(std::int64_t label);

}  // namespace cuprum::ops
