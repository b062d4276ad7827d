// Arrays taken apart into views: equal parts along an axis, slices, axes in another order.
#pragma once

#include <cstdint>
#include <vector>

#include "expr/array.h"

namespace cuprum::ops {

/// What the functions that split have in common: so many equal parts, or cuts at the given positions.
struct Sections {
  std::int64_t count = 0;  // of equal parts; more than 0
  const Dims* positions = nullptr;
};

/// Views of equal parts, or between positions, of an axis. `function` names the caller in errors.
std::vector<Array> split_evenly(const char* function, const Array& a, const Sections& sections,
                                std::int64_t axis = 0);
/// Along the second axis, of a vector along its only one; along the first; along the third.
std::vector<Array> hsplit(const Array& a, const Sections& sections);
std::vector<Array> vsplit(const Array& a, const Sections& sections);
std::vector<Array> dsplit(const Array& a, const Sections& sections);

/// The slices along an axis: views, of a vector its values.
std::vector<Array> unstack(const Array& a, std::int64_t axis = 0);

/// The view with one axis moved to before position `start`.
Array rollaxis(const Array& a, std::int64_t axis, std::int64_t start = 0);

}  // namespace cuprum::ops
