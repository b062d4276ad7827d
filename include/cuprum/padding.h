// pad: an array with a border.
#pragma once

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "cuprum/options.h"

namespace cuprum {

/// What the two borders of every axis are given: one for all, `{before, after}` for every axis, or such a pair for each.
template <class T>
class border_pairs {
 public:
  template <class U>
  requires(std::is_convertible_v<U, T>) border_pairs(const U& all) : pairs_{{T(all), T(all)}} {}
  border_pairs(std::initializer_list<T> pair) { append(pair); }
  border_pairs(std::initializer_list<std::initializer_list<T>> pairs) {
    for (const auto& pair : pairs) append(pair);
  }

  const std::vector<std::array<T, 2>>& pairs() const { return pairs_; }

 private:
  void append(std::initializer_list<T> pair) {
    if (pair.size() != 2) throw ValueError("cuprum.pad: borders are given as {before, after}");
    pairs_.push_back({*pair.begin(), *(pair.begin() + 1)});
  }

  std::vector<std::array<T, 2>> pairs_;
};

/// Of a border.
struct pad_options {
  by_name named = by_name();
  /// "constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric", "wrap" or "empty"
  std::string mode = "constant";                               // what the border is made of
  border_pairs<operand> constant_values = 0;                   // of "constant"
  border_pairs<operand> end_values = 0;                        // of "linear_ramp"
  std::optional<border_pairs<std::int64_t>> stat_length = {};  // of the statistics: elements that count; all
  std::string reflect_type = "even";                           // of "reflect" and "symmetric": or "odd"
};
/// `a` with `pad_width` elements more before and after each axis: `pad(a, 1)`, `pad(a, {1, 2}, {.mode = "edge"})`.
array pad(const array& a, const border_pairs<std::int64_t>& pad_width, const pad_options& options = {});

}  // namespace cuprum
