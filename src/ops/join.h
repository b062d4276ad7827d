// Joining arrays along an axis.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "expr/array.h"

namespace cuprum::ops {

/// `axis` unset: of the flattened arrays. `type` is the dtype of the result (promoted by default), which must be
/// castable to under `casting` ("same_kind").
Array concatenate(std::span<const Array> arrays, std::optional<std::int64_t> axis = 0,
                  const Array* out = nullptr, std::optional<dtype> type = std::nullopt,
                  const char* casting = "same_kind");
Array stack(std::span<const Array> arrays, std::int64_t axis = 0, const Array* out = nullptr,
            std::optional<dtype> type = std::nullopt, const char* casting = "same_kind");

/// How the joins below treat dtypes.
struct JoinArgs {
  std::optional<dtype> type;
  const char* casting = "same_kind";
};
/// Along the first axis, vectors being rows; along the second, vectors along their only one; along the third.
Array vstack(std::span<const Array> arrays, const JoinArgs& args = {});
Array hstack(std::span<const Array> arrays, const JoinArgs& args = {});
Array dstack(std::span<const Array> arrays);
/// Vectors as the columns of a matrix; matrices side by side.
Array column_stack(std::span<const Array> arrays);

}  // namespace cuprum::ops
