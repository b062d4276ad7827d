// pad: an array with a border, filled in one of a dozen ways.
//
// The result is made at its full length and the array written into it; then the border is written axis by axis, from what the
// axes before have made, so that corners too are filled.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "expr/array.h"
#include "ops/value.h"

namespace cuprum::ops {

/// How many elements more an axis has before and after.
struct PadWidth {
  std::int64_t before = 0, after = 0;
};

/// What both borders of an axis are filled with.
using PadValues = std::array<Value, 2>;
/// Of how many elements next to each border the statistics are; unset: of all.
using StatLengths = std::array<std::optional<std::int64_t>, 2>;

struct PadArgs {
  std::string mode = "constant";
  std::vector<PadValues> values;     // of 'constant' and 'linear_ramp', a pair for each axis; empty: zeros
  std::vector<StatLengths> lengths;  // of 'maximum', 'mean', 'median', 'minimum'; empty: all
  bool odd = false;                  // of 'reflect' and 'symmetric': twice the edge minus what is mirrored
};

/// `widths` has a pair for each axis, none negative.
Array pad(const Array& a, const std::vector<PadWidth>& widths, const PadArgs& args = {});

}  // namespace cuprum::ops
