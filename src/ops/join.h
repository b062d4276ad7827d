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

}  // namespace cuprum::ops
